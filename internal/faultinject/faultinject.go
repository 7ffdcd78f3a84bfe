// Package faultinject causes the faults of package fault.
package faultinject

import (
	"runtime"
	"slices"
	"sync"
	"time"

	"halfstep/engine/fault"
	"halfstep/internal/monotime"
)

// Injector causes faults. A nil one causes none.
type Injector struct {
	list      []fault.Fault
	simulated bool // time is simulated, so delays do not take real time

	// These two belong to the render thread.
	frame     uint64        // the number of the next frame
	remaining time.Duration // the remaining delay of the present frame

	mu   sync.Mutex
	done []fault.Injected // what has happened
}

// New returns an injector of the faults, or nil if there are none. simulated says that time is
// simulated.
func New(list []fault.Fault, simulated bool) (*Injector, error) {
	if len(list) == 0 {
		return nil, nil
	}
	for _, i := range list {
		if err := i.Validate(); err != nil {
			return nil, err
		}
	}
	return &Injector{list: slices.Clone(list), simulated: simulated}, nil
}

// delay returns the delay of a tick or frame by faults of a kind.
func (f *Injector) delay(what fault.Kind, at uint64) (d time.Duration) {
	for i := range f.list {
		if f.list[i].Kind == what && f.list[i].At == at {
			d += f.list[i].Delay
		}
	}
	return d
}

// note adds the faults of a kind at a tick or frame to done.
func (f *Injector) note(what fault.Kind, at uint64) {
	now := monotime.Now()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, i := range f.list {
		if i.Kind == what && i.At == at {
			f.done = append(f.done, fault.Injected{Fault: i, Began: now})
		}
	}
}

// Step makes the step to a tick late, on the physics goroutine.
func (f *Injector) Step(tick uint64) {
	if f == nil {
		return
	}
	d := f.delay(fault.LateStep, tick)
	if d == 0 {
		return
	}
	f.note(fault.LateStep, tick)
	if !f.simulated {
		injectedWork(d)
	}
}

// injectedWork keeps a processor busy. It has a name that is clear in a
// profile.
func injectedWork(d time.Duration) {
	for start := monotime.Now(); monotime.Since(start) < d; {
	}
}

// Cost adds simulated delays to the simulated cost of a step.
func (f *Injector) Cost(cost func(tick uint64) time.Duration) func(tick uint64) time.Duration {
	if f == nil || !slices.ContainsFunc(f.list, func(i fault.Fault) bool { return i.Kind == fault.LateStep }) {
		return cost
	}
	return func(tick uint64) (d time.Duration) {
		if cost != nil {
			d = cost(tick)
		}
		return d + f.delay(fault.LateStep, tick)
	}
}

// Begin begins the next frame and returns the simulated delay of the frame before.
func (f *Injector) Begin() (simulated time.Duration) {
	if f == nil {
		return 0
	}
	if f.simulated {
		simulated, f.remaining = f.remaining, 0
	}
	f.Late()
	n := f.frame
	f.frame++
	if f.remaining = f.delay(fault.LateFrame, n); f.remaining > 0 {
		f.note(fault.LateFrame, n)
	}
	if slices.ContainsFunc(f.list, func(i fault.Fault) bool { return i.Kind == fault.ForcedGC && i.At == n }) {
		f.note(fault.ForcedGC, n)
		go runtime.GC()
	}
	return simulated
}

// Late sleeps for the remaining delay, unless time is simulated.
func (f *Injector) Late() {
	if f != nil && f.remaining > 0 && !f.simulated {
		time.Sleep(f.remaining)
		f.remaining = 0
	}
}

// Done returns the faults that have happened, oldest first. Any goroutine.
func (f *Injector) Done() []fault.Injected {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.done)
}
