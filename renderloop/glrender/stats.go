package glrender

// FrameStats counts what went through GL since BeginFrame, by purpose.
type FrameStats struct {
	// Core is what every frame needs: states, uniforms, the drawing itself.
	Core Work
	// Structure is what changes to bodies, shapes and joints cost.
	Structure Work
	// Debug is what debug layers cost, HUD what the HUD costs.
	Debug, HUD Work
	// State is what Overlay costs beyond what Draw does: saving, setting and
	// restoring the state of the context.
	State Work
}

// Work is GL calls and the bytes uploaded by them.
type Work struct{ Calls, Bytes int }

// Total is the sum over all purposes.
func (s FrameStats) Total() Work {
	return Work{
		s.Core.Calls + s.Structure.Calls + s.Debug.Calls + s.HUD.Calls + s.State.Calls,
		s.Core.Bytes + s.Structure.Bytes + s.Debug.Bytes + s.HUD.Bytes + s.State.Bytes,
	}
}
