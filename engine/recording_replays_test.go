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

	"halfstep/buffer"
	"halfstep/engine"
	"halfstep/renderloop/clock"
	"halfstep/test/norace"
	"halfstep/world"
)

func init() {
	world.Register("test kick", func(w *world.World, args []float64) {
		if len(args) != 2 { // a recording may contain any arguments
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

// session plays a run with all kinds of commands and irregular frame times. It
// returns the recording, and the hash at the end.
func session(t *testing.T, seed uint64, ticks uint64) ([]byte, uint64) {
	t.Helper()
	return sessionFrom(t, seed, 0, ticks)
}

// sessionFrom does the same as session, with a recording that begins at a tick.
// Every fourth seed uses the soft stepper.
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
					e.DestroyBody(made[r.IntN(len(made))]) // sometimes the handle belongs to a destroyed body
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
	norace.Only(t)
	data, want := session(t, 9, 150)
	for _, fps := range norace.Some([]int64{30, 144, 60, 1000}, 2) {
		for _, sync := range syncs {
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
			continue // this is before the end of the header
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
	if said == nil || !strings.Contains(said.Error(), "recording_replays_test.go:") {
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

// fullWriter takes no more bytes once it is full.
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

func TestARecordingOfNoTicksReplaysAndEnds(t *testing.T) {
	var file bytes.Buffer
	e := recordTo(t, engine.RecordOptions{W: &file})
	header := file.Len()
	e.SetPaused(true)
	b := e.CreateBody(world.BodyDef{Name: "late", Shapes: []world.ShapeDef{world.Circle(1)}})
	e.Impulse(b, world.Vec{})
	e.Advance(time.Second)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"whole": file.Bytes(), "header": file.Bytes()[:header], "cut": file.Bytes()[:header+20]} {
		r := read(t, data)
		if r.Ticks != 0 || r.Cut != (name != "whole") {
			t.Errorf("%s: %d ticks, cut %v", name, r.Ticks, r.Cut)
		}
		if hash, err := r.Verify(stack); err != nil || !r.Cut && hash != r.FinalHash() {
			t.Errorf("%s: hash %x, want %x: %v", name, hash, r.FinalHash(), err)
		}
		e := start(t, r.Config(stack))
		for i := range 30 {
			if i == 10 {
				e.SetLastTick(100) // this does not go beyond the recording
			}
			e.Advance(time.Second / 20)
		}
		e.SetPaused(true)
		e.Step(1)
		if e.View().Tick != 0 || e.Demanded() != 0 || e.Failure() != nil {
			t.Errorf("%s: tick %d of %d demanded, failure %v", name, e.View().Tick, e.Demanded(), e.Failure())
		}
		if err := e.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAReplayGoesNoFurtherThanItsRecording(t *testing.T) {
	data, _ := session(t, 2, 30)
	e := start(t, read(t, data).Config(stack))
	e.SetLastTick(1000)
	for range 100 {
		e.Advance(time.Second / 20)
	}
	if e.View().Tick != 30 || e.Failure() != nil {
		t.Errorf("tick %d: %v", e.View().Tick, e.Failure())
	}
}

func TestALastTickOfZeroRunsNoStep(t *testing.T) {
	e := start(t, engine.Config{Setup: stack})
	e.SetLastTick(0)
	for range 10 {
		e.Advance(time.Second / 20)
	}
	if tick := e.View().Tick; tick != 0 {
		t.Errorf("tick %d", tick)
	}
}

// Friction has no effect in the air, so no body moves differently yet.
func TestAReplayDiffersAsSoonAsWhatWillHappenDoes(t *testing.T) {
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		for _, pastSetup := range []bool{false, true} {
			setup := func(friction float64) func(w *world.World) error {
				return func(w *world.World) error {
					shape := world.Circle(.5)
					shape.Friction = .5
					b, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{shape}})
					if err != nil {
						return err
					}
					shapes, err := w.Shapes(b)
					if err != nil {
						return err
					}
					rub := func(w *world.World, _ []float64) { _ = w.SetFriction(shapes[0], friction) }
					if w.Register("rub", rub); !pastSetup {
						rub(w, nil)
					}
					return nil
				}
			}
			var file bytes.Buffer
			e, err := engine.New(engine.Config{
				Setup: setup(.2), Time: engine.Time{Simulated: true}, World: world.Config{Stepper: stepper},
				History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, FromSetup: true}},
			})
			if err != nil {
				t.Fatal(err)
			}
			e.Step(3)
			e.DoNamed("rub")
			e.Step(3)
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			r := read(t, file.Bytes())
			if _, err := r.Verify(setup(.2)); err != nil {
				t.Errorf("%v: %v", stepper, err)
			}
			_, err = r.Verify(setup(.3))
			var m *engine.Mismatch
			switch {
			case !pastSetup && (err == nil || !strings.Contains(err.Error(), "not the one recorded")):
				t.Errorf("%v: another scene: %v", stepper, err)
			case pastSetup && (!errors.As(err, &m) || m.Tick != 4 || m.Body != 0 || !strings.Contains(err.Error(), "are alike, but")):
				t.Errorf("%v: another function: %v", stepper, err)
			}
		}
	}
}

// A recording that begins in the middle of a run begins with the state that the
// next commands find.
func TestASoftRecordingThatBeginsWithADestroyedBodyVerifies(t *testing.T) {
	var boxes [2]world.Body
	setup := func(w *world.World) (err error) {
		_, err = w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Box(20, .5)}})
		for i := range boxes {
			def := world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(i) * 1.02, Y: 1}, Shapes: []world.ShapeDef{world.Box(.5, .5)}}
			if err == nil {
				boxes[i], err = w.CreateBody(def)
			}
		}
		return err
	}
	var file bytes.Buffer
	e, err := engine.New(engine.Config{Setup: setup, Time: engine.Time{Simulated: true}, World: world.Config{Stepper: world.SoftStep}})
	if err != nil {
		t.Fatal(err)
	}
	e.Step(43)
	e.SetVelocity(boxes[0], world.Vec{X: -1.49, Y: 1.62})
	e.Step(2)
	if err := e.History().StartRecording(engine.RecordOptions{W: &file}); err != nil {
		t.Fatal(err)
	}
	e.Step(0)
	e.DestroyBody(boxes[0])
	e.Step(100)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := read(t, file.Bytes()).Verify(setup); err != nil {
		t.Error(err)
	}
}

func TestAReplayWithAnotherStepperIsRefused(t *testing.T) {
	recorded := func(c world.Config) *engine.Recording {
		var file bytes.Buffer
		e, err := engine.New(engine.Config{Setup: stack, World: c, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, FromSetup: true}}})
		if err != nil {
			t.Fatal(err)
		}
		e.Step(10)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		return read(t, file.Bytes())
	}
	fast, soft := recorded(world.Config{}), recorded(world.Config{Stepper: world.SoftStep})
	for _, c := range []struct {
		r     *engine.Recording
		world world.Config
		wants string // or nothing
	}{
		{fast, world.Config{Stepper: world.SoftStep}, "made with fast; the engine has soft and 4 sub-steps"},
		{soft, world.Config{Stepper: world.FastStep}, "made with soft and 4 sub-steps; the engine has fast"},
		{soft, world.Config{Stepper: world.SoftStep, SubSteps: 5}, "made with soft and 4 sub-steps; the engine has soft and 5 sub-steps"},
		{fast, world.Config{Workers: 2}, ""},
		{soft, world.Config{Stepper: world.SoftStep, SubSteps: 4, Workers: 2}, ""},
	} {
		config := c.r.Config(stack)
		config.World.Stepper, config.World.SubSteps, config.World.Workers = c.world.Stepper, c.world.SubSteps, c.world.Workers
		e, err := engine.New(config)
		if err == nil {
			e.Close()
		}
		if (c.wants == "") != (err == nil) || err != nil && (!strings.HasSuffix(err.Error(), c.wants) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%+v: %v", c.world, err)
		}
	}
}

func TestAClosedPlayerSaysSo(t *testing.T) {
	data, _ := session(t, 2, 10)
	p, err := read(t, data).Player(stack, engine.PlayerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
	for _, err := range []error{p.Seek(5), p.Step(1)} {
		if err == nil || err.Error() != "replay: the player is closed" {
			t.Errorf("error %v", err)
		}
	}
	p.Close()
}

func TestVerifyReturnsAnErrorIfCallbacksEndTheirGoroutine(t *testing.T) {
	var out bytes.Buffer
	e := recordTo(t, engine.RecordOptions{W: &out})
	kicks(e, 20)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := engine.ReadRecording(&out)
	if err != nil {
		t.Fatal(err)
	}
	for where, setup := range map[string]func(w *world.World) error{
		"setup": func(*world.World) error { runtime.Goexit(); return nil },
		"a controller": func(w *world.World) error {
			w.AddController(world.ControllerFunc(func(*world.World, float64) { runtime.Goexit() }))
			return stack(w)
		},
	} {
		err := errors.New("Verify has ended its goroutine")
		soon(t, "Verify", func() { _, err = r.Verify(setup) })
		var f *buffer.Failure
		if !errors.As(err, &f) || !errors.Is(err, buffer.ErrGoexit) {
			t.Errorf("%s: %v", where, err)
		}
	}
}

func TestTheRecordingOfAFailureGoesToItsLastWholeTick(t *testing.T) {
	setup := func(w *world.World) error {
		w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
			if w.Tick() == 99 {
				panic("ow")
			}
		}))
		return stack(w)
	}
	e, dir := boxed(t, engine.Config{Setup: setup}, engine.BlackBoxOptions{OnDump: func(string, error) {}})
	soon(t, "the failure", func() {
		for e.Failure() == nil {
			kicks(e, 1)
		}
	})
	e.Close()
	r, _ := dumped(t, dir)
	if r.Ticks != 99 || !r.Failed {
		t.Fatalf("%d ticks, failed: %v", r.Ticks, r.Failed)
	}
	p, err := r.Player(setup, engine.PlayerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, tick := range []uint64{r.Ticks, 50, r.Ticks} {
		if err := p.Seek(tick); err != nil || p.Tick() != tick {
			t.Errorf("Seek(%d): %v", tick, err)
		}
	}
	var f *buffer.Failure
	if _, err := r.Verify(setup); !errors.As(err, &f) || !strings.Contains(err.Error(), "panic: ow") {
		t.Errorf("Verify: %v", err)
	}
	c := r.Config(setup)
	c.Time.Simulated = true
	again, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := again.History().Seek(r.Ticks); err != nil {
		t.Fatal(err)
	}
	if v := again.Advance(0); v.Tick != 99 || again.Failure() != nil {
		t.Errorf("the engine is at tick %d: %v", v.Tick, again.Failure())
	}
	soon(t, "the failure in the replay", func() {
		for again.Failure() == nil {
			again.Advance(time.Second / 60)
		}
	})
	if err := again.Failure(); !strings.Contains(err.Error(), "ow") {
		t.Error(err)
	}
}
