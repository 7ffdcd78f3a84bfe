//go:build linux && wayland

package seen

import (
	"unsafe"

	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/renderloop/presenttimes"
)

func ask(w *glfw.Window) (presenttimes.Source, error) {
	return presenttimes.OpenWayland(uintptr(unsafe.Pointer(glfw.GetWaylandDisplay())), uintptr(unsafe.Pointer(w.GetWaylandWindow())))
}
