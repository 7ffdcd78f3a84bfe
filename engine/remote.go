package engine

import "halfstep/world"

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
	if e.stopped() || !e.remote.Add(order{At: at, Command: c}) {
		e.dropped.Add(1)
		return
	}
	e.refuseClosure(c)
}

func (q *remoteQueue) Room() int {
	if (*Engine)(q).stopped() {
		return 0
	}
	return q.remote.Room()
}
