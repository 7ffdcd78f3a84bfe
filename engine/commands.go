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
		e.refuseClosure(&c)
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
func (e *Engine) refuseClosure(c *world.Command) {
	if !inside.IsClosure(c) {
		return
	}
	if w := e.recordings.now.Load(); w != nil && w.Begun() {
		w.Refuse(4) // this, Send, Commands.send, Commands.Do
	}
}
