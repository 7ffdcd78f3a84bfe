package main

import (
	"halfstep/world"
)

// side is a half of the picture, or all of it: a player, which runs the scene, and what is drawn of it.
type side struct {
	player   *player
	view     *view         // the states that this frame shows
	settings settings      // the engine runs with these
	drag     drag          // the body that the mouse holds
	events   []world.Event // this frame's
}

// takeEvents takes the events up to what this frame shows.
func (s *side) takeEvents() {
	s.events = s.player.events(s.events[:0])
	for i := range s.events {
		if ev := &s.events[i]; ev.Kind == world.BodyRemoved {
			s.drag.removed(ev.A)
		}
	}
}

// apply gives the player those settings that need no restart.
func (s *side) apply() {
	s.player.SetSmoothing(s.settings.smoothing)
	if e := s.player.engine; e != nil {
		e.SetSync(s.settings.sync)
		e.SetPacing(s.settings.pacing)
	}
}
