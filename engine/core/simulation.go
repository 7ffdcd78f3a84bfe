package core

import (
	"halfstep/buffer"
	"halfstep/buffer/body2d"
)

// A simulation can embed Base, which has empty versions of the methods of
// physicsloop.Simulation. Then only Step and Capture must be written. E and C are the
// simulation's event and command.
type Base[E, C any] struct {
	// Out receives events (Out.Events.Append). It is set before the first step.
	Out *buffer.Outbox[E]
}

// Start keeps the outbox.
func (b *Base[E, C]) Start(out *buffer.Outbox[E]) { b.Out = out }

// BeginFrame does nothing. A simulation has its own if it has forces that last for a
// frame.
func (b *Base[E, C]) BeginFrame() {}

// EndFrame does nothing; see BeginFrame.
func (b *Base[E, C]) EndFrame() {}

// Apply ignores commands.
func (b *Base[E, C]) Apply(tick uint64, c *C, scheduled bool) {}

// Counts returns zeros, because no code needs the number of bodies.
func (b *Base[E, C]) Counts() body2d.Counts { return body2d.Counts{} }
