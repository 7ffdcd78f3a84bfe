package main

import (
	"sync/atomic"

	"halfstep/engine/hitch"
	"halfstep/engine/profile"
	"halfstep/engine/spans"
)

// observers are what looks at every engine while it runs: the watchdog, -hitch, -pprof and
// -perfetto. Each may be nil.
type observers struct {
	watchdog *watchdog
	hitches  *hitch.Recorder
	newest   *atomic.Pointer[hitch.Report] // hitch that nobody has been told of
	spans    *spans.Recording
	profiles *profile.Handler
}

// watch makes a player known to all of them.
func (o *observers) watch(p *player) {
	o.watchdog.watch(p)
	if o.hitches != nil {
		o.hitches.Watch(p.tracer)
	}
	if o.profiles != nil {
		o.profiles.Add(p.tracer)
	}
	o.spans.Watch(p.tracer)
}

// unwatch ends what watch began, but for the watchdog, which goes on until the engine is
// closed.
func (o *observers) unwatch(p *player) {
	if o.hitches != nil {
		o.hitches.Forget(p.tracer)
	}
	if o.profiles != nil {
		o.profiles.Remove(p.tracer)
	}
	o.spans.Forget(p.tracer)
}
