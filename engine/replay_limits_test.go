package engine_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/world"
)

// These tests combine features that work alone.

// states returns a recording of the states that an engine shows. It has that many ticks.
func states(t *testing.T, ticks int) *engine.Recording {
	t.Helper()
	e := start(t, engine.Config{Setup: stack, Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}})
	w := streamBy(e.History().StreamStates)
	for end := time.Now().Add(30 * time.Second); !closed(w.began); time.Sleep(time.Millisecond) {
		if e.Step(1); time.Now().After(end) {
			t.Fatal("nothing is streamed")
		}
	}
	e.Step(ticks)
	if err := errors.Join(e.Close(), <-w.err); err != nil {
		t.Fatal(err)
	}
	r, err := engine.ReadRecording(&w.Buffer)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestARecordingOfStatesGoesBackAgainAndAgain(t *testing.T) {
	r := states(t, 600)
	c := r.Config(nil)
	c.Time.Simulated = true
	e := start(t, c)
	e.Step(int(r.Ticks - r.First))
	for _, back := range []uint64{300, 400, 410, 500, 5} {
		if err := e.History().Seek(r.Ticks - back); err != nil {
			t.Fatal(err)
		}
		e.Step(0)
		if e.Failure() != nil || e.View().Tick != r.Ticks-back {
			t.Fatalf("%d ticks back: tick %d, %v", back, e.View().Tick, e.Failure())
		}
	}
}

func TestAReaderSeesAReplayOfStates(t *testing.T) {
	r := states(t, 60)
	c := r.Config(nil)
	c.Time.Simulated, c.Time.Sync = true, renderloop.Lockstep
	e := start(t, c)
	e.Step(30)
	reader := newReader(t, e)
	e.Step(1)
	await(t, reader, e.View().Tick)
	alike(t, reader, e, 1e-5)
	if n := len(reader.View().Scene.Shapes); n == 0 {
		t.Error("the reader sees no shapes")
	}
}

func TestWhatAReplayOfStatesCannotGiveIsRefusedInOneLine(t *testing.T) {
	r := states(t, 30)
	c := r.Config(nil)
	c.History.BlackBox = &engine.BlackBoxOptions{InMemory: true}
	if _, err := engine.New(c); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("a black box: %v", err)
	}
	e := start(t, r.Config(nil))
	for name, stream := range map[string]func(context.Context, io.Writer) error{"Stream": e.History().Stream, "StreamStates": e.History().StreamStates} {
		if err := stream(t.Context(), io.Discard); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestABlackBoxOfAReplayGoesOnAfterASeek(t *testing.T) {
	data, _ := session(t, 2, 300)
	r := read(t, data)
	c := r.Config(stack)
	c.Time.Simulated, c.Time.Sync = true, renderloop.Lockstep
	c.History.BlackBox = &engine.BlackBoxOptions{InMemory: true, Length: time.Second}
	e := start(t, c)
	e.Step(250)
	if err := e.History().Seek(30); err != nil {
		t.Fatal(err)
	}
	e.Step(0)
	e.Step(40)
	past, err := e.History().Past()
	if err != nil {
		t.Fatal(err)
	}
	if past.First > 40 || past.Ticks != 70 {
		t.Errorf("the past goes from tick %d to tick %d", past.First, past.Ticks)
	}
	if _, err := past.Verify(stack); err != nil {
		t.Error(err)
	}
}

func TestAReplayWithoutKeyframesRefusesToGoBackAndGoesOn(t *testing.T) {
	data, _ := session(t, 2, 100)
	r := read(t, data)
	c := r.Config(stack)
	c.History.SeekMemory, c.Time.Simulated = -1, true
	e := start(t, c)
	e.Step(50)
	for _, tick := range []uint64{20, 50} {
		if err := e.History().Seek(tick); err == nil {
			t.Errorf("it goes to tick %d", tick)
		}
	}
	if err := e.History().Seek(80); err != nil {
		t.Error(err)
	}
	if e.Step(0); e.View().Tick != 80 || e.Failure() != nil {
		t.Errorf("tick %d, %v", e.View().Tick, e.Failure())
	}
	p := player(t, r, engine.PlayerOptions{Memory: -1})
	for _, step := range []struct {
		tick uint64
		goes bool
	}{{30, true}, {29, false}, {40, true}} {
		if err := p.Seek(step.tick); (err == nil) != step.goes {
			t.Errorf("to tick %d: %v", step.tick, err)
		}
	}
}

func TestAStreamEndsWithASyncTestThatFindsSomething(t *testing.T) {
	n, forgets := 0, false
	e := start(t, engine.Config{
		Time: engine.Time{Simulated: true}, Testing: engine.Testing{SyncTest: 4},
		Setup: func(w *world.World) error {
			if err := stack(w); err != nil {
				return err
			}
			w.Register("forget", func(*world.World, []float64) { forgets = true })
			w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
				if n++; forgets {
					w.SetGravity(world.Vec{X: float64(n)})
				}
			}))
			return nil
		},
	})
	s := streamTo(e)
	runUntil(t, e, "a watcher", func() bool { return closed(s.began) })
	e.DoNamed("forget")
	for range 20 {
		e.Advance(time.Second / 60)
	}
	if e.Failure() == nil {
		t.Fatal("nothing is found")
	}
	e.Close()
	select {
	case <-s.err:
	case <-time.After(20 * time.Second):
		t.Error("the stream does not end")
	}
}

func TestAFailureEndsARecording(t *testing.T) {
	norace.Only(t) // the result is the same with -race
	ended := make(chan error, 1)
	e := start(t, engine.Config{Time: engine.Time{Simulated: true}, Setup: func(w *world.World) error {
		w.Register("give up", func(*world.World, []float64) { panic("the solver gave up") })
		return stack(w)
	}})
	e.Step(3)
	if err := e.History().StartRecording(engine.RecordOptions{W: io.Discard, OnEnd: func(err error) { ended <- err }}); err != nil {
		t.Fatal(err)
	}
	e.Step(10)
	e.DoNamed("give up")
	for range 20 {
		e.Advance(time.Second / 60)
	}
	if e.Failure() == nil {
		t.Fatal("it goes on")
	}
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("nobody is told that the recording has ended")
	}
	if err := e.History().StopRecording(); e.History().Recording() || err == nil {
		t.Errorf("it still records: %v; StopRecording says %v", e.History().Recording(), err)
	}
}
