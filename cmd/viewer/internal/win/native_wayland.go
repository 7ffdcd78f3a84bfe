//go:build linux && wayland

package win

import (
	"unsafe"

	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/renderloop/presenttimes"
)

// PresentTimes opens the source of the window's present times.
func (w *Window) PresentTimes() (presenttimes.Source, error) {
	return presenttimes.OpenWayland(uintptr(unsafe.Pointer(glfw.GetWaylandDisplay())), uintptr(unsafe.Pointer(w.GetWaylandWindow())))
}
