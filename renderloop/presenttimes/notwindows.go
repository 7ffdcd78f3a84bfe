//go:build !windows

package presenttimes

// OpenWindows returns ErrNone: this system has no DWM.
func OpenWindows() (Source, error) { return nil, ErrNone }
