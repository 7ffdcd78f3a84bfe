package main

import (
	"fmt"
	"slices"

	"halfstep/engine"
	"halfstep/world"
)

// branch is what was, after a moment of the past that the user went on from. It is a recording
// like any other.
type branch struct {
	recording *engine.Recording
	from      uint64 // the tick of that moment
}

// beginning is a state that the open scene begins with in place of its own.
type beginning struct {
	state   *world.Snapshot
	compare bool // the right half shows the branch that is left
	err     error
}

// goOn makes the moment of the past that is shown the present, as soon as physics has sent a
// snapshot of it. With compare, the right half shows the branch that is left.
func (s *session) goOn(compare bool) {
	if s.past == nil || s.seeking.on {
		s.say("it is the past that can be gone on from: look back first")
		return
	}
	s.count("go on")
	world.Ask(s.player.Commands, func(w *world.World) (at beginning) {
		var state world.Snapshot
		if at.err = w.Snapshot(&state); at.err == nil {
			var data []byte
			if data, at.err = state.MarshalBinary(); at.err == nil { // of another world it can be restored only from bytes
				at.state, at.err = world.LoadSnapshot(data)
			}
		}
		at.compare = compare
		return at
	}, func(_ uint64, at beginning) { s.queue.put(inputEvent{kind: startInput, start: &at}) })
}

// startFrom goes on from a moment of the past that is still shown.
func (v *viewer) startFrom(at *beginning) error {
	if v.past == nil {
		return nil
	}
	if at.err != nil {
		v.say("nothing goes on from here: " + at.err.Error())
		return nil
	}
	left := &branch{v.past.recording, at.state.Tick()}
	kept, old, compare := v.moments.until(left.from), v.controls(), v.compare
	if next := v.moments.after(left.from); next != nil {
		old = next.saved
	}
	ended := ""
	if v.live().recording() {
		ended = "; the recording has ended"
	}
	name := fmt.Sprintf("%s, left at %.1f s", v.scenes[v.current].Name, left.recording.TimeAt(left.from).Seconds())
	sc, err := recordedScene(left.recording, name)
	if err != nil {
		return err
	}
	if v.begins = at.state; at.compare {
		v.compare = comparison{name: "what was", apply: func(*settings) {}, branch: left}
	}
	paused := v.stopped()
	v.restoreControls(&old)
	if err := v.change(v.current); err != nil {
		v.compare = compare
		return err
	}
	v.moments = kept
	v.handled = true
	v.engines(func(e *player) { e.SetPaused(paused) })
	if !slices.ContainsFunc(v.scenes, func(s sceneEntry) bool { return s.path == name }) {
		v.scenes = append(v.scenes, sc)
	}
	v.say("it goes on from here; what was is in the list of scenes: " + name + ended)
	return nil
}

// until are the moments that a world had when the step of a tick was done: those that the user can
// still undo after going on from there.
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

// after is the first moment that came with or after a tick, or nil.
func (m *moments) after(tick uint64) *moment {
	for i := range m.all {
		if m.all[i].tick >= tick {
			return &m.all[i]
		}
	}
	return nil
}
