package play

import (
	"sync/atomic"
)

// Ownership says which goroutine owns the viewer's state. Usually this is the render thread. While
// the render thread waits for physics, which may hang, another goroutine can take the ownership
// over to end the run.
type Ownership struct{ state atomic.Int32 }

const (
	drawing   int32 = iota // drawing: the render thread owns the state.
	waiting                // waiting: the render thread owns the state, but physics may block the render thread.
	takenOver              // takenOver: another goroutine ends the run.
	finishing              // finishing: the render thread writes the files.
)

// physicsMayBlock is called before a call that waits for physics.
func (o *Ownership) physicsMayBlock() { o.state.CompareAndSwap(drawing, waiting) }

// physicsReturned is called after that call. If another goroutine has taken over in the meantime,
// physicsReturned does not return, because the process is about to end.
func (o *Ownership) physicsReturned() {
	if !o.state.CompareAndSwap(waiting, drawing) && o.state.Load() == takenOver {
		select {}
	}
}

// Keep prevents a takeover for the rest of the run. The render thread calls it before it writes the
// files, so that no other goroutine writes them.
func (o *Ownership) Keep() { o.state.Store(finishing) }

// TakeOver takes the state from a blocked render thread. It reports whether this was possible.
func (o *Ownership) TakeOver() bool { return o.state.CompareAndSwap(waiting, takenOver) }
