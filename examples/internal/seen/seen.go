// Package seen tells the engine when the frames of an example were visible on the
// display.
package seen

import (
	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/engine"
	"halfstep/renderloop/presenttimes"
)

// Frames tells an engine when its frames were visible on the display. Then pacing can
// draw each frame for the refresh in which it will be visible. If the window system
// does not report these times, Frames does nothing.
type Frames struct {
	window *glfw.Window
	source presenttimes.Source // may be nil
}

// New begins to ask the window system for reports. Close the result before the window.
func New(w *glfw.Window) *Frames {
	source, err := ask(w)
	if err != nil {
		source = nil
	}
	return &Frames{w, source}
}

// Close ends the asking.
func (s *Frames) Close() {
	if s.source != nil {
		s.source.Close()
	}
}

// Swap swaps the window's buffers, which shows the last frame of e. It also passes to e
// the reports about earlier frames.
func (s *Frames) Swap(e *engine.Engine) {
	if s.source != nil {
		var t presenttimes.Time
		for s.source.Next(&t) {
			e.Display().Presented(t.Report(e.Display().SinceStart))
		}
		s.source.Swapping(e.Metrics().Frames)
	}
	s.window.SwapBuffers()
}
