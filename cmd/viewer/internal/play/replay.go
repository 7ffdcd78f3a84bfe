package play

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

// These are values of the parameter follow of ReplayScene.
const wholeFile, growingToo = false, true

// ReplayScene opens a recording as a scene. A recording without an end may still be in progress. If
// follow is true, its replay grows with the file.
func ReplayScene(path string, follow bool) (SceneEntry, error) {
	r, err := engine.OpenRecording(path)
	switch {
	case err != nil:
		return SceneEntry{}, err
	case follow && r.Cut && !outfile.IsDevice(path):
		return followFile(path)
	}
	sc, err := recordedScene(r, path)
	if err == nil && !r.States && sc.foreign { // code of the recorded program may be missing in the viewer
		if why := sc.tryPlaying(); why != nil {
			return statesScene(r, path, why)
		}
	}
	return sc, err
}

// statesScene opens the states of a recording, if it has states. It is for a world that only its
// own program can compute. The parameter why is the error of computing the world in the viewer.
func statesScene(r *engine.Recording, path string, why error) (SceneEntry, error) {
	if !r.HasStates {
		return SceneEntry{}, fmt.Errorf("%s: only the program that made it can replay it, unless it is recorded with RecordOptions.States: %w", path, why)
	}
	r, err := engine.ReadOptions{States: true}.Open(path)
	if err != nil {
		return SceneEntry{}, err
	}
	sc, err := recordedScene(r, path)
	sc.Note = path + ": the picture shows the recorded states, because only the program that made it can compute its world"
	return sc, err
}

// recordedScene makes the scene of a recording. It uses the scene file in the recording, or the
// built-in scene with the recorded name. If a snapshot or states have all bodies, the scene is empty.
func recordedScene(r *engine.Recording, path string) (SceneEntry, error) {
	var setup func() func(*world.World) error // setup returns the setup of a new run
	sc := SceneEntry{
		Scene: scenes.Scene{Name: words.Printable(r.Scene), Category: recordingsCategory},
		Row:   "scene " + path, Path: path, data: r.Data, Replay: r,
	}
	sc.Full, _ = filepath.Abs(path)
	if len(r.Data) > 0 && !r.States {
		file, err := rube.Parse(words.Printable(r.Scene), r.Data)
		if err != nil {
			return SceneEntry{}, fmt.Errorf("%s: %w", path, err)
		}
		setup, sc.foreign = func() func(*world.World) error { return file.Build }, true
	} else if s, ok := scenes.Lookup(r.Scene); !ok && (r.Snapshot || r.States) {
		setup = func() func(*world.World) error { return nil }
		sc.Name, sc.foreign = cmp.Or(sc.Name, "unnamed scene"), true
	} else if !ok {
		return SceneEntry{}, fmt.Errorf("%s: it is a recording of scene %q, which is not built in", path, words.Printable(r.Scene))
	} else {
		sc.Scene = s
		sc.Category, sc.Driven = recordingsCategory, false
		setup = func() func(*world.World) error { return s.Config().Setup }
	}
	// the view of the recording, if the recording has one
	if w, h := r.CameraMax.X-r.CameraMin.X, r.CameraMax.Y-r.CameraMin.Y; w > 0 && h > 0 && w < farAway && h < farAway {
		sc.View, sc.Follow = scenes.View{X: r.CameraMin.X + w/2, Y: r.CameraMin.Y + h/2, Width: w, Height: h}, ""
	}
	sc.Config = func() engine.Config { return r.Config(setup()) }
	return sc, nil
}

// showStates is called when physics has failed. This happens when a replay differs from its recording. If
// the recorded program may have code that the viewer lacks, and the recording has states, showStates opens
// the states instead of the replay and returns true.
func (s *Session) showStates() bool {
	sc, r := s.Stage.Scene(), s.Stage.Shown.Replay()
	if !sc.foreign || s.Stage.Shown.Watched() || !errors.As(s.Outcome.Failure, new(*engine.Mismatch)) {
		return false
	}
	if r.States || !r.HasStates { // the states are already shown, or there are none
		return false
	}
	shown, err := statesScene(r, sc.Path, s.Outcome.Failure)
	if err != nil {
		s.Outcome.Failure = err
		return false
	}
	if o := s.Stage.Options; o.Ticks > 0 {
		o.Ticks = min(o.Ticks, shown.Replay.Ticks) // the run ends there
		s.Stage.Settings.LastTick = o.Ticks
	}
	words.Complain(s.Stage.Stderr, fmt.Errorf("%w; %s", s.Outcome.Failure, shown.Note))
	s.Outcome.Failure, s.Stage.Shown.replaced = nil, true
	s.Host.Later(func() error { return s.OpenFile(&shown) })
	return true
}

// farAway is a length that no camera shows, in m. A larger view is a mistake in the file.
const farAway = 1e9

// ReplayEnded reports whether a replay shows its last tick.
func (t *Travel) ReplayEnded() bool {
	r := t.stage.Shown.Replay()
	return r != nil && !r.Live && !t.Seeking.On && t.stage.Player.Failure() == nil && t.stage.View.Tick >= r.Ticks
}

// ReplayVerdict returns the result of a replay that has ended. Before the end it returns "".
func (t *Travel) ReplayVerdict() string {
	r := t.stage.Shown.Replay()
	switch {
	case !t.ReplayEnded():
		return ""
	case r.Cut:
		return fmt.Sprintf("identical to tick %d, where the recording was cut off", r.Ticks)
	}
	return fmt.Sprintf("identical to tick %d, the end", r.Ticks)
}
