package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"halfstep/buffer/phase"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/engine"
)

// watchdog reports long steps, and interrupts steps when the run must end. It has a goroutine of
// its own, because a long step may block the render thread.
type watchdog struct {
	out io.Writer

	mu      sync.Mutex
	engines []*play.Player
	alarm   alarm

	stopped, done chan struct{}
}

// startWatchdog starts a watchdog that writes its reports to out.
func startWatchdog(out io.Writer) *watchdog {
	d := newWatchdog(out)
	go d.run()
	return d
}

func newWatchdog(out io.Writer) *watchdog {
	return &watchdog{
		out: out, alarm: alarm{patience: play.Patience},
		stopped: make(chan struct{}), done: make(chan struct{}),
	}
}

// stop ends the goroutine. On a nil watchdog it does nothing.
func (d *watchdog) stop() {
	if d != nil {
		close(d.stopped)
		<-d.done
	}
}

// watch adds an engine to the engines that are checked, and forget removes an engine. On a nil watchdog
// both do nothing.
func (d *watchdog) watch(e *play.Player) {
	if d != nil {
		d.mu.Lock()
		d.engines = append(d.engines, e)
		d.mu.Unlock()
	}
}

func (d *watchdog) forget(e *play.Player) {
	if d != nil {
		d.mu.Lock()
		d.engines = slices.DeleteFunc(d.engines, func(o *play.Player) bool { return o == e })
		d.mu.Unlock()
	}
}

// checkEvery is the time between two checks.
const checkEvery = 250 * time.Millisecond

// run checks all engines at intervals of checkEvery, until stop ends it.
func (d *watchdog) run() {
	defer close(d.done)
	t := time.NewTicker(checkEvery)
	defer t.Stop()
	for {
		select {
		case now := <-t.C:
			d.check(now)
		case <-d.stopped:
			return
		}
	}
}

func (d *watchdog) watched() []*play.Player {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.engines)
}

func (d *watchdog) check(now time.Time) {
	for _, e := range d.watched() {
		if b := e.Busy(phase.Physics); d.alarm.due(b.For, now) {
			fmt.Fprintf(d.out, "viewer: %s\n", b)
		}
	}
}

// interrupt interrupts the steps of all engines whose steps can be interrupted. Unlike CloseWithin, it
// does not wait until they end.
func (d *watchdog) interrupt() {
	for _, e := range d.watched() {
		go e.CloseWithin(0)
	}
}

// inStep reports whether an engine is in a step. It also returns true while a scene is being set up and
// has no engine yet.
func (d *watchdog) inStep() bool {
	all := d.watched()
	return len(all) == 0 || slices.ContainsFunc(all, func(e *play.Player) bool { return e.Busy(phase.Physics).For > 0 })
}

// alarm says when a long step is reported. The intervals double, so that an hour of slow steps
// gives about ten lines.
type alarm struct {
	patience time.Duration
	gap      time.Duration
	next     time.Time
}

// due reports whether a step of that duration must be reported now.
func (a *alarm) due(lasted time.Duration, now time.Time) bool {
	if lasted < a.patience || now.Before(a.next) {
		return false
	}
	a.gap = max(a.patience, 2*a.gap)
	a.next = now.Add(a.gap)
	return true
}

// dumpAll writes the black boxes of all engines. The parameter why is the reason, which is a part of the
// file name. Any goroutine may call it.
func (d *watchdog) dumpAll(why string, stdout, stderr io.Writer) {
	for _, p := range d.watched() {
		if p.Engine == nil {
			continue
		}
		path, err := p.Engine.History().DumpBlackBox(why)
		switch {
		case errors.Is(err, engine.ErrNoBlackBox):
		case err != nil:
			words.Complain(stderr, err)
		default:
			fmt.Fprintf(stdout, "black box %s\n", words.Printable(path))
		}
	}
}
