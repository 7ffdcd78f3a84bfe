package main

import (
	"maps"
	"strconv"
)

// viewerSnapshot is the number of the snapshot that the user takes.
const viewerSnapshot = 1

// savedControls are the controls whose values lie in the world, as of the snapshot.
type savedControls struct {
	params  map[string]float64 // the scene's
	gravity float64            // m/s², upwards
	world   worldSettings
}

// takeSnapshot keeps the world as it is, for restoreSnapshot.
func (s *session) takeSnapshot() {
	switch {
	case s.refusesChange():
		return
	case s.settings.loop != "":
		s.say("only the engine's own loop takes snapshots")
		return
	}
	s.letGo() // or the restore would bring back the joint of a drag
	s.engines(func(e *player) { e.KeepSnapshot(viewerSnapshot) })
	saved := s.controls()
	s.saved = &saved
	s.say("snapshot at tick " + strconv.FormatUint(s.view.Tick, 10))
}

// restoreSnapshot puts the world back to what it was then.
func (s *session) restoreSnapshot() {
	switch {
	case s.refusesChange():
		return
	case s.saved == nil:
		s.say("there is no snapshot of this run")
		return
	}
	s.letGo()
	s.beginChange("restore")
	s.engines(func(e *player) { e.RestoreSnapshot(viewerSnapshot) })
	s.restoreControls(s.saved)
	s.say("back at the snapshot")
}

// controls are the values of the controls that a snapshot brings back.
func (s *session) controls() savedControls {
	return savedControls{maps.Clone(s.params[s.scenes[s.current].Name]), s.gravity(), s.settings.world}
}

// restoreControls puts the controls back to what they were at a snapshot, which has itself what
// they act on.
func (s *session) restoreControls(saved *savedControls) {
	s.handled = true
	if name := s.scenes[s.current].Name; s.params[name] != nil {
		s.params[name] = maps.Clone(saved.params)
	}
	if s.drives { // by the keys that are held now
		s.steer(s.arrows)
	}
	s.keepGravity(saved.gravity)
	s.settings.world = saved.world
	s.world = saved.world.applied(s.given)
}
