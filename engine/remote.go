package engine

import (
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

// remote collects the commands of goroutines other than the render thread. They
// take turns as the writer of a log, whose reader is the render thread.
type remote struct {
	mu     sync.Mutex // held by the goroutine that writes to orders
	orders *buffer.Log[order]

	// given follows the writes to the log, and a frame's load of it comes
	// before it reads them. taken tells the writers what has left the log.
	given, taken atomic.Uint64
}

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
	given, taken := r.given.Load(), r.taken.Load()
	if given == taken {
		return
	}
	room := maxBehind - min(to.link.Commands.Unread(), maxBehind)
	for range min(given-taken, room, frameRemote) {
		to.order(*r.orders.Peek(given))
		r.orders.Take()
		taken++
	}
	r.taken.Store(taken)
}

func (r *remote) room() int {
	taken := r.taken.Load()
	return maxRemote - int(min(r.given.Load()-taken, maxRemote))
}

// Remote returns commands that any goroutine may give. They join the next frame,
// in order. A call takes a lock for the time of one append; no frame takes that
// lock.
//
// A frame takes up to 4,096 of these commands, and fewer while physics is behind
// with earlier ones. The others wait for later frames. At most 65,536 can wait;
// commands beyond that are dropped and counted in Metrics.DroppedCommands, and a
// handle that one of them returned reaches no body. A program that gives that
// many asks Room how many more can wait. Any goroutine may call Remote.
func (e *Engine) Remote() world.Commands {
	return inside.NewCommands((*remoteQueue)(e), e.made)
}

// remoteQueue takes the commands of all other goroutines.
type remoteQueue Engine

func (q *remoteQueue) Send(at uint64, c world.Command) {
	e := (*Engine)(q)
	if e.stopped() || !e.remote.add(order{At: at, Command: c}) {
		e.dropped.Add(1)
		return
	}
	e.refuseClosure(&c)
}

func (q *remoteQueue) Room() int {
	if (*Engine)(q).stopped() {
		return 0
	}
	return q.remote.room()
}
