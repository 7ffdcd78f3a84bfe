package engine

import (
	"math"

	"halfstep/world"
)

// frameQueue takes the commands of the goroutine that draws.
type frameQueue Engine

func (q *frameQueue) Send(at uint64, c world.Command) {
	e := (*Engine)(q)
	if !e.stopped() {
		e.refuseClosure(c)
	}
	e.order(order{At: at, Command: c})
}

func (q *frameQueue) Room() int {
	if (*Engine)(q).stopped() {
		return 0
	}
	return math.MaxInt
}

// stopped reports whether nobody will carry out commands any more.
func (e *Engine) stopped() bool { return e.closed.Load() || e.link.Stopped() }

// order gives a command to the next frame, or drops it where physics has ended.
func (e *Engine) order(o order) {
	if e.stopped() {
		e.dropped.Add(1)
		return
	}
	e.render.Send(o)
}

func (e *Engine) command(c world.Command) { e.order(order{Command: c}) }

// refuseClosure ends a recording that a command can not be part of.
func (e *Engine) refuseClosure(c world.Command) {
	w := e.recordings.now.Load()
	if w == nil || !w.Begun() {
		return
	}
	if asked := c; inside.IsClosure(&asked) { // a copy, so that c stays on the stack
		w.Refuse(4) // this, Send, Commands.send, Commands.Do
	}
}
