package main

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"halfstep/cmd/viewer/scenes"
	"halfstep/engine"
	"halfstep/engine/rube"
	"halfstep/renderloop"
	"halfstep/world"
)

// recording is the file that -record writes: the first scene that is opened,
// until it is left.
type recording struct {
	file *stream
	err  error // what could not be recorded
}

// record makes the engine record the scene.
func (v *viewer) record(sc *sceneEntry, c *engine.Config) error {
	if v.o.Record == "" || v.recording != nil {
		return nil
	}
	f, err := newStream(v.o.Record)
	if err != nil {
		return err
	}
	v.recording = &recording{file: f}
	c.Record = &engine.RecordOptions{
		W: f, Scene: sc.name, Data: sc.data,
		OnError: v.recordFailed,
	}
	return nil
}

// recordFailed says at once that the recording has ended; the run says it again
// when it ends. Any goroutine.
func (v *viewer) recordFailed(err error) {
	err = fmt.Errorf("the recording ends here: %w", err)
	complain(v.stderr, err)
	v.queue.put(inputEvent{kind: sayInput, text: err.Error()})
}

// closeEngine ends the engine, and with it a recording.
func (v *viewer) closeEngine() {
	v.unwatch(v.engine)
	err := v.stopEngine(v.engine)
	if r := v.recording; r != nil && r.file != nil {
		r.err = cmp.Or(err, r.file.Close())
		r.file = nil
	}
}

// stopEngine closes an engine. Steps that were demanded are finished, however
// long that takes, unless the user wants to go on to something else.
func (v *viewer) stopEngine(e *engine.Engine) error {
	defer v.dog.forget(e)
	v.baton.wait()
	defer v.baton.resume()
	if !v.quitting && v.o.limited() {
		return e.Close()
	}
	limit := closeTime
	if v.closing != nil {
		limit = 0 // it has had its time
	}
	err := e.CloseWithin(limit)
	if errors.Is(err, engine.ErrStuck) {
		v.closing = err
	}
	return err
}

// seekFrame is how much time a frame lets pass while seeking.
const seekFrame = 80 * time.Millisecond

// replayScene opens a recording as the one scene there is.
func replayScene(path string) (sceneEntry, *engine.Recording, error) {
	r, err := engine.OpenRecording(path)
	if err != nil {
		return sceneEntry{}, nil, err
	}
	var setup func() func(*world.World) error
	sc := sceneEntry{name: printable(r.Scene), data: r.Data}
	if len(r.Data) > 0 {
		file, err := rube.Parse(printable(r.Scene), r.Data)
		if err != nil {
			return sceneEntry{}, nil, fmt.Errorf("%s: %w", path, err)
		}
		setup = func() func(*world.World) error { return file.Build }
	} else {
		s, ok := scenes.Lookup(r.Scene)
		if !ok {
			return sceneEntry{}, nil, fmt.Errorf("%s: it was recorded with a scene %q, which is not built in", path, printable(r.Scene))
		}
		sc.view, sc.track = s.View, s.Track
		setup = func() func(*world.World) error { return s.Config().Setup }
	}
	sc.config = func() engine.Config { return r.Config(setup()) }
	return sc, r, nil
}

// replayed is the verdict on a replay that has ended: nil if the whole
// recording was replayed and nothing differed.
func (v *viewer) replayed(hash string) error {
	r := v.replay
	switch {
	case r == nil:
		return nil
	case v.done.Load() < r.Ticks:
		if v.o.limited() || v.quitting {
			return nil // a part of it was all that was asked for
		}
		return fmt.Errorf("%s: replayed to tick %d of %d", v.o.Replay, v.done.Load(), r.Ticks)
	case r.Cut:
		return fmt.Errorf("%s: the recording was cut off; it was replayed to its last whole tick, %d", v.o.Replay, r.Ticks)
	case hash != "" && hash != fmt.Sprintf("%016x", r.FinalHash()):
		return fmt.Errorf("%s: the world after the last command differs from the recording", v.o.Replay)
	}
	return nil
}

// seek goes to a tick of the replay, from the start where it lies behind.
func (v *viewer) seek(tick uint64) error {
	r := v.replay
	if r == nil {
		v.say("only a replay can be searched")
		return nil
	}
	tick = min(tick, r.Ticks)
	if tick < v.view.Tick {
		if err := v.change(v.current); err != nil {
			return err
		}
	}
	e := v.engine
	paused := e.Paused()
	e.SetPaused(false)
	e.SetSync(renderloop.Lockstep)
	e.SetLastTick(tick)
	for v.view.Tick < tick && e.Failure() == nil {
		v.baton.wait()
		view := e.Advance(seekFrame)
		v.baton.resume()
		v.view = view
		for range e.Events() {
		}
	}
	e.SetLastTick(r.Ticks)
	e.SetSync(v.settings.sync)
	e.SetPaused(paused)
	v.say(fmt.Sprintf("tick %d of %d", v.view.Tick, r.Ticks))
	return nil
}

// skip seeks by a number of seconds.
func (v *viewer) skip(seconds float64) error {
	by := int64(seconds * v.engine.Rate().Float())
	return v.seek(uint64(max(int64(v.view.Tick)+by, 0)))
}
