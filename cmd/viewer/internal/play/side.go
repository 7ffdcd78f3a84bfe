package play

import (
	"halfstep/world"
)

// Side is a half of the picture, or the undivided picture. It has the player
// that runs the scene, and the data that are drawn.
type Side struct {
	Player   *Player
	View     *View         // View has the states that this frame shows.
	Settings Settings      // Settings are the settings with which the engine runs.
	Drag     Drag          // Drag is the body that the mouse holds.
	Events   []world.Event // this frame's
}

// takeEvents takes the events up to the state of this frame.
func (s *Side) takeEvents() {
	s.Events = s.Player.events(s.Events[:0])
	for i := range s.Events {
		if ev := &s.Events[i]; ev.Kind == world.BodyRemoved {
			s.Drag.forget(ev.A)
		}
	}
}

// applySettings sends the player the settings that do not need a restart.
func (s *Side) applySettings() {
	s.Player.SetSmoothing(s.Settings.Smoothing)
	if e := s.Player.Engine; e != nil { // a loop of the articles has no sync mode and no pacing
		e.SetSync(s.Settings.Sync)
		e.SetPacing(s.Settings.Pacing)
	}
}
