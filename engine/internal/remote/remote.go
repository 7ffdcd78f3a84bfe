// Package remote queues the commands that come from other goroutines than the one that
// draws.
package remote

import (
	"sync"
	"sync/atomic"

	"halfstep/buffer"
)

// A frame takes at most PerFrame commands from the queue. It takes none while physics has
// maxBehind commands to do. At most Most commands can wait.
const (
	PerFrame  = 4096
	maxBehind = 4 * PerFrame
	Most      = 16 * PerFrame
)

// Queue collects commands. The goroutines that give commands take turns as the writer of
// a log. The reader of the log is the goroutine that draws. No frame takes the lock of
// the writers.
type Queue[C any] struct {
	mu     sync.Mutex // locked by the goroutine that writes to orders
	orders *buffer.Log[buffer.Scheduled[C]]

	// given is the number of commands in the log. It is stored after each write, so a frame
	// that loads it may read that many commands. taken is the number of commands that frames
	// have taken.
	given, taken atomic.Uint64
}

// New returns an empty queue.
func New[C any]() *Queue[C] { return &Queue[C]{orders: buffer.NewLog[buffer.Scheduled[C]]()} }

// Add adds a command. It returns false if too many commands are waiting. Any goroutine
// may call it.
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

// Drain sends the collected commands, but not more than a frame may take. unread is the
// number of commands that physics still has to do. Only the goroutine that draws may call
// it.
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

// Room is the number of further commands that can wait. Any goroutine may call it.
func (q *Queue[C]) Room() int {
	taken := q.taken.Load()
	return Most - int(min(q.given.Load()-taken, Most))
}
