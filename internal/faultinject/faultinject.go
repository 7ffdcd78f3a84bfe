// Package faultinject causes the faults that package fault describes.
package faultinject

import (
	"runtime"
	"slices"
	"sync"
	"time"

	"halfstep/engine/fault"
	"halfstep/internal/monotime"
)

// Injector causes faults. A nil Injector causes no fault.
type Injector struct {
	list      []fault.Fault
	simulated bool // simulated says that the time of the run is simulated, so that delays take no real time.

	// Only the render thread may use the fields frame and remaining.
	frame     uint64        // the number of the next frame
	remaining time.Duration // remaining is the remaining delay of the present frame.

	mu   sync.Mutex
	done []fault.Injected // what has happened
}

// New returns an injector for a list of faults, or nil if the list is empty. The parameter
// simulated says that the time of the run is simulated.
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

// delay returns the sum of the delays that faults of one kind cause at a tick or frame.
func (f *Injector) delay(what fault.Kind, at uint64) (d time.Duration) {
	for i := range f.list {
		if f.list[i].Kind == what && f.list[i].At == at {
			d += f.list[i].Delay
		}
	}
	return d
}

// note adds the faults of one kind at a tick or frame to the list done.
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

// Step delays the step to a tick. Call it on the physics goroutine.
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

// injectedWork keeps a processor busy. Its name tells a reader of a profile where the load
// comes from.
func injectedWork(d time.Duration) {
	for start := monotime.Now(); monotime.Since(start) < d; {
	}
}

// Cost returns the function cost, with the simulated delays of steps added.
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

// Begin begins the next frame, and returns the simulated delay of the frame before.
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

// Late sleeps for the remaining delay of the frame, unless time is simulated.
func (f *Injector) Late() {
	if f != nil && f.remaining > 0 && !f.simulated {
		time.Sleep(f.remaining)
		f.remaining = 0
	}
}

// Done returns the faults that have happened, oldest first. Any goroutine may call it.
func (f *Injector) Done() []fault.Injected {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.done)
}
