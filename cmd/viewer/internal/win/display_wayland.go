//go:build wayland

package win

// #cgo LDFLAGS: -lwayland-client -ldl
import "C" // for client_wayland.c

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// checkDisplay returns an error if there is no display. GLFW would detect this
// only later. It looks for the compositor's socket in the same places as
// libwayland.
func checkDisplay() error {
	switch runtime.GOOS {
	case "windows", "darwin":
		return nil
	}
	socket := os.Getenv("WAYLAND_DISPLAY")
	if os.Getenv("WAYLAND_SOCKET") != "" || filepath.IsAbs(socket) {
		return nil
	}
	if socket == "" {
		socket = "wayland-0"
	}
	if _, err := os.Stat(filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), socket)); err == nil {
		return nil
	}
	return errors.New("no display: this build needs a Wayland compositor (WAYLAND_DISPLAY); without one, build it without -tags wayland and run: xvfb-run -a viewer -hidden ...")
}
