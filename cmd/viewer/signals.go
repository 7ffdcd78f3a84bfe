package main

import (
	"os"
	"os/signal"
	"syscall"
)

// quitOnSignal makes a signal end the run in the same way as closing the window
// does, so that the files are written. A second signal ends the process.
func quitOnSignal(q *queue) (stop func()) {
	c := make(chan os.Signal, 2)
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		signals = append(signals, syscall.SIGHUP)
	}
	signal.Notify(c, signals...)
	go func() {
		if _, ok := <-c; !ok {
			return
		}
		q.put(inputEvent{kind: quitInput})
		if s, ok := <-c; ok {
			os.Exit(exitSignal + int(s.(syscall.Signal)))
		}
	}()
	return func() {
		signal.Stop(c)
		close(c)
	}
}
