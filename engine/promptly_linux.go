package engine

import "golang.org/x/sys/unix"

// promptSlice is the time slice asked for, in nanoseconds; the kernel's default
// is about 3 ms.
const promptSlice = 100_000

// WakePromptly asks the system to let the calling thread run as soon as it
// wakes, also where another thread keeps the processor busy that it woke on:
// call it on the thread that draws, locked to it (runtime.LockOSThread).
//
// On Linux from 6.12 on it gives the thread a short time slice, which needs no
// privilege and takes nothing from its priority. Without it a frame beside a
// long step is now and then late by the slice that the step's thread has left,
// 3 ms. Elsewhere it does nothing. It reports whether the system agreed.
func WakePromptly() bool {
	attr, err := unix.SchedGetAttr(0, 0)
	if err != nil || attr.Policy != unix.SCHED_NORMAL {
		return false
	}
	attr.Runtime = promptSlice
	return unix.SchedSetAttr(0, attr, 0) == nil
}
