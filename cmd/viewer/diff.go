package main

import (
	"fmt"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/engine"
	"halfstep/world"
)

// sameRuns replays two recordings of one scene, tick by tick. It returns the first tick after which the
// worlds differ, and what: the first body and value that do. what is "" if the runs are the same up to
// the end of the shorter one.
func sameRuns(a, b *sceneEntry) (tick uint64, what string, err error) {
	var both [2]*engine.Player
	from, to := max(a.replay.First, b.replay.First), min(a.replay.Ticks, b.replay.Ticks)
	if from > to {
		return 0, "", fmt.Errorf("%s ends before %s begins", a.path, b.path)
	}
	for i, sc := range []*sceneEntry{a, b} {
		p, err := sc.replay.Player(sc.Config().Setup, engine.PlayerOptions{Memory: -1}) // no keyframes: it only goes forward
		if err != nil {
			return 0, "", sc.named(err)
		}
		defer p.Close()
		both[i] = p
	}
	for tick = from; tick <= to; tick++ {
		var hashes [2]uint64
		for i, sc := range []*sceneEntry{a, b} {
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

// twoRuns are the recordings of -diff: the run shows the first in the left half and the second in the
// right one, from the tick before they begin to differ.
type twoRuns struct {
	first   sceneEntry
	compare comparison
	from    uint64
	says    string // where they begin to differ
	differ  error  // the same as an error; nil if they are the same
}

// compareRuns opens two recordings and finds out where they begin to differ.
func compareRuns(first, second string) (t twoRuns, err error) {
	var both [2]sceneEntry
	for i, path := range []string{first, second} {
		if both[i], err = replayScene(path, wholeFile); err != nil {
			return t, err
		}
	}
	a, b := &both[0], &both[1]
	if a.replay.States || b.replay.States {
		return t, fmt.Errorf("-diff: %s and %s must be runs that can be computed here, and not states alone", a.path, b.path)
	}
	tick, what, err := sameRuns(a, b)
	if err != nil {
		return t, err
	}
	t.first, t.from = *a, max(a.replay.First, b.replay.First)
	if what == "" {
		t.says = fmt.Sprintf("%s and %s are the same up to tick %d", words.Printable(a.path), words.Printable(b.path), min(a.replay.Ticks, b.replay.Ticks))
	} else {
		t.says = fmt.Sprintf("tick %d: %s", tick, words.Printable(what))
		t.differ = fmt.Errorf("%s and %s differ from tick %d on", a.path, b.path, tick)
		t.from = max(tick, t.from+1) - 1
	}
	t.compare = comparison{kind: otherRecording, name: b.listed(), run: branch{b.replay, t.from}, setup: b.Config().Setup}
	return t, nil
}

// followLeft brings the right half of -diff to the tick of the left one after the user has sought or
// paused that.
func (h *beside) followLeft() {
	if h.stage.right == nil || h.compare.kind != otherRecording || h.travel.seeking.on {
		return
	}
	r := h.compare.run.recording
	at, beside := h.stage.player.Demanded(), h.stage.right.player.Demanded()
	if at = min(max(at, r.First), r.Ticks); at != beside && (h.stage.player.Paused() || at > beside+1 || beside > at+1) {
		_ = h.stage.right.player.engine.History().Seek(at) // the recording has it
	}
}
