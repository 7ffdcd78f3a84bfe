//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// dumpOnQuit calls dump when a QUIT signal comes. The signal then ends the process
// as usual, with the stacks of all goroutines.
func dumpOnQuit(dump func()) (stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGQUIT)
	go func() {
		if _, ok := <-c; !ok {
			return
		}
		dump()
		signal.Reset(syscall.SIGQUIT)
		syscall.Kill(os.Getpid(), syscall.SIGQUIT)
	}()
	return func() {
		signal.Stop(c)
		close(c)
	}
}
