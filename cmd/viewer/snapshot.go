package main

import (
	"maps"
	"strconv"
)

// viewerSnapshot is the number of the snapshot that the user takes.
const viewerSnapshot = 1

// savedControls are the controls whose values lie in the world, as of the snapshot.
type savedControls struct {
	params  map[string]float64 // of the scene
	gravity float64            // m/s², upwards
	world   worldSettings
}

// takeSnapshot keeps the world as it is, for restoreSnapshot.
func (v *viewer) takeSnapshot() {
	if v.tape() != nil || v.settings.loop != "" {
		v.say("only the engine's own loop takes snapshots, and not in a replay")
		return
	}
	v.engines(func(e *player) { e.Snapshot(viewerSnapshot) })
	v.saved = &savedControls{maps.Clone(v.params[v.scenes[v.current].name]), v.gravity(), v.settings.world}
	v.say("snapshot at tick " + strconv.FormatUint(v.view.Tick, 10))
}

// restoreSnapshot puts the world back to what it was then.
func (v *viewer) restoreSnapshot() {
	switch {
	case v.past != nil:
		v.say("the past stays as it was; leave it first (End)")
		return
	case v.saved == nil:
		v.say("there is no snapshot of this run")
		return
	}
	v.letGo()
	v.engines(func(e *player) { e.Restore(viewerSnapshot) })
	s := v.saved
	if name := v.scenes[v.current].name; v.params[name] != nil {
		v.params[name] = maps.Clone(s.params)
	}
	v.keepGravity(s.gravity)
	v.settings.world = s.world
	v.world = s.world.applied(v.given)
	v.say("back at the snapshot")
}
