package play

import "halfstep/engine"

// Shown says what the picture shows. The fields after Recording are each for one value of What.
type Shown struct {
	What      Showing
	Recording *engine.Recording // the played recording, which was opened or is of the session's past; nil in the present
	present   *Player           // ShowsPast: the player of the session, which waits meanwhile
	setUp     chan Opened       // ShowsOpening: receives the player that replays the past, once it is ready
	Source    *Watch            // showsWatched: the source of the recording
	replaced  bool              // showsReplay: the replay differs, and its recorded states are about to be opened instead
}

// Opened is a player that replays the past, or the error in starting it.
type Opened struct {
	player *Player
	err    error
}

// Showing is a kind of thing that the picture shows.
type Showing int

const (
	showsPresent Showing = iota // the running scene
	ShowsOpening                // the same, while its past is being set up
	ShowsPast                   // the last seconds of the session, from the black box: another engine replays them
	showsReplay                 // a recording that was opened
	showsWatched                // an opened recording that a program still writes
)

// shownOf returns what the picture shows once a scene is open. A watched recording counts as a replay until
// it is followed.
func shownOf(sc *SceneEntry) Shown {
	if sc.Replay == nil {
		return Shown{}
	}
	return Shown{What: showsReplay, Recording: sc.Replay}
}

// Recorded reports whether a recording or the past is shown, also while the past is being set up. The user
// cannot change these.
func (s *Shown) Recorded() bool { return s.Recording != nil }

// Replay returns the recording that was opened as a scene, or nil.
func (s *Shown) Replay() *engine.Recording {
	if s.What == showsReplay || s.What == showsWatched {
		return s.Recording
	}
	return nil
}

// Watched reports whether the shown recording is still being written elsewhere.
func (s *Shown) Watched() bool { return s.What == showsWatched }
