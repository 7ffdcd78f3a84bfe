//go:build !linux

package engine

// WakePromptly does nothing on this system; see its documentation on Linux.
func WakePromptly() bool { return false }
