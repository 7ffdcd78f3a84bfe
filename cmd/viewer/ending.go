package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/engine"
	"halfstep/world"
)

// When a run is asked to end, it waits for physics for the time QuitTime, and then interrupts the
// step. If physics is still in a step at the time abandonAfter after the request, the run ends without
// physics. At the time slowAfter it ends in any case. The second time is longer because writing a
// recording may take long.
const (
	abandonAfter = 2 * play.QuitTime
	slowAfter    = play.CloseTime + 2*time.Second
)

// abandonWhenStuck waits until the run is asked to end. If physics then blocks the render thread
// for too long, it writes the files that do not need physics, and calls exit. It returns when over
// is closed, because then the run has ended normally.
func (v *viewer) abandonWhenStuck(over <-chan struct{}, exit func(error)) {
	select {
	case <-v.queue.Quitting:
	case <-over:
		return
	}
	asked := time.Now()
	for wait := play.QuitTime; ; wait = 50 * time.Millisecond {
		select {
		case <-over:
			return
		case <-time.After(wait):
		}
		v.watchdog.interrupt()
		limit := slowAfter
		if v.watchdog.inStep() {
			limit = abandonAfter
		}
		// Take the session's state away from the render thread, which then stays blocked.
		if time.Since(asked) >= limit && v.Stage.Owner.TakeOver() {
			exit(v.abandon())
			return
		}
	}
}

// abandon writes the files that do not need physics, in place of the render thread. The recording
// is complete up to the last step, except for data that the file system has not written yet. The
// summary says that physics was busy. This is no error, because the user has asked for the end.
func (v *viewer) abandon() error {
	what := fmt.Sprintf("physics is still busy after tick %d", v.Stage.Done.Load())
	if v.Stage.Player == nil {
		what = "the scene is still being set up"
	}
	why := fmt.Errorf("%s; the viewer ends without waiting for it", what)
	words.Complain(v.Stage.Stderr, why)
	s := &v.stats
	s.Failure = why.Error()
	s.Scene, s.Ticks = v.Stage.Scenes[v.Stage.Current].Name, v.Stage.Done.Load()
	s.Sync, s.Smoothing = v.Stage.Settings.Sync.String(), v.Stage.Settings.Smoothing.String()
	s.Loop = v.Stage.Settings.Loop
	if v.Stage.Player != nil { // any goroutine may call Metrics
		f := v.Stage.Player.Metrics()
		s.Bodies, s.Contacts, s.HeldFrames, s.Dropped = f.Bodies, f.Contacts, f.HeldFrames, f.Dropped
		s.Drawn(&v.picture.Figures)
	}
	v.queue.Begun.Store(true) // a run that never began also writes its files
	return v.write()
}

// withoutQuit returns an error, or nil if the error says only that a step was given up because the
// user has quit. The summary reports such a step, but the run has not failed.
func (v *viewer) withoutQuit(err error) error {
	switch {
	case !v.queue.Asked():
		return err
	case errors.Is(err, world.ErrInterrupted):
		err = fmt.Errorf("the step after tick %d was given up, because the run was to end", v.Stage.Done.Load())
	case !errors.Is(err, engine.ErrStuck):
		return err
	}
	words.Complain(v.Stage.Stderr, err)
	return nil
}

// quitOnSignal makes a signal end the run in the same way as closing the window, so that the files
// are written. A second signal ends the process.
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
