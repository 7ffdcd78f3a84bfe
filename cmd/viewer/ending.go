package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
)

// A run that is asked to end waits CloseTime for physics, and then interrupts the
// step. abandonAfter the request it ends without physics.
const abandonAfter = play.CloseTime + 2*time.Second

// abandonWhenStuck waits until the run is asked to end. If physics then blocks
// the render thread for too long, it writes what can be written without physics
// and calls exit. It returns when over is closed: the run has ended by itself.
func (v *viewer) abandonWhenStuck(over <-chan struct{}, exit func(error)) {
	select {
	case <-v.queue.Quitting:
	case <-over:
		return
	}
	asked := time.Now()
	for wait := play.CloseTime; ; wait = abandonAfter / 50 {
		select {
		case <-over:
			return
		case <-time.After(wait):
		}
		v.watchdog.interrupt()
		if time.Since(asked) > abandonAfter && v.Stage.Owner.TakeOver() {
			exit(v.abandon())
			return
		}
	}
}

// abandon writes what does not need physics, in place of the render thread. The
// recording is complete up to the last step, except for what the file system has
// not written yet.
func (v *viewer) abandon() error {
	what := fmt.Sprintf("physics is still busy after tick %d", v.Stage.Done.Load())
	if v.Stage.Player == nil {
		what = "the scene is still being set up"
	}
	err := fmt.Errorf("%s, %v after the run was asked to end; the viewer exits without waiting for it", what, abandonAfter)
	s := &v.stats
	s.Failure = err.Error()
	s.Scene, s.Ticks = v.Stage.Scenes[v.Stage.Current].Name, v.Stage.Done.Load()
	s.Sync, s.Smoothing = v.Stage.Settings.Sync.String(), v.Stage.Settings.Smoothing.String()
	s.Loop = v.Stage.Settings.Loop
	if v.Stage.Player != nil { // Metrics may be called from any goroutine
		f := v.Stage.Player.Metrics()
		s.Bodies, s.Contacts, s.HeldFrames, s.Dropped = f.Bodies, f.Contacts, f.HeldFrames, f.Dropped
		s.Drawn(&v.picture.Figures)
	}
	v.queue.Begun.Store(true)
	v.write() // its error is less important than err
	return err
}

// quitOnSignal makes a signal end the run in the same way as closing the window
// does, so that the files are written. A second signal ends the process.
func quitOnSignal(q *input.Queue) (stop func()) {
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
		q.Put(input.Event{Kind: input.QuitInput})
		if s, ok := <-c; ok {
			os.Exit(exitSignal + int(s.(syscall.Signal)))
		}
	}()
	return func() {
		signal.Stop(c)
		close(c)
	}
}
