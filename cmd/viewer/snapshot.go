package main

import (
	"maps"
	"strconv"
)

// viewerSnapshot is the number under which an engine keeps the snapshot of the key F5. Those for undo
// follow it.
const viewerSnapshot = 1

// savedControls are the values of controls that act on the world, as of a snapshot.
type savedControls struct {
	params  map[string]float64 // the scene's
	gravity float64            // m/s², upwards
	world   worldSettings
}

// takeSnapshot keeps the present world, for restoreSnapshot.
func (s *session) takeSnapshot() {
	switch {
	case s.refusesChange():
		return
	case s.settings.loop != "":
		s.say("only the engine's own loop takes snapshots")
		return
	}
	s.letGo() // or the snapshot would have the joint by which the user drags a body
	s.engines(func(e *player) { e.KeepSnapshot(viewerSnapshot) })
	saved := s.controls()
	s.saved = &saved
	s.say("snapshot at tick " + strconv.FormatUint(s.view.Tick, 10))
}

// restoreSnapshot restores the world of the last snapshot.
func (s *session) restoreSnapshot() {
	switch {
	case s.refusesChange():
		return
	case s.saved == nil:
		s.say("there is no snapshot of this run")
		return
	}
	s.letGo()
	s.beginChange("restore") // undo takes it back
	s.engines(func(e *player) { e.RestoreSnapshot(viewerSnapshot) })
	s.restoreControls(s.saved)
	s.say("back at the snapshot")
}

// controls returns the values of the controls that act on the world.
func (s *session) controls() savedControls {
	return savedControls{maps.Clone(s.params[s.scenes[s.current].Name]), s.gravity(), s.settings.world}
}

// restoreControls sets the controls to their values at a snapshot. The world needs no commands for
// that: the snapshot has restored what they act on.
func (s *session) restoreControls(saved *savedControls) {
	if name := s.scenes[s.current].Name; s.params[name] != nil {
		s.params[name] = maps.Clone(saved.params)
	}
	if s.drives { // tell the restored scene which keys are held now
		s.steer(s.arrows)
	}
	s.keepGravity(saved.gravity)
	s.settings.world = saved.world
	s.world = saved.world.applied(s.given)
}
