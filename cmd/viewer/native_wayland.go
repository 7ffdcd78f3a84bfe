//go:build linux && wayland

package main

import (
	"unsafe"

	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/renderloop/presenttimes"
)

// presentTimes opens the source of the window's present times.
func (w *window) presentTimes() (presenttimes.Source, error) {
	return presenttimes.OpenWayland(uintptr(unsafe.Pointer(glfw.GetWaylandDisplay())), uintptr(unsafe.Pointer(w.GetWaylandWindow())))
}
