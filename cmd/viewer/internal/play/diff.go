package play

import (
	"fmt"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/engine"
	"halfstep/world"
)

// firstDifference replays two recordings of one scene, tick by tick. It returns the first tick after which
// the worlds differ, and a text with the first body and value that differ. The text is "" if the runs are
// equal up to the end of the shorter run.
func firstDifference(a, b *SceneEntry) (tick uint64, what string, err error) {
	var both [2]*engine.Player
	from, to := max(a.Replay.First, b.Replay.First), min(a.Replay.Ticks, b.Replay.Ticks)
	if from > to {
		return 0, "", fmt.Errorf("%s ends before %s begins", a.Path, b.Path)
	}
	for i, sc := range []*SceneEntry{a, b} {
		p, err := sc.Replay.Player(sc.Config().Setup, engine.PlayerOptions{Memory: -1}) // keyframes are not needed, because the player only goes forward
		if err != nil {
			return 0, "", sc.named(err)
		}
		defer p.Close()
		both[i] = p
	}
	for tick = from; tick <= to; tick++ {
		var hashes [2]uint64
		for i, sc := range []*SceneEntry{a, b} {
			if err := both[i].Seek(tick); err != nil {
				return tick, "", sc.named(err)
			}
			hashes[i] = both[i].World().Hash()
		}
		if hashes[0] == hashes[1] {
			continue
		}
		var states [2]world.Snapshot
		for i := range states {
			if err := both[i].World().Snapshot(&states[i]); err != nil {
				return tick, "", err
			}
		}
		return tick, states[0].Difference(&states[1]), nil
	}
	return 0, "", nil
}

// twoRuns are the recordings of -diff. The run shows the first recording in the left half and the
// second in the right half. It begins at the tick before their first difference.
type twoRuns struct {
	First   SceneEntry
	Compare Comparison
	From    uint64 // From is the tick at which the picture begins.
	Summary string // Summary says where the recordings begin to differ.
	Differ  error  // Differ is the same as an error. It is nil if the runs are equal.
}

// CompareRuns opens two recordings and finds their first difference.
func CompareRuns(first, second string) (t twoRuns, err error) {
	var both [2]SceneEntry
	for i, path := range []string{first, second} {
		if both[i], err = ReplayScene(path, wholeFile); err != nil {
			return t, err
		}
	}
	a, b := &both[0], &both[1]
	if a.Replay.States || b.Replay.States {
		return t, fmt.Errorf("-diff: %s and %s must be runs that can be computed here, and not states alone", a.Path, b.Path)
	}
	tick, what, err := firstDifference(a, b)
	if err != nil {
		return t, err
	}
	t.First, t.From = *a, max(a.Replay.First, b.Replay.First)
	if what == "" {
		t.Summary = fmt.Sprintf("%s and %s are the same up to tick %d", words.Printable(a.Path), words.Printable(b.Path), min(a.Replay.Ticks, b.Replay.Ticks))
	} else {
		t.Summary = fmt.Sprintf("tick %d: %s", tick, words.Printable(what))
		t.Differ = fmt.Errorf("%s and %s differ from tick %d on", a.Path, b.Path, tick)
		t.From = max(tick, t.From+1) - 1 // the tick before the difference, if both recordings have that tick
	}
	t.Compare = Comparison{Kind: OtherRecording, Name: b.Listed(), run: Branch{recording: b.Replay, from: t.From}, setup: b.Config().Setup}
	return t, nil
}

// followLeft seeks the right half of -diff to the last demanded tick of the left half. It does this if
// the left half is paused, or if the halves are more than one tick apart (for example after a seek).
func (h *Comparer) followLeft() {
	if h.stage.Right == nil || h.Compare.Kind != OtherRecording || h.travel.Seeking.On {
		return
	}
	r := h.Compare.run.recording
	at, beside := h.stage.Player.Demanded(), h.stage.Right.Player.Demanded()
	at = min(max(at, r.First), r.Ticks)
	if at != beside && (h.stage.Player.Paused() || at > beside+1 || beside > at+1) {
		_ = h.stage.Right.Player.Engine.History().Seek(at) // the recording has it
	}
}
