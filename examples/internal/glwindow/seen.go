package glwindow

import (
	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/engine"
	"halfstep/renderloop/presenttimes"
)

// Seen tells an engine when its frames were on the display, so that pacing draws each
// for the refresh in which it will be seen. Where the window system does not say, it
// does nothing.
type Seen struct {
	window *glfw.Window
	source presenttimes.Source // or nil
}

// NewSeen asks the window system from now on. Close it before the window.
func NewSeen(w *glfw.Window) *Seen {
	source, err := ask(w)
	if err != nil {
		source = nil
	}
	return &Seen{w, source}
}

// Close ends the asking.
func (s *Seen) Close() {
	if s.source != nil {
		s.source.Close()
	}
}

// Swap swaps the window's buffers, which show the last frame of e, and tells e what is
// known of earlier ones.
func (s *Seen) Swap(e *engine.Engine) {
	if s.source != nil {
		var t presenttimes.Time
		for s.source.Next(&t) {
			e.Presented(t.Report(e.SinceStart))
		}
		s.source.Swapping(e.Metrics().Frames)
	}
	s.window.SwapBuffers()
}
