package main

import "halfstep/engine"

// shown is what the picture shows.
type shown struct {
	what      what
	recording *engine.Recording // the one that is played, or of the past that is being set up; nil in the present
	present   *player           // showsPast: the engine of the session, which waits meanwhile
	setUp     chan opened       // showsOpening: gets the past
	from      *watch            // showsWatched: the source of the recording
	replaced  bool              // showsReplay: it differs, and the recorded states are about to be opened in its place
}

type what int

const (
	showsPresent what = iota // the open scene as it runs
	showsOpening             // the same, while its past is being set up
	showsPast                // the last seconds of the session: the black box has recorded them, and another engine replays them
	showsReplay              // a recording that was opened
	showsWatched             // a recording that was opened and is still being written, by a program or to a file
)

// shownOf is what the picture shows once a scene is open.
func shownOf(sc *sceneEntry) shown {
	if sc.replay == nil {
		return shown{}
	}
	return shown{what: showsReplay, recording: sc.replay}
}

// replay returns the recording that was opened as a scene, or nil.
func (s *shown) replay() *engine.Recording {
	if s.what == showsReplay || s.what == showsWatched {
		return s.recording
	}
	return nil
}

// live returns the player of the present, even while the past is shown.
func (g *stage) live() *player {
	if g.shown.what == showsPast {
		return g.shown.present
	}
	return g.player
}
