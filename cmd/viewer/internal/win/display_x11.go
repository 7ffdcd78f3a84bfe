//go:build !wayland

package win

import (
	"errors"
	"os"
	"runtime"
)

// CheckDisplay returns an error if there is no display. GLFW would detect this
// only later.
func CheckDisplay() error {
	switch runtime.GOOS {
	case "windows", "darwin":
		return nil
	}
	if os.Getenv("DISPLAY") != "" {
		return nil
	}
	if os.Getenv("WAYLAND_DISPLAY") != "" {
		return errors.New("no display: DISPLAY is not set, and this build needs X11 (XWayland), not one with -tags wayland; without one, run: xvfb-run -a viewer -hidden ...")
	}
	return errors.New("no display: DISPLAY is not set; without one, run: xvfb-run -a viewer -hidden ...")
}
