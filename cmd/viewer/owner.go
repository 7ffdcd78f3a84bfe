package main

import (
	"sync/atomic"
)

// ownership says which goroutine owns the viewer's state. Usually that is the
// render thread. While physics blocks it, another goroutine can take over to end
// the run.
type ownership struct{ state atomic.Int32 }

const (
	drawing   int32 = iota // the render thread owns the state
	waiting                // the render thread owns it, but physics may block that
	takenOver              // another goroutine ends the run
	finishing              // the render thread writes the files
)

// beginWait is called before a call that physics may block.
func (o *ownership) beginWait() { o.state.CompareAndSwap(drawing, waiting) }

// endWait is called after that call. If another goroutine has taken over in the
// meantime, it never returns: the process is about to end.
func (o *ownership) endWait() {
	if !o.state.CompareAndSwap(waiting, drawing) && o.state.Load() == takenOver {
		select {}
	}
}

// keep prevents a takeover for good. The render thread calls it before it writes
// the files, so that nobody else writes them too.
func (o *ownership) keep() { o.state.Store(finishing) }

// takeOver takes the state from a render thread that is blocked. It reports
// whether it could.
func (o *ownership) takeOver() bool { return o.state.CompareAndSwap(waiting, takenOver) }
