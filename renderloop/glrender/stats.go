package glrender

// FrameStats counts the GL calls and uploads since BeginFrame, by purpose.
type FrameStats struct {
	// Core is what every frame needs: states, uniforms and drawing.
	Core Work
	// Structure is for changes of bodies, shapes and joints.
	Structure Work
	// Debug is for debug layers, HUD for the HUD.
	Debug, HUD Work
	// State is for saving, setting and restoring the state of the context, which
	// only Overlay does.
	State Work
}

// Work is a number of GL calls and the bytes that they uploaded.
type Work struct{ Calls, Bytes int }

// Total is the sum over all purposes.
func (s FrameStats) Total() Work {
	return Work{
		s.Core.Calls + s.Structure.Calls + s.Debug.Calls + s.HUD.Calls + s.State.Calls,
		s.Core.Bytes + s.Structure.Bytes + s.Debug.Bytes + s.HUD.Bytes + s.State.Bytes,
	}
}
