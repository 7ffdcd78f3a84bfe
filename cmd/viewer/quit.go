package main

import (
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// A run that was asked to end waits closeTime for physics, then interrupts the
// step, and after abandonAfter goes on without it.
const abandonAfter = closeTime + 2*time.Second

// quitOnSignal ends the run as closing the window does, so that what it was to
// write is written. A second signal ends the process.
func quitOnSignal(q *queue) (stop func()) {
	c := make(chan os.Signal, 2)
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup wants it
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

// baton says who may go on with what the render thread owns: that thread itself,
// or, where physics holds it up while the run is to end, whoever ends the run in
// its place.
type baton struct{ state atomic.Int32 }

const (
	drawing int32 = iota
	waiting       // within a call that physics can hold up
	taken
	written // the run has ended, and its files are written
)

// wait is called before what physics can hold up.
func (b *baton) wait() { b.state.CompareAndSwap(drawing, waiting) }

// resume is called after it. Where another took over meanwhile it does not
// return: the process is about to end.
func (b *baton) resume() {
	if !b.state.CompareAndSwap(waiting, drawing) && b.state.Load() == taken {
		select {}
	}
}

// keep is called by the render thread before it writes the files: nobody else
// shall write them again.
func (b *baton) keep() { b.state.Store(written) }

// take takes over from a render thread that is held up.
func (b *baton) take() bool { return b.state.CompareAndSwap(waiting, taken) }

// abandonWhenStuck waits until the run was asked to end and then for physics,
// but not for ever: it writes what can be written without it and calls exit. It
// returns when over is closed.
func (v *viewer) abandonWhenStuck(over <-chan struct{}, exit func(error)) {
	select {
	case <-v.queue.quitting:
	case <-over:
		return
	}
	asked := time.Now()
	for wait := closeTime; ; wait = abandonAfter / 50 {
		select {
		case <-over:
			return
		case <-time.After(wait):
		}
		v.dog.interrupt()
		if time.Since(asked) > abandonAfter && v.baton.take() {
			exit(v.abandon())
			return
		}
	}
}

// abandon writes what does not need physics, in place of the render thread. The
// recording is whole up to the last step but for what the file system holds.
func (v *viewer) abandon() error {
	what := fmt.Sprintf("physics is still at work after tick %d", v.done.Load())
	if v.engine == nil {
		what = "the scene is still being set up"
	}
	err := fmt.Errorf("%s, %v after the run was to end; it ends without it", what, abandonAfter)
	s := &v.stats
	s.Failure = err.Error()
	s.Scene, s.Ticks = v.scenes[v.current].name, v.done.Load()
	s.Sync, s.Smoothing = v.settings.sync.String(), v.settings.smoothing.String()
	s.Loop = v.settings.loop
	if v.engine != nil { // what any goroutine may ask
		m := v.engine.Metrics()
		s.Bodies, s.Contacts, s.HeldFrames, s.Dropped = m.Bodies, m.Contacts, m.HeldFrames, m.Dropped
		s.frames(v.recorder)
	}
	v.write() // the first error is the one that is told
	return err
}
