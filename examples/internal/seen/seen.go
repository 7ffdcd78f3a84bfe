// Package seen reports to the engine when the frames of an example were on the display.
package seen

import (
	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/engine"
	"halfstep/renderloop/presenttimes"
)

// Frames tells an engine when its frames were on the display, so that pacing draws each
// for the refresh in which it will be seen. Without reports from the window system it
// does nothing.
type Frames struct {
	window *glfw.Window
	source presenttimes.Source // or nil
}

// New begins to ask the window system. Close it before the window.
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

// Swap swaps the window's buffers, which show the last frame of e, and gives e the
// reports on earlier ones.
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
