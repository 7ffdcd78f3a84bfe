package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/test/norace"
	"halfstep/world"
)

func init() {
	world.Register("test kick", func(w *world.World, args []float64) {
		if len(args) != 2 { // a recording may say anything
			return
		}
		for b := range w.Bodies() {
			w.Impulse(b, world.Vec{X: args[0], Y: args[1]})
		}
	})
}

// stack is a ground and some boxes.
func stack(w *world.World) error {
	ground := world.BodyDef{Shapes: []world.ShapeDef{world.Box(20, 1)}}
	if _, err := w.CreateBody(ground); err != nil {
		return err
	}
	for i := range 6 {
		_, err := w.CreateBody(world.BodyDef{
			Kind: world.Dynamic, Position: world.Vec{X: float64(i%2) * .3, Y: 2 + 1.1*float64(i)},
			Shapes: []world.ShapeDef{world.Box(.5, .5)}, Name: fmt.Sprint("box ", i),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// session plays a run with all sorts of commands at irregular frame times, and
// returns the recording and the hash at the end.
func session(t *testing.T, seed uint64, ticks uint64) ([]byte, uint64) {
	t.Helper()
	return sessionFrom(t, seed, 0, ticks)
}

// sessionFrom is session, recorded from a tick on. Every fourth seed has the soft
// stepper.
func sessionFrom(t *testing.T, seed, from, ticks uint64) ([]byte, uint64) {
	t.Helper()
	var file bytes.Buffer
	e, err := engine.New(engine.Config{
		Setup: stack, Time: engine.Time{Simulated: true},
		World:   world.Config{Stepper: [4]world.Stepper{1: world.SoftStep}[seed%4]},
		History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, Scene: "stack", Data: []byte{1, 2, 3}, From: from}},
	})
	if err != nil {
		t.Fatal(err)
	}
	e.SetLastTick(ticks)
	r := rand.New(rand.NewPCG(seed, 1))
	var made []world.Body
	for e.View().Tick < ticks {
		for range r.IntN(3) {
			switch r.IntN(9) {
			case 0:
				made = append(made, e.CreateBody(world.BodyDef{
					Kind: world.Dynamic, Position: world.Vec{X: r.NormFloat64(), Y: 10},
					Shapes: []world.ShapeDef{world.CircleAt(.1, 0, .3)}, User: int(r.Int32()),
				}))
			case 1:
				if len(made) > 0 {
					e.DestroyBody(made[r.IntN(len(made))]) // a stale one now and then
				}
			case 2:
				if len(made) > 0 {
					e.Force(made[r.IntN(len(made))], world.Vec{X: 50 * r.NormFloat64()})
				}
			case 3:
				if len(made) > 0 {
					e.Impulse(made[len(made)-1], world.Vec{Y: r.Float64()})
				}
			case 4:
				if len(made) > 0 {
					e.Teleport(made[0], world.Vec{X: r.NormFloat64(), Y: 5}, r.Float64())
				}
			case 5:
				e.DoNamed("test kick", r.NormFloat64(), r.Float64())
			case 6:
				e.At(e.Demanded() + 3).SetGravity(world.Vec{Y: -10 - r.Float64()})
			case 7:
				e.SetPaused(!e.Paused())
				if e.Paused() {
					e.Step(2)
				}
			case 8:
				if err := e.SetRate(clock.Hz(30 + r.Int64N(90))); err != nil {
					t.Fatal(err)
				}
			}
		}
		if r.IntN(4) == 0 {
			e.SetPaused(false)
		}
		e.Advance(time.Duration(r.IntN(40_000_000)))
	}
	hash := make(chan uint64, 1)
	e.Inspect(func(w *world.World) { hash <- w.Hash() })
	e.Advance(0)
	h := <-hash
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), h
}

func read(t *testing.T, data []byte) *engine.Recording {
	t.Helper()
	r, err := engine.ReadRecording(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestARecordingReplaysToTheSameHashes(t *testing.T) {
	for seed := range uint64(5) {
		data, want := session(t, seed, 200)
		r := read(t, data)
		if r.Scene != "stack" || !bytes.Equal(r.Data, []byte{1, 2, 3}) || r.Ticks != 200 || r.Cut {
			t.Fatalf("recording %+v", r)
		}
		got, err := r.Verify(stack)
		if err != nil || got != want {
			t.Fatalf("seed %d: hash %x, want %x: %v", seed, got, want, err)
		}
	}
}

func TestARecordingOfTheSoftStepperIsReplayedWithIt(t *testing.T) {
	var file bytes.Buffer
	e, err := engine.New(engine.Config{
		Setup: stack, Time: engine.Time{Simulated: true},
		World:   world.Config{Stepper: world.SoftStep, SubSteps: 6, Workers: 2},
		History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file}},
	})
	if err != nil {
		t.Fatal(err)
	}
	e.SetLastTick(100)
	for e.View().Tick < 100 && e.Failure() == nil {
		e.Advance(time.Second / 60)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	r := read(t, file.Bytes())
	if c := r.Config(stack).World; c.Stepper != world.SoftStep || c.SubSteps != 6 {
		t.Errorf("replayed with stepper %d and %d sub-steps", c.Stepper, c.SubSteps)
	}
	if _, err := r.Verify(stack); err != nil || r.Ticks != 100 {
		t.Errorf("%d ticks: %v", r.Ticks, err)
	}
	data, _ := session(t, 2, 10)
	if c := read(t, data).Config(stack).World; c.Stepper != world.FastStep {
		t.Errorf("a recording of the fast stepper is replayed with stepper %d", c.Stepper)
	}
}

func TestARecordingReplaysInAnEngineAtAnyFrameRate(t *testing.T) {
	data, want := session(t, 9, 150)
	for _, fps := range []int64{30, 60, 144, 1000} {
		for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.Auto, renderloop.RunAhead} {
			for _, procs := range norace.Some([]int{2, 1, 8}, 1) {
				func() {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
					c := read(t, data).Config(stack)
					c.Time.Sync = sync
					e := start(t, c)
					defer e.Close()
					for i := 0; e.View().Tick < 150 && e.Failure() == nil && i < 10_000; i++ {
						e.Advance(time.Second / time.Duration(fps))
					}
					var h uint64
					done := make(chan struct{})
					e.Inspect(func(w *world.World) { h = w.Hash(); close(done) })
					e.Advance(0)
					<-done
					if e.Failure() != nil || h != want {
						t.Errorf("%d fps, %v, GOMAXPROCS %d: hash %x, want %x: %v", fps, sync, procs, h, want, e.Failure())
					}
				}()
			}
		}
	}
}

func TestAReplayThatDiffersNamesTickBodyAndValue(t *testing.T) {
	data, _ := session(t, 3, 100)
	other := func(w *world.World) error {
		err := stack(w)
		w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
			if b, _ := w.Find("box 2"); w.Tick() == 41 {
				w.Impulse(b, world.Vec{X: 1e-9})
			}
		}))
		return err
	}
	_, err := read(t, data).Verify(other)
	var m *engine.Mismatch
	if !errors.As(err, &m) {
		t.Fatalf("error %v", err)
	}
	if m.Tick != 42 || m.Name != "box 2" || !strings.Contains(m.Value, "x") {
		t.Errorf("%v", m)
	}
}

func TestAFunctionThatAReplayDoesNotKnowIsNamed(t *testing.T) {
	turn := func(w *world.World, _ []float64) { w.SetGravity(world.Vec{X: 1}) }
	known := func(w *world.World) error {
		w.Register("turn", turn)
		return stack(w)
	}
	data := recordRun(t, known, engine.RecordOptions{}, 20, func(e *engine.Engine, tick uint64) {
		if tick == 10 {
			e.DoNamed("turn")
		}
	})
	if _, err := read(t, data).Verify(known); err != nil {
		t.Error(err)
	}
	_, err := read(t, data).Verify(stack)
	var m *engine.Mismatch
	if !errors.As(err, &m) || m.Unregistered != "turn" || !strings.Contains(err.Error(), `"turn"`) {
		t.Error(err)
	}
}

func TestAMismatchInAnEngineIsAFailureAndThePictureStays(t *testing.T) {
	data, _ := session(t, 3, 60)
	e := start(t, read(t, data).Config(func(w *world.World) error {
		w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
			if w.Tick() == 10 {
				w.SetGravity(world.Vec{X: 1})
			}
		}))
		return stack(w)
	}))
	for range 100 {
		e.Advance(time.Second / 60)
	}
	var m *engine.Mismatch
	if !errors.As(e.Failure(), &m) || m.Tick != 11 {
		t.Errorf("failure %v", e.Failure())
	}
	if e.View().Tick != 10 {
		t.Errorf("the picture is at tick %d", e.View().Tick)
	}
}

func TestEveryFlippedBitIsNoticed(t *testing.T) {
	norace.Only(t)
	data, _ := session(t, 4, 40)
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		i, bit := r.IntN(len(data)), byte(1)<<r.IntN(8)
		data[i] ^= bit
		rec, err := engine.ReadRecording(bytes.NewReader(data))
		if err == nil && !rec.Cut {
			t.Fatalf("bit %d of byte %d of %d", bit, i, len(data))
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Fatalf("error %q", err)
		}
		data[i] ^= bit
	}
}

func TestACutRecordingReplaysToItsLastWholeTick(t *testing.T) {
	norace.Only(t)
	data, _ := session(t, 4, 40)
	whole, cut := 0, 0
	for n := range len(data) {
		r, err := engine.ReadRecording(bytes.NewReader(data[:n]))
		if err != nil {
			continue // before the end of the header
		}
		if !r.Cut {
			t.Fatalf("%d of %d bytes pass for the whole", n, len(data))
		}
		if r.Ticks > 0 && whole == 0 {
			whole = n
		}
		cut++
		if n%97 == 0 {
			if _, err := r.Verify(stack); err != nil {
				t.Fatalf("cut at %d: %v", n, err)
			}
		}
	}
	if cut == 0 || whole == 0 {
		t.Errorf("no cut was readable (%d, %d)", cut, whole)
	}
	if _, err := engine.ReadRecording(bytes.NewReader(append(data, 0))); !errors.Is(err, engine.ErrCorrupt) {
		t.Errorf("a byte more: %v", err)
	}
}

func TestAClosureIsRefusedAtOnceWithItsPlace(t *testing.T) {
	var said error
	var file bytes.Buffer
	e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{
		W: &file, OnError: func(err error) { said = err },
	}}})
	if err != nil {
		t.Fatal(err)
	}
	ran := make(chan bool, 1)
	e.Do(func(*world.World) { ran <- true })
	if said == nil || !strings.Contains(said.Error(), "record_test.go:") {
		t.Errorf("said %v", said)
	}
	e.Advance(0)
	<-ran
	if err := e.Close(); err == nil {
		t.Error("Close keeps quiet about it")
	}
}

func TestAReplayRefusesTheBodiesThatTheRecordedWorldRefused(t *testing.T) {
	var file bytes.Buffer
	e, err := engine.New(engine.Config{
		Time: engine.Time{Simulated: true}, World: world.Config{MaxContacts: 20}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, Scene: "crowd"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		e.CreateBody(ball(0, 0))
	}
	refused := 0
	for _, ev := range frames(e, 10) {
		if ev.Kind == world.CommandRejected && errors.Is(ev.Err, world.ErrCrowded) {
			refused++
		}
	}
	if err := e.Close(); err != nil || refused != 14 { // 7 have 21 pairs
		t.Fatalf("%d refused, %v", refused, err)
	}
	r, err := engine.ReadRecording(&file)
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, r.Config(nil))
	frames(p, 12)
	if f := p.Failure(); f != nil || p.View().Tick != r.Ticks {
		t.Errorf("replayed to tick %d of %d: %v", p.View().Tick, r.Ticks, f)
	}
}

// A body of the recording may have the handle that a command would get.
func TestCommandsInAReplayMakeNothingAndReturnNoHandle(t *testing.T) {
	data, _ := session(t, 3, 60)
	e := start(t, read(t, data).Config(stack))
	for _, give := range []world.Commands{e.Commands, e.Remote()} {
		b := give.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Circle(1)}})
		if s, j := give.CreateShape(b, world.Box(1, 1)), give.CreateJoint(world.JointDef{}); b != 0 || s != 0 || j != 0 {
			t.Errorf("%v, %v, %v", b, s, j)
		}
	}
	for e.View().Tick < 60 && e.Failure() == nil {
		e.Advance(time.Second / 30)
	}
	if err := e.Failure(); err != nil {
		t.Error(err)
	}
}

// fullWriter takes nothing once it is full.
type fullWriter struct{ full atomic.Bool }

func (w *fullWriter) Write(p []byte) (int, error) {
	if w.full.Load() {
		return 0, errors.New("no room")
	}
	return len(p), nil
}

func TestALoggerOfTheConfigIsToldWhatNobodyElseIs(t *testing.T) {
	var told lockedBuffer
	var w fullWriter
	e := start(t, engine.Config{
		Logger: slog.New(slog.NewTextHandler(&told, nil)), History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &w}},
	})
	w.full.Store(true)
	e.Step(10)
	if err := e.Close(); err == nil {
		t.Error("a recording that could not be written is no error")
	}
	if !strings.Contains(told.String(), "no room") {
		t.Errorf("the logger was told %q", told.String())
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
