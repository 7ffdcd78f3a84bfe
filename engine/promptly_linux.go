package engine

import "golang.org/x/sys/unix"

// promptSlice is the time slice that WakePromptly sets, in ns. The default of the kernel is about 3
// ms.
const promptSlice = 100_000

// WakePromptly asks the operating system to run the calling thread as soon as it
// wakes, even if another thread keeps its processor busy. Call it on the thread
// that draws, after runtime.LockOSThread. It reports whether the system agreed.
//
// On Linux 6.12 and later WakePromptly gives the thread a short time slice. That needs no privilege
// and does not lower the thread's priority. Without it a thread that wakes during a long step
// sometimes waits about 3 ms, until the time slice of the physics thread is over. On Windows
// WakePromptly raises the thread's priority by one. On other systems it does nothing.
func WakePromptly() bool {
	attr, err := unix.SchedGetAttr(0, 0)
	if err != nil || attr.Policy != unix.SCHED_NORMAL {
		return false
	}
	attr.Runtime = promptSlice
	return unix.SchedSetAttr(0, attr, 0) == nil
}
