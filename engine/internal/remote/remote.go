// Package remote queues commands for the goroutine that draws. Any goroutine can add a command.
package remote

import (
	"sync"
	"sync/atomic"

	"halfstep/buffer"
)

// A frame takes at most PerFrame commands from the queue, and no commands while physics still has
// maxBehind commands to do. At most Most commands can wait in the queue.
const (
	PerFrame  = 4096
	maxBehind = 4 * PerFrame
	Most      = 16 * PerFrame
)

// Queue collects commands in a log. The goroutines that add commands write to the log one after
// another, with a lock. The goroutine that draws reads the log without the lock.
type Queue[C any] struct {
	mu     sync.Mutex // locked by the goroutine that writes to orders
	orders *buffer.Log[buffer.Scheduled[C]]

	// given is the number of commands that were written to the log, and taken the number of
	// commands that frames have taken from it. given is stored after the write, so a frame may read
	// as many commands as given says.
	given, taken atomic.Uint64
}

// New returns an empty queue.
func New[C any]() *Queue[C] { return &Queue[C]{orders: buffer.NewLog[buffer.Scheduled[C]]()} }

// Add adds a command. Add returns false if Most commands are waiting already. Any goroutine may
// call Add.
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

// Drain calls send for the waiting commands, up to the number that a frame may take. The parameter
// unread is the number of commands that physics still has to do. Only the goroutine that draws may
// call Drain.
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

// Room returns the number of further commands that can wait. Any goroutine may call Room.
func (q *Queue[C]) Room() int {
	taken := q.taken.Load()
	return Most - int(min(q.given.Load()-taken, Most))
}
