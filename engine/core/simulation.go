package core

import (
	"halfstep/buffer"
	"halfstep/buffer/body2d"
)

// Base has empty versions of the methods of physicsloop.Simulation, except Step and Capture. A
// simulation can embed it. E and C are the simulation's types of event and command.
type Base[E, C any] struct {
	// Out receives events (Out.Events.Append). Start sets Out before the first step.
	Out *buffer.Outbox[E]
}

// Start sets Out.
func (b *Base[E, C]) Start(out *buffer.Outbox[E]) { b.Out = out }

// BeginFrame does nothing. A simulation with forces that last for a frame needs a BeginFrame of its
// own.
func (b *Base[E, C]) BeginFrame() {}

// EndFrame does nothing; see BeginFrame.
func (b *Base[E, C]) EndFrame() {}

// Apply ignores commands.
func (b *Base[E, C]) Apply(tick uint64, c *C, scheduled bool) {}

// Counts returns zeros.
func (b *Base[E, C]) Counts() body2d.Counts { return body2d.Counts{} }
