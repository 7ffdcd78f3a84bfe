package engine

import (
	"math"
	"sync"
	"sync/atomic"

	"halfstep/buffer"
	"halfstep/world"
)

// A frame takes at most frameRemote commands that other goroutines gave, and
// none while physics has maxBehind commands still to do. The rest waits, up to
// maxRemote.
const (
	frameRemote = 4096
	maxBehind   = 4 * frameRemote
	maxRemote   = 16 * frameRemote
)

// remote collects commands from goroutines other than the render thread. Those
// who give take turns as the writer of a log, whose reader is the render thread.
type remote struct {
	mu     sync.Mutex // of those who give
	orders *buffer.Log[order]

	// given follows the writes to the log, and a frame's load of it comes
	// before it reads them. taken tells the writers what has left the log.
	given, taken atomic.Uint64
}

func (r *remote) init() { r.orders = buffer.NewLog[order]() }

// add reports false if too many commands wait.
func (r *remote) add(o order) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.orders.Count()-r.taken.Load() >= maxRemote {
		return false
	}
	r.orders.Append(o)
	r.given.Store(r.orders.Count())
	return true
}

// drain moves what has been collected into this frame, as much as a frame
// takes.
func (r *remote) drain(to *Engine) {
	given := r.given.Load()
	if given == r.orders.Taken() {
		return
	}
	room := maxBehind - min(to.link.Commands.Unread(), maxBehind)
	for range min(room, frameRemote) {
		o := r.orders.Peek(given)
		if o == nil {
			break
		}
		to.order(*o)
		r.orders.Take()
	}
	r.taken.Store(r.orders.Taken())
}

// room is how many more commands can wait.
func (r *remote) room() int {
	taken := r.taken.Load()
	return maxRemote - int(min(r.given.Load()-taken, maxRemote))
}

// Remote returns commands that any goroutine may give. They take a lock that no
// frame ever takes, for the time of one append, and join the next frame, in
// order.
//
// A frame takes 4,096 of them, and fewer while physics is behind with what it
// was given. The rest waits for the frames after it, and 65,536 can wait: what
// is given beyond that is dropped and counted (DroppedCommands), and the handles
// of what it was to create stay stale. No call waits. Who gives more than that
// between frames asks Room first.
func (e *Engine) Remote() world.Commands {
	return world.NewCommands((*remoteQueue)(e), &e.handles)
}

// DroppedCommands is the number of commands that were given when physics had
// ended, by Close or by a Failure, or when too many waited; see Remote. Any
// goroutine may ask.
func (e *Engine) DroppedCommands() uint64 { return e.dropped.Load() }

// stopped reports whether nobody will carry out commands any more.
func (e *Engine) stopped() bool { return e.closed.Load() || e.link.Stopped() }

// order gives a command to the loop, or drops it where physics has ended.
func (e *Engine) order(o order) {
	if e.stopped() {
		e.dropped.Add(1)
		return
	}
	e.loop.Send(o)
}

// frameQueue takes the commands of the goroutine that draws.
type frameQueue Engine

func (q *frameQueue) Send(at uint64, c world.Command) {
	e := (*Engine)(q)
	e.refuseClosure(&c)
	e.order(order{At: at, Command: c})
}

func (q *frameQueue) Room() int {
	if (*Engine)(q).stopped() {
		return 0
	}
	return math.MaxInt
}

// remoteQueue takes the commands of all other goroutines.
type remoteQueue Engine

func (q *remoteQueue) Send(at uint64, c world.Command) {
	e := (*Engine)(q)
	e.refuseClosure(&c)
	if e.stopped() || !e.remote.add(order{At: at, Command: c}) {
		e.dropped.Add(1)
	}
}

func (q *remoteQueue) Room() int {
	if (*Engine)(q).stopped() {
		return 0
	}
	return q.remote.room()
}

// refuseClosure ends a recording that can not keep the command.
func (e *Engine) refuseClosure(c *world.Command) {
	if e.recorder != nil && c.IsClosure() {
		e.recorder.refuse(4) // this, Send, Commands.send, Commands.Do
	}
}
