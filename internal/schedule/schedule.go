// Package schedule holds scheduled commands until their tick.
package schedule

import "halfstep/buffer"

// Queue holds commands that wait for their tick, ordered by tick and then by
// arrival. Adding and removing a command takes logarithmic time, and allocates
// nothing after the queue has grown. The zero Queue is empty.
type Queue[C any] struct {
	heap     []key // the first is due first
	commands []buffer.Scheduled[C]
	free     []int32 // indices in commands
	added    uint64
	moved    uint64 // keys moved in the heap, in all
}

// key represents a command in the heap. Commands are large and are not moved.
type key struct {
	at, arrival uint64
	command     int32
}

func (k key) before(o key) bool {
	return k.at < o.at || k.at == o.at && k.arrival < o.arrival
}

// Add adds a command.
func (q *Queue[C]) Add(o buffer.Scheduled[C]) {
	k := key{o.At, q.added, int32(len(q.commands))}
	q.added++
	if n := len(q.free); n > 0 {
		k.command, q.free = q.free[n-1], q.free[:n-1]
		q.commands[k.command] = o
	} else {
		q.commands = append(q.commands, o)
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

// Due returns the first command if its tick has come, or nil. It is valid until
// the queue is used again.
func (q *Queue[C]) Due(tick uint64) *buffer.Scheduled[C] {
	if len(q.heap) == 0 || q.heap[0].at > tick {
		return nil
	}
	return &q.commands[q.heap[0].command]
}

// Drop removes the command that Due returned.
func (q *Queue[C]) Drop() {
	gone := q.heap[0].command
	q.commands[gone] = buffer.Scheduled[C]{} // let go of what it points to
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

// Len is the number of waiting commands.
func (q *Queue[C]) Len() int { return len(q.heap) }

func (q *Queue[C]) move(from, to int) int {
	q.heap[to] = q.heap[from]
	q.moved++
	return from
}
