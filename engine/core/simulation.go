package core

import (
	"halfstep/buffer"
	"halfstep/buffer/body2d"
)

// Base is for a simulation to embed. It has empty versions of the methods of
// physicsloop.Simulation, so that only Step and Capture are left to write. E and C are the
// simulation's event and command.
type Base[E, C any] struct {
	// Out takes events (Out.Events.Append), and is set before the first step.
	Out *buffer.Outbox[E]
}

// Start keeps the outbox.
func (b *Base[E, C]) Start(out *buffer.Outbox[E]) { b.Out = out }

// BeginFrame does nothing. It is for forces that last a frame.
func (b *Base[E, C]) BeginFrame() {}

// EndFrame does nothing; see BeginFrame.
func (b *Base[E, C]) EndFrame() {}

// Apply ignores commands.
func (b *Base[E, C]) Apply(tick uint64, c *C, scheduled bool) {}

// Counts returns zeros, because nothing asks how many bodies there are.
func (b *Base[E, C]) Counts() body2d.Counts { return body2d.Counts{} }
