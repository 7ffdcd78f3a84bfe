// Package remote queues the commands of goroutines other than the one that draws.
package remote

import (
	"sync"
	"sync/atomic"

	"halfstep/buffer"
)

// A frame takes at most PerFrame commands of the queue, and none while physics has
// maxBehind commands to do. At most Most commands wait.
const (
	PerFrame  = 4096
	maxBehind = 4 * PerFrame
	Most      = 16 * PerFrame
)

// Queue collects commands. The goroutines that give them take turns as the writer of a
// log, whose reader is the goroutine that draws. No frame takes their lock.
type Queue[C any] struct {
	mu     sync.Mutex // held by the goroutine that writes to orders
	orders *buffer.Log[buffer.Scheduled[C]]

	// given is the number of commands written to the log. It is stored after each write, so a
	// frame that loads it may read that many. taken is the number that frames have taken.
	given, taken atomic.Uint64
}

// New returns an empty queue.
func New[C any]() *Queue[C] { return &Queue[C]{orders: buffer.NewLog[buffer.Scheduled[C]]()} }

// Add reports false if too many commands wait. Any goroutine.
func (q *Queue[C]) Add(o buffer.Scheduled[C]) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.orders.Count()-q.taken.Load() >= Most {
		return false
	}
	q.orders.Append(o)
	q.given.Store(q.orders.Count())
	return true
}

// Drain sends the collected commands, as many as a frame takes. unread is the number of
// commands that physics still has to do. Only the goroutine that draws may call it.
func (q *Queue[C]) Drain(unread uint64, send func(buffer.Scheduled[C])) {
	given, taken := q.given.Load(), q.taken.Load()
	if given == taken {
		return
	}
	room := maxBehind - min(unread, maxBehind)
	for range min(given-taken, room, PerFrame) {
		send(*q.orders.Peek(given))
		q.orders.Take()
		taken++
	}
	q.taken.Store(taken)
}

// Room is the number of further commands that can wait. Any goroutine.
func (q *Queue[C]) Room() int {
	taken := q.taken.Load()
	return Most - int(min(q.given.Load()-taken, Most))
}
