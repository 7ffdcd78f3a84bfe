package engine_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/test/norace"
	"halfstep/world"
)

func TestARecordingFromAnyTickReplaysToTheHashesOfTheWholeRun(t *testing.T) {
	norace.Only(t)
	for seed := range uint64(norace.Rounds(4, 1)) {
		data, end := session(t, seed, 150)
		want := hashes(t, read(t, data))
		for _, from := range []uint64{1, 40 + seed, 149, 150} {
			data, again := sessionFrom(t, seed, from, 150)
			r := read(t, data)
			if r.First != from || r.Ticks != 150 || r.Cut || r.Scene != "stack" || again != end {
				t.Fatalf("seed %d from tick %d: %+v, hash %x, want %x", seed, from, r, again, end)
			}
			for i, h := range hashes(t, r) {
				// commands of the first tick may be in the snapshot
				if i > 0 && h != want[from+uint64(i)] {
					t.Fatalf("seed %d from tick %d: tick %d has hash %x, want %x", seed, from, from+uint64(i), h, want[from+uint64(i)])
				}
			}
			if got, err := r.Verify(stack); err != nil || got != end {
				t.Fatalf("seed %d from tick %d: hash %x, want %x: %v", seed, from, got, end, err)
			}
		}
	}
}

func TestWhatWaitsWhenARecordingBeginsIsInIt(t *testing.T) {
	data := recordRun(t, stack, engine.RecordOptions{From: 30}, 60, func(e *engine.Engine, tick uint64) {
		switch tick {
		case 2:
			e.At(30).DoNamed("test kick", 1, 3)  // the command is for the first tick, and was given before the recording was asked to begin there
			e.At(45).DoNamed("test kick", -2, 2) // later
			e.At(30).Force(3, world.Vec{X: 100})
		case 29, 30, 31:
			e.Force(4, world.Vec{X: 60})
		}
	})
	r := read(t, data)
	if _, err := r.Verify(stack); err != nil || r.First != 30 {
		t.Errorf("from tick %d: %v", r.First, err)
	}
}

// sink is a writer whose content can be read once the writer is closed.
type sink struct {
	bytes.Buffer
	over chan error
}

func newSink() *sink { return &sink{over: make(chan error, 2)} }

func (s *sink) options() engine.RecordOptions {
	return engine.RecordOptions{W: s, OnError: func(error) {}, OnEnd: func(err error) { s.over <- err }}
}

func TestRecordingsBeginAndEndWhileTheEngineRuns(t *testing.T) {
	e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	frames := func(n int) {
		for range n {
			e.DoNamed("test kick", .1, .2)
			e.Advance(time.Second / 40)
		}
	}
	for i := range 4 {
		frames(7)
		s := newSink()
		if err := e.History().StartRecording(s.options()); err != nil || !e.History().Recording() {
			t.Fatal(err)
		}
		if err := e.History().StartRecording(s.options()); err == nil {
			t.Error("a second recording begins beside the first")
		}
		frames(5 * i)
		if err := e.History().StopRecording(); err != nil || e.History().Recording() {
			t.Fatal(err)
		}
		frames(3)
		if i == 0 { // the same frame began and ended the recording
			frames(1)
		}
		if err := <-s.over; err != nil {
			t.Fatal(err)
		}
		r := read(t, s.Bytes())
		if _, err := r.Verify(stack); err != nil || r.Cut || r.First == 0 || i > 0 && r.Ticks == r.First {
			t.Errorf("ticks %d to %d, cut %v: %v", r.First, r.Ticks, r.Cut, err)
		}
		if err := e.History().StopRecording(); err == nil {
			t.Error("a recording that has ended is ended again")
		}
		if len(s.over) > 0 {
			t.Error("OnEnd is called again")
		}
	}
}

func TestCloseEndsARecordingThatWasStartedAndOneThatNeverBegan(t *testing.T) {
	for _, from := range []uint64{0, 100} {
		e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true}})
		if err != nil {
			t.Fatal(err)
		}
		e.Advance(time.Second / 10)
		s := newSink()
		o := s.options()
		o.From = from
		if err := e.History().StartRecording(o); err != nil {
			t.Fatal(err)
		}
		e.Advance(time.Second / 10)
		err = e.Close()
		ended := <-s.over
		if from == 0 {
			if r := read(t, s.Bytes()); err != nil || ended != nil || r.Cut || r.Ticks != 12 {
				t.Errorf("%d ticks, cut %v: %v, %v", r.Ticks, r.Cut, err, ended)
			}
			continue
		}
		if err == nil || ended != err || !strings.Contains(err.Error(), "tick 100") || s.Len() > 0 {
			t.Errorf("%d bytes of a recording that never began; Close says %v, OnEnd %v", s.Len(), err, ended)
		}
	}
}

func TestARecordingThatCannotBeginSaysWhy(t *testing.T) {
	e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true}})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.History().StartRecording(engine.RecordOptions{}); err == nil {
		t.Error("a recording without a writer begins")
	}
	e.Close()
	if err := e.History().StartRecording(newSink().options()); err == nil {
		t.Error("a closed engine records")
	}
	replay, err := engine.New(read(t, recordRun(t, stack, engine.RecordOptions{}, 5, nil)).Config(stack))
	if err != nil {
		t.Fatal(err)
	}
	defer replay.Close()
	if err := replay.History().StartRecording(newSink().options()); err == nil {
		t.Error("a replay is recorded")
	}
}

// silent is a controller whose state cannot be saved.
type silent struct{}

func (silent) BeforeStep(*world.World, float64)    {}
func (silent) AppendBinary([]byte) ([]byte, error) { return nil, errors.New("not now") }
func (silent) UnmarshalBinary([]byte) error        { return nil }
func withSilent(w *world.World) error              { w.AddController(silent{}); return nil }
func fullDisk(p []byte) (int, error)               { return 0, errDisk }
func closure(e *engine.Engine)                     { e.Do(func(*world.World) {}) }
func nothing(*engine.Engine)                       {}

func TestARecordingUnderWayThatFailsEndsAlone(t *testing.T) {
	for _, c := range []struct {
		name, says string
		setup      func(*world.World) error
		w          io.Writer
		after      func(*engine.Engine)
	}{
		{"a state that cannot be had", "not now", withSilent, nil, nothing},
		{"a full disk", "disk is full", stack, writerFunc(fullDisk), nothing},
		{"a closure before it", "before the recording began", stack, nil, closure},
	} {
		engine.FlushEvery(t, time.Millisecond)
		e, err := engine.New(engine.Config{Setup: c.setup, Time: engine.Time{Simulated: true}})
		if err != nil {
			t.Fatal(err)
		}
		e.Advance(time.Second / 10)
		s := newSink()
		o := s.options()
		if c.w != nil {
			o.W = c.w
		}
		said := make(chan error, 2)
		o.OnError = func(err error) { said <- err }
		if err := e.History().StartRecording(o); err != nil {
			t.Fatal(err)
		}
		c.after(e)
		e.Advance(time.Second / 10)
		soon(t, c.name, func() {
			told, ended := <-said, <-s.over
			if told == nil || !strings.Contains(told.Error(), c.says) || ended != told || strings.Contains(told.Error(), "\n") {
				t.Errorf("%s: OnError is told %v, OnEnd %v", c.name, told, ended)
			}
		})
		if e.History().Recording() {
			t.Errorf("%s: it still records", c.name)
		}
		e.Advance(time.Second / 10)
		if f := e.Failure(); f != nil {
			t.Errorf("%s: %v", c.name, f)
		}
		again := newSink() // another recording can begin
		if c.name != "a state that cannot be had" {
			if err := e.History().StartRecording(again.options()); err != nil {
				t.Errorf("%s: then %v", c.name, err)
			}
			e.Advance(time.Second / 10)
		}
		e.Close()
		if again.Len() > 0 {
			if _, err := read(t, again.Bytes()).Verify(stack); err != nil {
				t.Errorf("%s: then %v", c.name, err)
			}
		}
	}
}

func TestARecordingWithASnapshotThatIsCutReplaysToItsLastWholeTick(t *testing.T) {
	norace.Only(t)
	engine.FlushEvery(t, time.Millisecond)
	data, _ := sessionFrom(t, 2, 20, 60)
	ticks := map[uint64]bool{}
	step := max(1, len(data)/norace.Rounds(400, 60))
	for n := 0; n < len(data); n += step {
		r, err := engine.ReadRecording(bytes.NewReader(data[:n]))
		if err != nil {
			if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "cut off") {
				t.Fatalf("%d of %d bytes: %v", n, len(data), err)
			}
			continue
		}
		if !r.Cut || r.First != 20 {
			t.Fatalf("%d of %d bytes: from tick %d, cut %v", n, len(data), r.First, r.Cut)
		}
		if !ticks[r.Ticks] {
			if _, err := r.Verify(stack); err != nil {
				t.Fatalf("%d of %d bytes: %v", n, len(data), err)
			}
		}
		ticks[r.Ticks] = true
	}
	if len(ticks) == 0 {
		t.Error("no cut left anything")
	}
}

func TestEveryFlippedBitOfARecordingWithASnapshotIsNoticed(t *testing.T) {
	norace.Only(t)
	data := recordRun(t, stack, engine.RecordOptions{From: 10}, 14, nil)
	for i := 0; i < len(data); i += 1 + i/500 { // for a long snapshot a sample is enough
		bad := bytes.Clone(data)
		bad[i] ^= 1 << (i % 8)
		if r, err := engine.ReadRecording(bytes.NewReader(bad)); err == nil {
			t.Fatalf("byte %d: a changed recording is read: %+v", i, r.Ticks)
		} else if strings.Contains(err.Error(), "\n") {
			t.Fatalf("byte %d: %q", i, err)
		}
	}
}
