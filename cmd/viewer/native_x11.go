//go:build linux && !wayland

package main

import "halfstep/renderloop/presenttimes"

// presentTimes opens the source of the window's present times.
func (w *window) presentTimes() (presenttimes.Source, error) {
	return presenttimes.OpenX11(uint32(w.GetX11Window()))
}
