package play

import "halfstep/engine"

// Shown is what the picture shows.
type Shown struct {
	What      Showing
	Recording *engine.Recording // the one that is played, or of the past that is being set up; nil in the present
	present   *Player           // ShowsPast: the engine of the session, which waits meanwhile
	setUp     chan Opened       // ShowsOpening: gets the past
	From      *Watch            // showsWatched: the source of the recording
	replaced  bool              // showsReplay: it differs, and the recorded states are about to be opened in its place
}

type Showing int

const (
	showsPresent Showing = iota // the open scene as it runs
	ShowsOpening                // the same, while its past is being set up
	ShowsPast                   // the last seconds of the session: the black box has recorded them, and another engine replays them
	showsReplay                 // a recording that was opened
	showsWatched                // a recording that was opened and is still being written, by a program or to a file
)

// shownOf is what the picture shows once a scene is open.
func shownOf(sc *SceneEntry) Shown {
	if sc.Replay == nil {
		return Shown{}
	}
	return Shown{What: showsReplay, Recording: sc.Replay}
}

// Replay returns the recording that was opened as a scene, or nil.
func (s *Shown) Replay() *engine.Recording {
	if s.What == showsReplay || s.What == showsWatched {
		return s.Recording
	}
	return nil
}

// Watched reports whether the recording is still being written elsewhere, so that nothing can be changed here.
func (s *Shown) Watched() bool { return s.What == showsWatched }

// Live returns the player of the present, even while the past is shown.
func (g *Stage) Live() *Player {
	if g.Shown.What == ShowsPast {
		return g.Shown.present
	}
	return g.Player
}
