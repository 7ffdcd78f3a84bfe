package main

import (
	"errors"
	"os"
	"runtime"
)

// checkDisplay reports that there is nothing to open a window on. GLFW itself
// says so only by failing later.
func checkDisplay() error {
	switch runtime.GOOS {
	case "windows", "darwin":
		return nil
	}
	if os.Getenv("DISPLAY") != "" {
		return nil
	}
	if os.Getenv("WAYLAND_DISPLAY") != "" {
		return errors.New("no display: DISPLAY is not set, and this build needs X11 (XWayland); without one, run: xvfb-run -a viewer -hidden ...")
	}
	return errors.New("no display: DISPLAY is not set; without one, run: xvfb-run -a viewer -hidden ...")
}
