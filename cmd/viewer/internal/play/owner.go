package play

import (
	"sync/atomic"
)

// Ownership says which goroutine owns the viewer's state. Usually that is the render thread. While
// that waits for physics, which may hang, another goroutine can take over to end the run.
type Ownership struct{ state atomic.Int32 }

const (
	drawing   int32 = iota // the render thread owns the state
	waiting                // the render thread owns it, but physics may block that
	takenOver              // another goroutine ends the run
	finishing              // the render thread writes the files
)

// physicsMayBlock is called before a call that waits for physics.
func (o *Ownership) physicsMayBlock() { o.state.CompareAndSwap(drawing, waiting) }

// physicsReturned is called after that call. If another goroutine has taken over in the meantime,
// it does not return, because the process is about to end.
func (o *Ownership) physicsReturned() {
	if !o.state.CompareAndSwap(waiting, drawing) && o.state.Load() == takenOver {
		select {}
	}
}

// Keep prevents a takeover for good. The render thread calls it before it writes the files, so that
// no other goroutine writes them.
func (o *Ownership) Keep() { o.state.Store(finishing) }

// TakeOver takes the state from a blocked render thread. It reports whether it could.
func (o *Ownership) TakeOver() bool { return o.state.CompareAndSwap(waiting, takenOver) }
