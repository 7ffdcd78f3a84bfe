//go:build linux && !wayland

package seen

import (
	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/renderloop/presenttimes"
)

func ask(w *glfw.Window) (presenttimes.Source, error) {
	return presenttimes.OpenX11(uint32(w.GetX11Window()))
}
