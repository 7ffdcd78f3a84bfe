package win

import "halfstep/renderloop/presenttimes"

// PresentTimes opens the source of the window's present times.
func (w *Window) PresentTimes() (presenttimes.Source, error) { return presenttimes.OpenWindows() }
