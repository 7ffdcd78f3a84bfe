package main

import (
	"fmt"
	"slices"

	"halfstep/engine"
	"halfstep/internal/bridge"
	"halfstep/internal/history"
	"halfstep/world"
)

// branch is a run that the user has left: he went back to a moment of it and continued differently
// from there. It is a recording like any other.
type branch struct {
	recording *engine.Recording
	from      uint64 // the tick of that moment
}

// beginning is a state with which the open scene is to begin in place of its own.
type beginning struct {
	state   history.Saved
	compare bool // show the branch that is left in the right half
	err     error
}

var (
	keptOf    = bridge.Kept.(func(*engine.Engine) *history.Kept)
	beginWith = bridge.BeginWith.(func(*engine.HistoryOptions, *history.Kept))
)

// Values of goOn's parameter compare.
const withoutBranch, besideBranch = false, true

// goOn makes the moment of the past that is shown the present. Physics is asked for a snapshot of it;
// the answer comes back between two frames, and calls startFrom. With besideBranch, the
// right half then shows the run that was left.
func (s *session) goOn(compare bool) {
	if s.stage.shown.what != showsPast || s.travel.seeking.on {
		s.host.say("it is the past that can be gone on from: look back first")
		return
	}
	s.uses.count("go on")
	e := s.stage.player.engine
	world.Ask(s.stage.player.Commands, func(w *world.World) (at beginning) {
		state := history.Saved{Snapshot: new(world.Snapshot), Kept: keptOf(e)}
		if at.err = w.Snapshot(state.Snapshot); at.err == nil {
			var data []byte
			if data, at.err = state.AppendBinary(nil); at.err == nil { // another world can restore it only from bytes
				at.state, at.err = history.LoadSaved(data)
			}
		}
		at.compare = compare
		return at
	}, func(_ uint64, at beginning) { s.host.later(func() error { return s.startFrom(&at) }) })
}

// startFrom restarts the scene with the state of goOn, unless the user has left the past meanwhile.
func (s *session) startFrom(at *beginning) error {
	if s.stage.shown.what != showsPast {
		return nil
	}
	if at.err != nil {
		s.host.say("nothing goes on from here: " + at.err.Error())
		return nil
	}
	left := branch{s.stage.shown.recording, at.state.Snapshot.Tick()}
	kept, old, compare := s.changes.moments.until(left.from), s.changes.controls(), s.beside.compare
	if next := s.changes.moments.after(left.from); next != nil { // the controls as they were at that moment
		old = next.saved
	}
	ended := ""
	if s.stage.live().recording() {
		ended = "; the recording has ended"
	}
	name := fmt.Sprintf("%s, left at %.1f s", s.stage.scenes[s.stage.current].Name, left.recording.TimeAt(left.from).Seconds())
	sc, err := recordedScene(left.recording, name)
	if err != nil {
		return err
	}
	if s.begins = at.state; at.compare {
		s.beside.compare = comparison{kind: leftRun, name: "what was", run: left}
	}
	paused := s.travel.stopped()
	s.changes.restoreControls(&old)
	if err := s.changeScene(s.stage.current); err != nil {
		s.beside.compare = compare
		return err
	}
	s.changes.moments = kept
	s.stage.engines(func(e *player) { e.SetPaused(paused) })
	if !slices.ContainsFunc(s.stage.scenes, func(s sceneEntry) bool { return s.path == name }) {
		s.stage.scenes = append(s.stage.scenes, sc)
	}
	s.host.say("it goes on from here; what was is in the list of scenes: " + name + ended)
	return nil
}

// until returns the moments (see undo.go) that there were when the step of a tick was done: the user
// can still undo these after going on from there.
func (m *moments) until(tick uint64) moments {
	k := newMoments()
	k.first, k.most, k.lost = m.first, m.most, m.lost
	for _, at := range m.all {
		if at.tick < tick {
			k.all = append(k.all, at)
		}
	}
	for _, at := range m.were {
		if at.tick < tick {
			k.turnTo(at.tick, at.last, at.restore)
		}
	}
	return k
}

// after returns the first moment at or after a tick, or nil.
func (m *moments) after(tick uint64) *moment {
	for i := range m.all {
		if m.all[i].tick >= tick {
			return &m.all[i]
		}
	}
	return nil
}
