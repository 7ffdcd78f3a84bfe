//go:build !linux && !windows

package engine

// WakePromptly does nothing on this system and returns false. On Linux and
// Windows it asks the operating system to run the calling thread as soon as it
// wakes.
func WakePromptly() bool { return false }
