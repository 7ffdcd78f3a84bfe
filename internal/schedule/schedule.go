// Package schedule keeps commands until their tick.
package schedule

import "halfstep/buffer"

// Queue holds commands that wait for their tick, in order of tick and then of
// arrival. Adding and dropping one costs the logarithm of how many there are,
// and allocates nothing once the queue has had that many. The zero Queue is
// empty.
type Queue[C any] struct {
	heap   []key // the first is due first
	orders []buffer.Scheduled[C]
	free   []int32 // indices in orders
	added  uint64
	moved  uint64 // keys moved in the heap, in all
}

// key stands for an order in the heap: orders are large, and stay where they
// are.
type key struct {
	at, arrival uint64
	order       int32
}

func (k key) before(o key) bool {
	return k.at < o.at || k.at == o.at && k.arrival < o.arrival
}

// Add puts an order into the queue.
func (q *Queue[C]) Add(o buffer.Scheduled[C]) {
	k := key{o.At, q.added, int32(len(q.orders))}
	q.added++
	if n := len(q.free); n > 0 {
		k.order, q.free = q.free[n-1], q.free[:n-1]
		q.orders[k.order] = o
	} else {
		q.orders = append(q.orders, o)
	}
	q.heap = append(q.heap, k)
	i := len(q.heap) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !k.before(q.heap[parent]) {
			break
		}
		i = q.move(parent, i)
	}
	q.heap[i] = k
}

// Due returns the first order if its tick has come, or nil. It is good until
// the queue is used again.
func (q *Queue[C]) Due(tick uint64) *buffer.Scheduled[C] {
	if len(q.heap) == 0 || q.heap[0].at > tick {
		return nil
	}
	return &q.orders[q.heap[0].order]
}

// Drop removes the order that Due returned.
func (q *Queue[C]) Drop() {
	gone := q.heap[0].order
	q.orders[gone] = buffer.Scheduled[C]{} // let go of what it points to
	q.free = append(q.free, gone)
	n := len(q.heap) - 1
	k := q.heap[n]
	q.heap = q.heap[:n]
	if n == 0 {
		return
	}
	i := 0
	for child := 1; child < n; child = 2*i + 1 {
		if child+1 < n && q.heap[child+1].before(q.heap[child]) {
			child++
		}
		if !q.heap[child].before(k) {
			break
		}
		i = q.move(child, i)
	}
	q.heap[i] = k
}

// Len is the number of orders that wait.
func (q *Queue[C]) Len() int { return len(q.heap) }

// move moves a key and returns where it was.
func (q *Queue[C]) move(from, to int) int {
	q.heap[to] = q.heap[from]
	q.moved++
	return from
}
