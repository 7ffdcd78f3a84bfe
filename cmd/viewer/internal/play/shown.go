package play

import "halfstep/engine"

// Shown is what the picture shows. The fields after Recording are each for one value of What.
type Shown struct {
	What      Showing
	Recording *engine.Recording // the one that is played: one that was opened, or of the session's past; nil in the present
	present   *Player           // ShowsPast: the player of the session, which waits meanwhile
	setUp     chan Opened       // ShowsOpening: gets the player that replays the past, once it is ready
	Source    *Watch            // showsWatched: the source of the recording
	replaced  bool              // showsReplay: it differs, and the recorded states are about to be opened in its place
}

// Opened is a player that replays the past, or the error in starting it.
type Opened struct {
	player *Player
	err    error
}

// Showing is a kind of thing that the picture shows.
type Showing int

const (
	showsPresent Showing = iota // the open scene as it runs
	ShowsOpening                // the same, while its past is being set up
	ShowsPast                   // the last seconds of the session: the black box has recorded them, and another engine replays them
	showsReplay                 // a recording that was opened
	showsWatched                // a recording that was opened while a program still writes it
)

// shownOf is what the picture shows once a scene is open. A watched recording counts as a replay until it is
// followed.
func shownOf(sc *SceneEntry) Shown {
	if sc.Replay == nil {
		return Shown{}
	}
	return Shown{What: showsReplay, Recording: sc.Replay}
}

// Recorded reports whether a recording or the past is shown, also while that is being set up. The user can
// change nothing of it.
func (s *Shown) Recorded() bool { return s.Recording != nil }

// Replay returns the recording that was opened as a scene, or nil.
func (s *Shown) Replay() *engine.Recording {
	if s.What == showsReplay || s.What == showsWatched {
		return s.Recording
	}
	return nil
}

// Watched reports whether a recording is shown that is still being written elsewhere.
func (s *Shown) Watched() bool { return s.What == showsWatched }
