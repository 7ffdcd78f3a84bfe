package main

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"halfstep/engine"
)

const (
	// patience is how long a step may last before it is told of.
	patience = 3 * time.Second
	// closeTime is how long steps may go on once the user wants to quit.
	closeTime = 3 * time.Second
	// lookEvery is how often the watchdog looks.
	lookEvery = 250 * time.Millisecond
)

// watchdog tells the console of steps that last, and ends them when the run is
// to end. It has a goroutine of its own, since the render thread may wait for
// the very step that does not end.
type watchdog struct {
	out io.Writer

	mu      sync.Mutex
	engines []*engine.Engine
	alarm   alarm

	stopped, done chan struct{}
}

func startWatchdog(out io.Writer) *watchdog {
	d := newWatchdog(out)
	go d.run()
	return d
}

func newWatchdog(out io.Writer) *watchdog {
	return &watchdog{
		out: out, alarm: alarm{patience: patience},
		stopped: make(chan struct{}), done: make(chan struct{}),
	}
}

// stop ends the goroutine; nil does nothing.
func (d *watchdog) stop() {
	if d != nil {
		close(d.stopped)
		<-d.done
	}
}

func (d *watchdog) watch(e *engine.Engine) {
	if d != nil {
		d.mu.Lock()
		d.engines = append(d.engines, e)
		d.mu.Unlock()
	}
}

func (d *watchdog) forget(e *engine.Engine) {
	if d != nil {
		d.mu.Lock()
		d.engines = slices.DeleteFunc(d.engines, func(o *engine.Engine) bool { return o == e })
		d.mu.Unlock()
	}
}

func (d *watchdog) run() {
	defer close(d.done)
	t := time.NewTicker(lookEvery)
	defer t.Stop()
	for {
		select {
		case now := <-t.C:
			d.look(now)
		case <-d.stopped:
			return
		}
	}
}

func (d *watchdog) look(now time.Time) {
	d.mu.Lock()
	engines := slices.Clone(d.engines)
	d.mu.Unlock()
	for _, e := range engines {
		if b := e.Busy(); d.alarm.due(b.For, now) {
			fmt.Fprintf(d.out, "viewer: %s\n", b)
		}
	}
}

// interrupt ends the steps that the engines are in, where that can be done. It
// waits a second for it.
func (d *watchdog) interrupt() {
	d.mu.Lock()
	engines := slices.Clone(d.engines)
	d.mu.Unlock()
	for _, e := range engines {
		e.CloseWithin(0)
	}
}

// alarm says when to tell of a long step: at longer and longer intervals, so
// that an hour of slow steps makes ten lines.
type alarm struct {
	patience time.Duration
	gap      time.Duration
	next     time.Time
}

func (a *alarm) due(lasted time.Duration, now time.Time) bool {
	if lasted < a.patience || now.Before(a.next) {
		return false
	}
	a.gap = max(a.patience, 2*a.gap)
	a.next = now.Add(a.gap)
	return true
}
