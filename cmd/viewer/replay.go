package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/outfile"
	"halfstep/cmd/viewer/scenes"
	"halfstep/engine"
	"halfstep/engine/rube"
	"halfstep/world"
)

// Values of replayScene's parameter follow.
const wholeFile, growingToo = false, true

// replayScene opens a recording as a scene. A recording without an end may still be being written:
// with follow, its replay grows as the file does.
func replayScene(path string, follow bool) (sceneEntry, error) {
	r, err := engine.OpenRecording(path)
	switch {
	case err != nil:
		return sceneEntry{}, err
	case follow && r.Cut && !outfile.IsDevice(path):
		return followFile(path)
	}
	sc, err := recordedScene(r, path)
	if err == nil && !r.States && sc.foreign {
		if why := sc.tryPlaying(); why != nil {
			return shownScene(r, path, why)
		}
	}
	return sc, err
}

// shownScene opens the states of a recording whose world only its own program can compute, if it
// was recorded with states. why is what kept it from being computed here.
func shownScene(r *engine.Recording, path string, why error) (sceneEntry, error) {
	if !r.HasStates {
		return sceneEntry{}, fmt.Errorf("%s: only the program that made it can replay it, unless it is recorded with RecordOptions.States: %w", path, why)
	}
	r, err := engine.ReadOptions{States: true}.Open(path)
	if err != nil {
		return sceneEntry{}, err
	}
	sc, err := recordedScene(r, path)
	sc.note = path + ": what is seen are the states that were recorded, because only the program that made it can compute its world"
	return sc, err
}

// recordedScene makes the scene of a recording: from the scene file that the recording includes, or the
// built-in one of its name, or an empty one where a snapshot or states bring all bodies.
func recordedScene(r *engine.Recording, path string) (sceneEntry, error) {
	var setup func() func(*world.World) error
	sc := sceneEntry{
		Scene: scenes.Scene{Name: words.Printable(r.Scene), Category: recordingsCategory},
		row:   "scene " + path, path: path, data: r.Data, replay: r,
	}
	sc.full, _ = filepath.Abs(path)
	if len(r.Data) > 0 && !r.States {
		file, err := rube.Parse(words.Printable(r.Scene), r.Data)
		if err != nil {
			return sceneEntry{}, fmt.Errorf("%s: %w", path, err)
		}
		setup, sc.foreign = func() func(*world.World) error { return file.Build }, true
	} else if s, ok := scenes.Lookup(r.Scene); !ok && (r.Snapshot || r.States) {
		setup = func() func(*world.World) error { return nil }
		sc.Name, sc.foreign = cmp.Or(sc.Name, "unnamed scene"), true
	} else if !ok {
		return sceneEntry{}, fmt.Errorf("%s: it is a recording of scene %q, which is not built in", path, words.Printable(r.Scene))
	} else {
		sc.Scene = s
		sc.Category, sc.Driven = recordingsCategory, false
		setup = func() func(*world.World) error { return s.Config().Setup }
	}
	if w, h := r.CameraMax.X-r.CameraMin.X, r.CameraMax.Y-r.CameraMin.Y; w > 0 && h > 0 && w < farAway && h < farAway {
		sc.View, sc.Follow = scenes.View{X: r.CameraMin.X + w/2, Y: r.CameraMin.Y + h/2, Width: w, Height: h}, ""
	}
	sc.Config = func() engine.Config { return r.Config(setup()) }
	return sc, nil
}

// outcome is how the run of a scene goes: whether physics has failed, and whether a replay was the same.
type outcome struct {
	stage  *stage
	follow *follower

	failure      error       // why physics has ended, or nil
	busy         engine.Busy // what physics is doing in this frame
	failed       error       // the first failure of an engine that is closed
	shownInstead bool        // the replay differs, and the states of the recording are about to be opened
}

// physicsFailure is why physics has ended, or nil. Where the recording of a program differs, its own
// code may be missing.
func (o *outcome) physicsFailure() error {
	failure := o.stage.player.Failure()
	if failure == nil || !o.stage.scenes[o.stage.current].foreign { // errors.As allocates
		return failure
	}
	if m := (*engine.Mismatch)(nil); errors.As(failure, &m) && o.follow.watched() == nil && !o.stage.replay.HasStates {
		return fmt.Errorf("%w; if the program has controllers, hooks or functions of its own, record with RecordOptions.States to see it", failure)
	}
	return failure
}

// showStates is called when a replay differs from its recording. If the program that recorded it may
// have code that is not here, and recorded states, it opens those in place of the replay and returns
// true.
func (s *session) showStates() bool {
	sc := &s.stage.scenes[s.stage.current]
	if !sc.foreign || s.follow.watched() != nil || s.stage.replay.States || !s.stage.replay.HasStates || !errors.As(s.outcome.failure, new(*engine.Mismatch)) {
		return false
	}
	shown, err := shownScene(s.stage.replay, sc.path, s.outcome.failure)
	if err != nil {
		s.outcome.failure = err
		return false
	}
	if o := s.stage.o; o.Ticks > 0 {
		o.Ticks = min(o.Ticks, shown.replay.Ticks) // the run ends there
		s.stage.settings.lastTick = o.Ticks
	}
	words.Complain(s.stage.stderr, fmt.Errorf("%w; %s", s.outcome.failure, shown.note))
	s.outcome.failure, s.outcome.shownInstead = nil, true
	s.host.later(func() error { return s.openFile(&shown) })
	return true
}

// farAway is a length that no camera shows, m. A larger view is a mistake in the file.
const farAway = 1e9

// replayEnded reports whether a replay shows its last tick.
func (t *travel) replayEnded() bool {
	r := t.stage.replay
	return r != nil && !r.Live && !t.seeking.on && t.stage.player.Failure() == nil && t.stage.view.Tick >= r.Ticks
}

// replayVerdict says how a replay has ended. It is "" before that.
func (t *travel) replayVerdict() string {
	r := t.stage.replay
	switch {
	case !t.replayEnded():
		return ""
	case r.Cut:
		return fmt.Sprintf("identical to tick %d, where the recording was cut off", r.Ticks)
	}
	return fmt.Sprintf("identical to tick %d, the end", r.Ticks)
}

// replayed returns the error of a replay at the end of the run: nil if all of the recording was replayed
// and nothing differed. hash is that of the last world, or "".
func (o *outcome) replayed(hash string) error {
	r := o.stage.replay
	switch {
	case r == nil:
		return nil
	case o.follow.watched() != nil:
		if err := r.Err(); errors.Is(err, engine.ErrCorrupt) { // the end of a program is said elsewhere
			return err
		}
		return nil
	case o.stage.done.Load() < r.Ticks:
		if o.stage.o.limited() || o.stage.quitting {
			return nil // only a part of it was asked for
		}
		return fmt.Errorf("%s: replayed to tick %d of %d", o.stage.scenes[o.stage.current].path, o.stage.done.Load(), r.Ticks)
	case r.Cut:
		return fmt.Errorf("%s: the recording was cut off; it was replayed to its last whole tick, %d", o.stage.scenes[o.stage.current].path, r.Ticks)
	case hash != "" && r.FinalHash() != 0 && hash != fmt.Sprintf("%016x", r.FinalHash()):
		return fmt.Errorf("%s: the world after the last command differs from the recording", o.stage.scenes[o.stage.current].path)
	}
	return nil
}
