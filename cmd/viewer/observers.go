package main

import (
	"sync/atomic"

	"halfstep/cmd/viewer/internal/play"
	"halfstep/engine/hitch"
	"halfstep/engine/profile"
)

// observers watch every engine while it runs: the watchdog, -hitch and -pprof.
// Each may be nil.
type observers struct {
	watchdog *watchdog
	hitches  *hitch.Recorder
	newest   *atomic.Pointer[hitch.Report] // the newest hitch that the picture has not shown yet
	profiles *profile.Handler
}

// watch lets -hitch and -pprof observe a player.
func (o *observers) watch(p *play.Player) {
	if o.hitches != nil {
		o.hitches.Watch(p.Tracer)
	}
	if o.profiles != nil {
		o.profiles.Add(p.Tracer)
	}
}

// unwatch undoes watch, except for the watchdog, which observes a player until the player is closed.
func (o *observers) unwatch(p *play.Player) {
	if o.hitches != nil {
		o.hitches.Forget(p.Tracer)
	}
	if o.profiles != nil {
		o.profiles.Remove(p.Tracer)
	}
}
