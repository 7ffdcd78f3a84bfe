// Package schedule stores scheduled commands until their tick.
package schedule

import (
	"cmp"
	"slices"

	"halfstep/buffer"
)

// Queue has the commands that wait for their tick, ordered by tick and then by arrival.
// Adding or removing a command takes logarithmic time, and allocates nothing once the
// queue has grown. The zero Queue is empty.
type Queue[C any] struct {
	heap     []key // heap has the keys of the commands. The first key is due first.
	commands []buffer.Scheduled[C]
	free     []int32 // free are the unused indices of commands. After Due, the last index is that of the returned command.
	due      bool    // due says that the command that Due returned has not been cleared yet.
	added    uint64  // commands added, in all
	moved    uint64  // moved counts the moves of keys in the heap.
}

// key stands for a command in the heap. Commands are large, so they are not moved.
type key struct {
	at, arrival uint64
	command     int32
}

func (k key) before(o key) bool {
	return k.at < o.at || k.at == o.at && k.arrival < o.arrival
}

// Add adds a command.
func (q *Queue[C]) Add(o buffer.Scheduled[C]) {
	q.forget()
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

// Due removes the first command and returns it if its tick has come. Otherwise it
// returns nil. The command is valid until the next call of Due or Add.
func (q *Queue[C]) Due(tick uint64) *buffer.Scheduled[C] {
	q.forget()
	if len(q.heap) == 0 || q.heap[0].at > tick {
		return nil
	}
	first := q.heap[0].command
	q.free, q.due = append(q.free, first), true
	q.sink()
	return &q.commands[first]
}

// forget clears the command that Due has returned, so that its memory contains no
// pointers.
func (q *Queue[C]) forget() {
	if q.due {
		q.commands[q.free[len(q.free)-1]], q.due = buffer.Scheduled[C]{}, false
	}
}

// sink removes the first key.
func (q *Queue[C]) sink() {
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

// Len returns the number of waiting commands.
func (q *Queue[C]) Len() int { return len(q.heap) }

// Append appends the waiting commands to a list, in the order in which they are due.
func (q *Queue[C]) Append(list []buffer.Scheduled[C]) []buffer.Scheduled[C] {
	keys := slices.Clone(q.heap)
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.arrival, b.arrival))
	})
	for _, k := range keys {
		list = append(list, q.commands[k.command])
	}
	return list
}

// move copies a key to another index of the heap, and returns the index that is then
// free.
func (q *Queue[C]) move(from, to int) int {
	q.heap[to] = q.heap[from]
	q.moved++
	return from
}
