package play

import (
	"fmt"
	"slices"

	"halfstep/engine"
	"halfstep/internal/exports"
	"halfstep/internal/history"
	"halfstep/world"
)

// Branch is the recording of a run that the user has left by continuing from an earlier moment of
// the run.
type Branch struct {
	recording *engine.Recording
	from      uint64 // from is the tick of that moment.
}

// beginning is a state with which the open scene begins instead of its own first state.
type beginning struct {
	state   history.Saved
	compare bool  // compare says that the right half shows the run that was left.
	err     error // err says why there is no such state.
}

// Only programs of this project call these functions of package engine. The function keptOf returns the
// snapshots that an engine keeps, which undo restores. The function beginWith gives them to the engine of
// the next run.
var (
	keptOf    = exports.Kept.(func(*engine.Engine) *history.Kept)
	beginWith = exports.BeginWith.(func(*engine.HistoryOptions, *history.Kept))
)

// These are values of the parameter of ContinueFromPast.
const WithoutBranch, BesideBranch = false, true

// ContinueFromPast makes the shown moment of the past the present. It asks physics for a snapshot. When the
// answer comes, between two frames, startFrom is called. With BesideBranch the right half then shows the run
// that was left.
func (s *Session) ContinueFromPast(compare bool) {
	if s.Stage.Shown.What != ShowsPast || s.Travel.Seeking.On {
		s.Host.Say("only the past can be continued: look back first")
		return
	}
	s.Uses.Count("go on")
	e := s.Stage.Player.Engine
	world.Ask(s.Stage.Player.Commands, func(w *world.World) (at beginning) {
		state := history.Saved{Snapshot: new(world.Snapshot), Kept: keptOf(e)}
		if at.err = w.Snapshot(state.Snapshot); at.err == nil {
			var data []byte
			if data, at.err = state.AppendBinary(nil); at.err == nil { // another world can restore the state only from bytes
				at.state, at.err = history.LoadSaved(data)
			}
		}
		at.compare = compare
		return at
	}, func(_ uint64, at beginning) { s.Host.Later(func() error { return s.startFrom(&at) }) })
}

// startFrom restarts the scene with the state that ContinueFromPast has asked for, unless the user has left the past in
// the meantime. The old run becomes a scene of the list.
func (s *Session) startFrom(at *beginning) error {
	if s.Stage.Shown.What != ShowsPast {
		return nil
	}
	if at.err != nil {
		s.Host.Say("the run cannot go on from here: " + at.err.Error())
		return nil
	}
	left := Branch{s.Stage.Shown.Recording, at.state.Snapshot.Tick()}
	moments, controls, compared := s.Changes.Moments.until(left.from), s.Changes.controls(), s.Comparer.Compare
	if next := s.Changes.Moments.after(left.from); next != nil { // the first change after that moment has kept the controls of that moment
		controls = next.saved
	}
	ended := ""
	if s.Stage.Present().Records() {
		ended = "; the recording has ended"
	}
	name := fmt.Sprintf("%s, left at %.1f s", s.Stage.Scene().Name, s.Travel.Seconds(float64(left.from)))
	sc, err := recordedScene(left.recording, name)
	if err != nil {
		return err
	}
	if s.begins = at.state; at.compare {
		s.Comparer.Compare = Comparison{Kind: LeftRun, Name: "old run", run: left}
	}
	s.Changes.restoreControls(&controls)
	if err := s.ChangeScene(s.Stage.Current); err != nil {
		s.Comparer.Compare = compared
		return err
	}
	s.Changes.Moments = moments
	if !slices.ContainsFunc(s.Stage.Scenes, func(s SceneEntry) bool { return s.Path == name }) {
		s.Stage.Scenes = append(s.Stage.Scenes, sc)
	}
	s.Host.Say("the run goes on from here; the old run is in the list of scenes: " + name + ended)
	return nil
}

// until returns the moments that undo could restore after the step of a tick. The user can still
// undo these changes after continuing from that tick.
func (m *Moments) until(tick uint64) Moments {
	k := newMoments()
	k.First, k.most, k.lost = m.First, m.most, m.lost
	for _, at := range m.All {
		if at.tick < tick {
			k.All = append(k.All, at)
		}
	}
	for _, at := range m.turns {
		if at.tick < tick {
			k.turnTo(at.tick, at.last, at.restore)
		}
	}
	return k
}

// after returns the first moment at or after a tick, or nil.
func (m *Moments) after(tick uint64) *Moment {
	for i := range m.All {
		if m.All[i].tick >= tick {
			return &m.All[i]
		}
	}
	return nil
}
