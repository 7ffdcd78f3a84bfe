package world

import "halfstep/physicsloop/stepper"

// ErrInterrupted is what Step panics with after Interrupt.
var ErrInterrupted = stepper.ErrInterrupted

// Continuous reports whether the world is in continuous collision: whether the
// step at hand looks for times of impact. With Config.StockStep that can not be
// told. Any goroutine may ask.
func (w *World) Continuous() bool { return w.watch.Continuous() }

// Interrupt gives up: the step at hand panics with ErrInterrupted where it is in
// continuous collision, or the next one does before it begins. The world is of
// no further use. Any goroutine may call it.
func (w *World) Interrupt() { w.watch.Interrupt() }
