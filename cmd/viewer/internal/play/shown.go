package play

import "halfstep/engine"

// Shown says what the picture shows. Each field after Recording is used for only one value of What.
type Shown struct {
	What      Showing
	Recording *engine.Recording // Recording is the recording that is played: an opened recording, or the session's past. It is nil in the present.
	present   *Player           // present, for ShowsPast, is the player of the session, which waits.
	setUp     chan Opened       // setUp, for ShowsOpening, receives the player that replays the past.
	Source    *Watch            // Source, for showsWatched, is the source of the recording.
	replaced  bool              // replaced, for showsReplay, says that the replay differs, and that its recorded states are about to be opened instead.
}

// Opened is a player that replays the past, or the error in starting that player.
type Opened struct {
	player *Player
	err    error
}

// Showing is a kind of thing that the picture can show.
type Showing int

const (
	showsPresent Showing = iota // the running scene
	ShowsOpening                // ShowsOpening: the picture still shows the present, while the past is being set up.
	ShowsPast                   // ShowsPast: the picture shows the last seconds of the session, which another engine replays from the black box.
	showsReplay                 // showsReplay: the picture shows a recording that was opened.
	showsWatched                // showsWatched: the picture shows an opened recording that a program still writes.
)

// shownOf returns what the picture shows once a scene is open. A watched recording counts as a replay until
// startFollowing is called.
func shownOf(sc *SceneEntry) Shown {
	if sc.Replay == nil {
		return Shown{}
	}
	return Shown{What: showsReplay, Recording: sc.Replay}
}

// Recorded reports whether a recording or the past is shown, which the user cannot change. While the past
// is being set up, the result is true as well.
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
