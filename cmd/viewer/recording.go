package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"halfstep/cmd/viewer/scenes"
	"halfstep/engine"
	"halfstep/engine/rube"
	"halfstep/world"
)

// recording is a file that is recorded to: that of -record, with the first scene
// that is opened, or one that a key has begun. It ends when the user leaves the
// scene or presses the key.
type recording struct {
	file   *stream
	path   string
	ended  chan struct{} // closed when nothing more is written to the file
	over   atomic.Bool
	err    error // why the recording is not complete
	closed bool
}

func newRecording(path string, ending <-chan struct{}) (*recording, error) {
	f, err := newStream(path, ending)
	if err != nil {
		return nil, err
	}
	return &recording{file: f, path: path, ended: make(chan struct{})}, nil
}

// options are those of an engine that records the scene.
func (r *recording) options(sc *sceneEntry, failed func(error)) *engine.RecordOptions {
	return &engine.RecordOptions{
		W: r.file, Scene: sc.name, Data: sc.data,
		OnError: failed,
		OnEnd: func(error) {
			r.over.Store(true)
			close(r.ended)
		},
	}
}

// close closes the file of an engine that was closed with that error.
func (r *recording) close(err error) {
	if r == nil || r.closed {
		return
	}
	select {
	case <-r.ended:
	case <-time.After(time.Second): // the engine has given the writer up
	}
	r.closed = true
	r.err = cmp.Or(err, r.file.Close())
}

// record makes the engine with that configuration record the scene.
func (s *session) record(sc *sceneEntry, c *engine.Config) (err error) {
	if s.o.Record == "" || s.recording != nil {
		return nil
	}
	if s.recording, err = newRecording(s.o.Record, s.queue.quitting); err != nil {
		return err
	}
	c.History.Record = s.recording.options(sc, s.recordFailed)
	c.History.Record.From, c.History.Record.FromSetup = s.o.RecordFrom, true // whoever replays it has the scene
	return nil
}

// toggleRecording begins a recording of the scene from here on, or ends the one
// under way.
func (s *session) toggleRecording() {
	if s.past != nil {
		s.say("the past is not recorded; leave it first (End)")
		return
	}
	if s.player.engine == nil {
		s.say("only the engine's own loop can record")
		return
	}
	if s.player.recording() {
		if err := s.player.engine.History().StopRecording(); err != nil {
			s.say(err.Error())
			return
		}
		s.say("wrote " + s.recording.path + "; the list of scenes begins with it")
		s.remembered(s.recording.path)
		return
	}
	if r := s.recording; r != nil {
		if !r.closed && !r.over.Load() {
			s.say("the last recording is still being written")
			return
		}
		r.close(nil)
		s.recordErr = cmp.Or(s.recordErr, r.err)
	}
	path, err := freeName("halfstep-%03d.rec", "recordings")
	if err == nil {
		err = s.recordTo(path)
	}
	if err != nil {
		s.say(err.Error())
		return
	}
	s.say("recording to " + path)
}

func (s *session) recordTo(path string) error {
	r, err := newRecording(path, s.queue.quitting)
	if err != nil {
		return err
	}
	if err := s.player.engine.History().StartRecording(*r.options(&s.scenes[s.current], s.recordFailed)); err != nil {
		r.file.Close()
		os.Remove(path)
		return err
	}
	s.recording = r
	return nil
}

// recordFailed reports at once that the recording has ended. The run reports it
// again when it ends. Any goroutine.
func (s *session) recordFailed(err error) {
	err = fmt.Errorf("the recording ends here: %w", err)
	complain(s.stderr, err)
	s.queue.put(inputEvent{kind: messageInput, text: err.Error()})
}

// replayScene opens a recording. One without an end may still be being written, and is
// followed on request.
func replayScene(path string, follow bool) (sceneEntry, error) {
	r, err := engine.OpenRecording(path)
	switch {
	case err != nil:
		return sceneEntry{}, err
	case follow && r.Cut && !isDevice(path):
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

// shownScene opens a recording of a world that only its own program can compute: by its
// states, if it has them.
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

// recordedScene is the scene of a recording.
func recordedScene(r *engine.Recording, path string) (sceneEntry, error) {
	var setup func() func(*world.World) error
	sc := sceneEntry{name: printable(r.Scene), data: r.Data, replay: r, path: path, row: "scene " + path, category: recordingsCategory}
	sc.full, _ = filepath.Abs(path)
	if len(r.Data) > 0 && !r.States {
		file, err := rube.Parse(printable(r.Scene), r.Data)
		if err != nil {
			return sceneEntry{}, fmt.Errorf("%s: %w", path, err)
		}
		setup, sc.foreign = func() func(*world.World) error { return file.Build }, true
	} else if s, ok := scenes.Lookup(r.Scene); !ok && (r.Snapshot || r.States) { // it may be all that it takes
		setup = func() func(*world.World) error { return nil }
		sc.name, sc.foreign = cmp.Or(sc.name, "unnamed scene"), true
	} else if !ok {
		return sceneEntry{}, fmt.Errorf("%s: it is a recording of scene %q, which is not built in", path, printable(r.Scene))
	} else {
		sc.view, sc.track, sc.follow, sc.labels = s.View, s.Track, s.Follow, s.Labels
		sc.description, sc.params = s.Description, s.Params
		setup = func() func(*world.World) error { return s.Config().Setup }
	}
	if w, h := r.CameraMax.X-r.CameraMin.X, r.CameraMax.Y-r.CameraMin.Y; w > 0 && h > 0 && w < farAway && h < farAway {
		sc.view, sc.follow = scenes.View{X: r.CameraMin.X + w/2, Y: r.CameraMin.Y + h/2, Width: w, Height: h}, ""
	}
	sc.config = func() engine.Config { return r.Config(setup()) }
	return sc, nil
}

// physicsFailure is why physics has ended, or nil. Where the recording of a program differs, its own
// code may be missing.
func (s *session) physicsFailure() error {
	failure := s.player.Failure()
	if failure == nil || !s.scenes[s.current].foreign { // errors.As allocates
		return failure
	}
	if m := (*engine.Mismatch)(nil); errors.As(failure, &m) && s.watched() == nil && !s.replay.HasStates {
		return fmt.Errorf("%w; if the program has controllers, hooks or functions of its own, record with RecordOptions.States to see it", failure)
	}
	return failure
}

// showStates has a recording that differs opened by its states, if it has them and its
// program may have code that is not here. It reports whether it has.
func (v *viewer) showStates() bool {
	sc := &v.scenes[v.current]
	if !sc.foreign || v.watched() != nil || v.replay.States || !v.replay.HasStates || !errors.As(v.failure, new(*engine.Mismatch)) {
		return false
	}
	shown, err := shownScene(v.replay, sc.path, v.failure)
	if err != nil {
		v.failure = err
		return false
	}
	if o := v.o; o.Ticks > 0 {
		o.Ticks = min(o.Ticks, shown.replay.Ticks)
		v.settings.lastTick = o.Ticks
	}
	complain(v.stderr, fmt.Errorf("%w; %s", v.failure, shown.note))
	v.failure, v.shownInstead = nil, true
	v.queue.put(inputEvent{kind: sceneInput, scene: &shown})
	return true
}

// farAway is more than any camera shows, m.
const farAway = 1e9

// replayEnded reports whether a replay shows its last tick.
func (s *session) replayEnded() bool {
	r := s.replay
	return r != nil && !r.Live && !s.seeking.on && s.player.Failure() == nil && s.view.Tick >= r.Ticks
}

// replayVerdict says how a replay has ended; "" while it has not.
func (s *session) replayVerdict() string {
	r := s.replay
	switch {
	case !s.replayEnded():
		return ""
	case r.Cut:
		return fmt.Sprintf("identical to tick %d, where the recording was cut off", r.Ticks)
	}
	return fmt.Sprintf("identical to tick %d, the end", r.Ticks)
}

// replayed is the result of a replay that has ended. It is nil if the whole
// recording was replayed and nothing differed.
func (s *session) replayed(hash string) error {
	r := s.replay
	switch {
	case r == nil:
		return nil
	case s.watched() != nil:
		if err := r.Err(); errors.Is(err, engine.ErrCorrupt) { // that a program ends is said
			return err
		}
		return nil
	case s.done.Load() < r.Ticks:
		if s.o.limited() || s.quitting {
			return nil // the user asked for a part of it
		}
		return fmt.Errorf("%s: replayed to tick %d of %d", s.scenes[s.current].path, s.done.Load(), r.Ticks)
	case r.Cut:
		return fmt.Errorf("%s: the recording was cut off; it was replayed to its last whole tick, %d", s.scenes[s.current].path, r.Ticks)
	case hash != "" && r.FinalHash() != 0 && hash != fmt.Sprintf("%016x", r.FinalHash()):
		return fmt.Errorf("%s: the world after the last command differs from the recording", s.scenes[s.current].path)
	}
	return nil
}

// boxSpec is the value of -black-box.
type boxSpec struct {
	dir    string
	length time.Duration // 0 is the default
}

// parse reads DIR[,TIME]. A folder whose name has a comma is named with a TIME.
func (b *boxSpec) parse(s string) error {
	dir, length := s, time.Duration(0)
	if i := strings.LastIndexByte(s, ','); i >= 0 {
		if err := durationValue(&length)(s[i+1:]); err != nil {
			return fmt.Errorf("%q after the folder: %w", s[i+1:], err)
		}
		dir = s[:i]
	}
	if dir == "" {
		return errors.New("no folder")
	}
	b.dir, b.length = dir, length
	return nil
}

// blackBox gives the engine with that configuration its black box.
func (s *session) blackBox(sc *sceneEntry, c *engine.Config, panel bool) {
	s.keeps = s.keepsPast(panel)
	if states := sc.replay != nil && sc.replay.States; states || !s.keeps && s.o.BlackBox.dir == "" {
		return
	}
	c.History.BlackBox = &engine.BlackBoxOptions{
		Dir: s.o.BlackBox.dir, Length: s.o.BlackBox.length, Scene: sc.name, Data: sc.data,
		OnDump: s.dumped, InMemory: s.o.BlackBox.dir == "", NoStates: true, // whoever replays it has the scene
	}
	if s.keeps && (panel || s.o.interactive()) {
		c.History.BlackBox.Memory = pastMemory
	}
}

// pastMemory is how many bytes the snapshots take, at most, that make looking back quick.
const pastMemory = 128 << 20

// dumped tells of a black box that was written. Any goroutine.
func (s *session) dumped(path string, err error) {
	switch {
	case err != nil:
		complain(s.stderr, err)
	default:
		fmt.Fprintf(s.stdout, "black box %s\n", printable(path))
	}
	s.wrote(path, err)
}

// dumpBlackBox writes the black box on a goroutine of its own: a disk may be slow.
func (s *session) dumpBlackBox() {
	e := s.live().engine
	if s.o.BlackBox.dir == "" {
		s.say("there is no black box: start the viewer with -black-box DIR")
		return
	}
	s.files.wg.Add(1)
	go func() {
		defer s.files.wg.Done()
		s.dumped(e.History().DumpBlackBox("key"))
	}()
}

// dumpAll writes the black boxes of all engines. Any goroutine.
func (d *watchdog) dumpAll(why string, stdout, stderr io.Writer) {
	for _, p := range d.watched() {
		if p.engine == nil {
			continue
		}
		path, err := p.engine.History().DumpBlackBox(why)
		switch {
		case errors.Is(err, engine.ErrNoBlackBox):
		case err != nil:
			complain(stderr, err)
		default:
			fmt.Fprintf(stdout, "black box %s\n", printable(path))
		}
	}
}
