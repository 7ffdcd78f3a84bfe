package engine

import "syscall"

// WakePromptly asks the operating system to run the calling thread as soon as it
// wakes, even if another thread keeps its processor busy. Call it on the thread
// that draws, after runtime.LockOSThread. It reports whether the system agreed.
//
// WakePromptly raises the priority of the thread by one, because Go's runtime turns off the boost
// of Windows for threads that wake.
func WakePromptly() bool {
	const thisThread, aboveNormal = ^uintptr(1), 1 // a pseudo handle, and a priority
	ok, _, _ := syscall.NewLazyDLL("kernel32.dll").NewProc("SetThreadPriority").Call(thisThread, aboveNormal)
	return ok != 0
}
