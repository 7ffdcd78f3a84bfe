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

// showStates is called when a replay differs from its recording. If the program that recorded it may
// have code that is not here, and recorded states, it opens those in place of the replay and returns
// true.
func (s *session) showStates() bool {
	sc := &s.stage.scenes[s.stage.current]
	if !sc.foreign || s.stage.shown.from != nil || s.stage.shown.replay().States || !s.stage.shown.replay().HasStates || !errors.As(s.outcome.failure, new(*engine.Mismatch)) {
		return false
	}
	shown, err := shownScene(s.stage.shown.replay(), sc.path, s.outcome.failure)
	if err != nil {
		s.outcome.failure = err
		return false
	}
	if o := s.stage.o; o.Ticks > 0 {
		o.Ticks = min(o.Ticks, shown.replay.Ticks) // the run ends there
		s.stage.settings.lastTick = o.Ticks
	}
	words.Complain(s.stage.stderr, fmt.Errorf("%w; %s", s.outcome.failure, shown.note))
	s.outcome.failure, s.stage.shown.replaced = nil, true
	s.host.later(func() error { return s.openFile(&shown) })
	return true
}

// farAway is a length that no camera shows, m. A larger view is a mistake in the file.
const farAway = 1e9

// replayEnded reports whether a replay shows its last tick.
func (t *travel) replayEnded() bool {
	r := t.stage.shown.replay()
	return r != nil && !r.Live && !t.seeking.on && t.stage.player.Failure() == nil && t.stage.view.Tick >= r.Ticks
}

// replayVerdict says how a replay has ended. It is "" before that.
func (t *travel) replayVerdict() string {
	r := t.stage.shown.replay()
	switch {
	case !t.replayEnded():
		return ""
	case r.Cut:
		return fmt.Sprintf("identical to tick %d, where the recording was cut off", r.Ticks)
	}
	return fmt.Sprintf("identical to tick %d, the end", r.Ticks)
}
