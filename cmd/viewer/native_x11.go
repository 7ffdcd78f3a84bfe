//go:build linux && !wayland

package main

import "halfstep/renderloop/presenttimes"

// presentTimes opens what tells when the window's frames are seen.
func (w *window) presentTimes() (presenttimes.Source, error) {
	return presenttimes.OpenX11(uint32(w.GetX11Window()))
}
