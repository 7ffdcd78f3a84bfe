package main

import (
	"fmt"

	"halfstep/engine"
	"halfstep/engine/rube"
	"halfstep/internal/scenes"
	"halfstep/world"
)

// replayScene opens a recording. Its scene is the only one of the run.
func replayScene(path string) (sceneEntry, *engine.Recording, error) {
	r, err := engine.OpenRecording(path)
	if err != nil {
		return sceneEntry{}, nil, err
	}
	var setup func() func(*world.World) error
	sc := sceneEntry{name: printable(r.Scene), data: r.Data, row: "scene"}
	if len(r.Data) > 0 {
		file, err := rube.Parse(printable(r.Scene), r.Data)
		if err != nil {
			return sceneEntry{}, nil, fmt.Errorf("%s: %w", path, err)
		}
		setup = func() func(*world.World) error { return file.Build }
	} else {
		s, ok := scenes.Lookup(r.Scene)
		if !ok {
			return sceneEntry{}, nil, fmt.Errorf("%s: it is a recording of scene %q, which is not built in", path, printable(r.Scene))
		}
		sc.view, sc.track, sc.follow, sc.labels = s.View, s.Track, s.Follow, s.Labels
		sc.description, sc.params = s.Description, s.Params
		setup = func() func(*world.World) error { return s.Config().Setup }
	}
	sc.config = func() engine.Config { return r.Config(setup()) }
	return sc, r, nil
}

// replayed is the result of a replay that has ended. It is nil if the whole
// recording was replayed and nothing differed.
func (v *viewer) replayed(hash string) error {
	r := v.replay
	switch {
	case r == nil:
		return nil
	case v.done.Load() < r.Ticks:
		if v.o.limited() || v.quitting {
			return nil // the user asked for a part of it
		}
		return fmt.Errorf("%s: replayed to tick %d of %d", v.o.Replay, v.done.Load(), r.Ticks)
	case r.Cut:
		return fmt.Errorf("%s: the recording was cut off; it was replayed to its last whole tick, %d", v.o.Replay, r.Ticks)
	case hash != "" && r.FinalHash() != 0 && hash != fmt.Sprintf("%016x", r.FinalHash()):
		return fmt.Errorf("%s: the world after the last command differs from the recording", v.o.Replay)
	}
	return nil
}
