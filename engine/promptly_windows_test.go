package engine

import (
	"runtime"
	"syscall"
	"testing"
)

func TestWakePromptlyRaisesThePriorityOfItsThread(t *testing.T) {
	done := make(chan bool)
	go func() {
		defer close(done)
		runtime.LockOSThread() // the thread then ends with the goroutine
		if !WakePromptly() {
			t.Error("refused")
		}
		get := syscall.NewLazyDLL("kernel32.dll").NewProc("GetThreadPriority")
		if p, _, _ := get.Call(^uintptr(1)); p != 1 {
			t.Errorf("priority %d", int32(p))
		}
	}()
	<-done
}
