package engine

import (
	"math"

	"halfstep/internal/owner"
	"halfstep/world"
)

// frameQueue receives the commands of Engine.Commands, on the goroutine that draws.
type frameQueue Engine

func (q *frameQueue) Send(at uint64, c world.Command) {
	e := (*Engine)(q)
	if owner.Checked {
		e.refuseInCallback("a command of the engine was given in a function that physics runs: call the methods of the *World that it is given")
	}
	if !e.stopped() {
		e.refuseClosure(c)
	}
	e.give(scheduled{At: at, Command: c})
}

func (q *frameQueue) Room() int {
	if (*Engine)(q).stopped() {
		return 0
	}
	return math.MaxInt
}

// stopped reports whether commands are dropped, because the engine is closed or physics has
// ended.
func (e *Engine) stopped() bool { return e.closed.Load() || e.link.Stopped() }

// give adds a command to the next frame, or drops the command if physics has ended. The frame
// posts all its commands together with its steps (Demand.Post).
func (e *Engine) give(o scheduled) {
	if e.stopped() {
		e.dropped.Add(1)
		return
	}
	e.link.Commands.Append(o)
}

// command adds a command without a tick to the next frame.
func (e *Engine) command(c world.Command) { e.give(scheduled{Command: c}) }

// refuseClosure ends the present recording if c is a closure (Commands.Do), which cannot be
// recorded. The error names the place of the call.
func (e *Engine) refuseClosure(c world.Command) {
	w := e.recordings.now.Load()
	if w == nil || !w.Begun() {
		return
	}
	if asked := c; private.IsClosure(&asked) { // a copy, so that c stays on the stack
		w.Refuse(4) // 4 functions from here to the caller of Do: refuseClosure, Send, Commands.send, Commands.Do
	}
}

// Remote returns commands that any goroutine may give. The next frame contains them, in order. A
// command takes a lock for the time of one append. No frame takes that lock.
//
// A frame takes up to 4,096 of these commands, or fewer while physics still has many earlier
// commands to carry out. The rest of the commands wait for later frames. At most 65,536 can wait.
// Further commands are dropped and counted in Metrics.DroppedCommands. The handle that a dropped
// CreateBody returns never gets a body. A program that gives that many commands should ask Room how
// many more can wait. Any goroutine may call Remote.
func (e *Engine) Remote() world.Commands {
	return private.NewCommands((*remoteQueue)(e), e.made)
}

// remoteQueue receives the commands of Remote, on any goroutine.
type remoteQueue Engine

func (q *remoteQueue) Send(at uint64, c world.Command) {
	e := (*Engine)(q)
	if e.stopped() || !e.remote.Add(scheduled{At: at, Command: c}) {
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
