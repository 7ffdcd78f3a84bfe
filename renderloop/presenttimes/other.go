//go:build !linux || !(amd64 || arm64)

package presenttimes

// OpenWayland returns ErrNone: this system has no Wayland, or this processor is not
// supported.
func OpenWayland(display, surface uintptr) (Source, error) { return nil, ErrNone }

// OpenX11 returns ErrNone: this system has no X11, or this processor is not supported.
func OpenX11(window uint32) (Source, error) { return nil, ErrNone }
