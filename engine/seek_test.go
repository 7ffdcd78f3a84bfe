package engine_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/world"
)

// hashes plays a recording forward, and returns the hash at each tick from
// the first tick of the recording on.
func hashes(t *testing.T, r *engine.Recording) (h []uint64) {
	t.Helper()
	p := player(t, r, engine.PlayerOptions{Memory: -1})
	for tick := r.First; tick <= r.Ticks; tick++ {
		if err := p.Seek(tick); err != nil {
			t.Fatal(err)
		}
		h = append(h, p.World().Hash())
	}
	return h
}

func player(t *testing.T, r *engine.Recording, o engine.PlayerOptions) *engine.Player {
	t.Helper()
	p, err := r.Player(stack, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func TestAPlayerGoesToAnyTickForwardAndBackward(t *testing.T) {
	norace.Only(t)
	engine.DenseKeyframes(t)
	for seed := range uint64(norace.Rounds(4, 1)) {
		data, _ := session(t, seed, 150)
		r := read(t, data)
		want := hashes(t, r)
		p := player(t, r, engine.PlayerOptions{})
		rng := rand.New(rand.NewPCG(seed, 7))
		for range 60 {
			tick := r.First + rng.Uint64N(r.Ticks-r.First+1)
			if rng.IntN(3) == 0 {
				n := rng.IntN(9) - 4
				tick = uint64(max(0, min(int64(p.Tick())+int64(n), int64(r.Ticks))))
				if err := p.Step(n); err != nil {
					t.Fatal(err)
				}
			} else if err := p.Seek(tick); err != nil {
				t.Fatal(err)
			}
			if got := p.World().Hash(); got != want[tick-r.First] || p.Tick() != tick {
				t.Fatalf("seed %d: at tick %d, asked for %d: hash %x, want %x", seed, p.Tick(), tick, got, want[tick-r.First])
			}
		}
		if err := p.Seek(r.Ticks + 1); err == nil {
			t.Error("a tick after the end is found")
		}
		if _, err := r.Verify(stack); err != nil {
			t.Error(err)
		}
	}
}

func TestGoingBackTickByTickDoesTheStepsOfAWayOnceAndNotForEachTick(t *testing.T) {
	norace.Only(t)
	engine.SparseKeyframes(t)
	for seed := range uint64(norace.Rounds(4, 1)) { // one of the seeds uses the soft stepper
		data, _ := session(t, seed, 200)
		r := read(t, data)
		want := hashes(t, r)
		steps := 0
		p, err := r.Player(func(w *world.World) error {
			w.AddController(world.ControllerFunc(func(*world.World, float64) { steps++ }))
			return stack(w)
		}, engine.PlayerOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		if err := p.Seek(r.Ticks); err != nil {
			t.Fatal(err)
		}
		steps = 0
		for p.Tick() > r.First {
			if err := p.Step(-1); err != nil {
				t.Fatal(err)
			}
			if got := p.World().Hash(); got != want[p.Tick()-r.First] {
				t.Fatalf("seed %d: at tick %d: hash %x, want %x", seed, p.Tick(), got, want[p.Tick()-r.First])
			}
		}
		if most := 20 * int(r.Ticks-r.First); steps > most {
			t.Errorf("seed %d: %d steps for %d ticks", seed, steps, r.Ticks-r.First)
		}
	}
}

func TestKeyframesStayWithinTheirMemoryAndSpreadOverTheRecording(t *testing.T) {
	norace.Only(t)
	engine.DenseKeyframes(t)
	data, _ := session(t, 3, 300)
	r := read(t, data)
	const limit = 1 << 17
	p := player(t, r, engine.PlayerOptions{Memory: limit})
	if err := p.Seek(r.Ticks); err != nil {
		t.Fatal(err)
	}
	ticks, size := p.Keyframes()
	if size > limit || len(ticks) < 5 {
		t.Fatalf("%d keyframes take %d bytes of %d", len(ticks), size, limit)
	}
	if ticks[0] != 0 || ticks[len(ticks)/2] < 20 || ticks[len(ticks)-1] < 150 {
		t.Errorf("keyframes at %v", ticks)
	}
}

func TestAReplayThatGoesBackRestoresTheSnapshotsOfThen(t *testing.T) {
	norace.Only(t)
	engine.DenseKeyframes(t)
	data := recordRun(t, stack, engine.RecordOptions{}, 70, func(e *engine.Engine, tick uint64) {
		switch tick {
		case 10, 50:
			e.KeepSnapshot(0)
		case 30:
			e.RestoreSnapshot(0)
		}
	})
	p := player(t, read(t, data), engine.PlayerOptions{})
	for _, tick := range []uint64{70, 35} {
		if err := p.Seek(tick); err != nil {
			t.Fatalf("to tick %d: %v", tick, err)
		}
		p.Forget(20)
	}
}

func TestARecordingHoldsTheSnapshotsThatItRestores(t *testing.T) {
	data := recordRun(t, stack, engine.RecordOptions{From: 20}, 70, func(e *engine.Engine, tick uint64) {
		switch tick {
		case 10:
			e.KeepSnapshot(5)
		case 30:
			e.RestoreSnapshot(5)
		}
	})
	if _, err := read(t, data).Verify(stack); err != nil {
		t.Error(err)
	}
}

func TestAPlayerWithoutMemoryGoesForwardAlone(t *testing.T) {
	data, _ := session(t, 1, 40)
	p := player(t, read(t, data), engine.PlayerOptions{Memory: -1})
	if err := p.Seek(30); err != nil {
		t.Fatal(err)
	}
	if err := p.Seek(29); err == nil {
		t.Error("it goes back")
	}
}

// counting is a controller with an unregistered state.
type counting struct{ n float64 }

func (c *counting) BeforeStep(w *world.World, _ float64) {
	c.n++
	for b := range w.Bodies() {
		w.Impulse(b, world.Vec{X: c.n / 100})
	}
}

func TestAControllerThatKeepsItsStateToItselfIsNamedWhenAReplayGoesBack(t *testing.T) {
	setup := func(w *world.World) error {
		w.AddController(&counting{})
		return stack(w)
	}
	data := recordRun(t, setup, engine.RecordOptions{}, 40, nil)
	p, err := read(t, data).Player(setup, engine.PlayerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.Seek(40); err != nil {
		t.Fatal(err)
	}
	var m *engine.Mismatch
	if err := p.Seek(20); !errors.As(err, &m) || m.Tick != 20 {
		t.Errorf("error %v", err)
	} else if again := p.Seek(10); again != err {
		t.Errorf("then %v", again)
	}
}

// shownAt returns the shown positions of the boxes, and the hash of the
// world.
func shownAt(t *testing.T, e *engine.Engine) (poses []engine.Pose, instant float64) {
	t.Helper()
	for _, p := range e.Poses() {
		poses = append(poses, p)
	}
	return poses, e.View().Instant
}

func TestASeekInAnEngineShowsWhatTheStraightRunShowed(t *testing.T) {
	norace.Only(t)
	engine.DenseKeyframes(t)
	data := recordRun(t, stack, engine.RecordOptions{}, 120, func(e *engine.Engine, tick uint64) {
		if tick%7 == 0 {
			e.DoNamed("test kick", .3, 1)
		}
	})
	r := read(t, data)
	want := hashes(t, r)
	for _, sync := range syncs {
		open := func() *engine.Engine {
			c := r.Config(stack)
			c.Time.Sync = sync
			return start(t, c)
		}
		// the picture of a frame at 60 Hz in which a tick first appears
		straight, seeking := open(), open()
		type picture struct {
			poses   []engine.Pose
			instant float64
		}
		shown := map[uint64]picture{}
		for straight.View().Tick < r.Ticks {
			straight.Advance(time.Second / 60)
			if at := straight.View().Tick; shown[at].poses == nil {
				poses, instant := shownAt(t, straight)
				shown[at] = picture{poses, instant}
			}
		}
		rng := rand.New(rand.NewPCG(4, uint64(sync)))
		for range whole.Rounds(40, 12) {
			tick := 1 + rng.Uint64N(r.Ticks)
			if err := seeking.History().Seek(tick); err != nil {
				t.Fatal(err)
			}
			epoch := seeking.View().Epoch
			seeking.Advance(time.Second / 60)
			v := seeking.View()
			if v.Tick != tick || v.Epoch != epoch+1 {
				t.Fatalf("%v: at tick %d, epoch %d; asked for %d, epoch %d (%v)", sync, v.Tick, v.Epoch, tick, epoch+1, seeking.Failure())
			}
			var got uint64
			seeking.SetPaused(true)
			seeking.Inspect(func(w *world.World) { got = w.Hash() })
			seeking.Advance(0)
			seeking.Advance(0)
			seeking.SetPaused(false)
			if got != want[tick] && tick < r.Ticks {
				t.Fatalf("%v: tick %d has hash %x, want %x", sync, tick, got, want[tick])
			}
			poses, instant := shownAt(t, seeking)
			if w, ok := shown[tick]; ok {
				if instant != w.instant && tick < r.Ticks {
					t.Fatalf("%v: tick %d is shown at %v, want %v", sync, tick, instant, w.instant)
				}
				for i := range w.poses {
					if tick == r.Ticks {
						break // time may have stood still there
					}
					if poses[i] != w.poses[i] {
						t.Fatalf("%v: tick %d shows %+v, want %+v", sync, tick, poses[i], w.poses[i])
					}
				}
			}
			for range rng.IntN(5) { // and on from there
				seeking.Advance(time.Second / 60)
			}
		}
		if f := seeking.Failure(); f != nil {
			t.Error(f)
		}
		if m := seeking.Metrics(); m.BackwardFrames != 0 {
			t.Errorf("%d frames went back", m.BackwardFrames)
		}
	}
}

func TestASeekOnTheWallClockHoldsThePictureUntilItHasArrived(t *testing.T) {
	data := recordRun(t, stack, engine.RecordOptions{}, 200, nil)
	e, err := engine.New(read(t, data).Config(stack))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, tick := range []uint64{150, 20, 200, 0, 77} {
		if err := e.History().Seek(tick); err != nil {
			t.Fatal(err)
		}
		epoch, was := e.View().Epoch, e.View().Instant
		soon(t, "the seek", func() {
			for e.View().Epoch == epoch {
				if v := e.View(); v.Instant != was {
					t.Errorf("on its way to %d it shows %v, not %v", tick, v.Instant, was)
				}
				e.Frame()
			}
		})
		if v := e.View(); v.Tick != tick {
			t.Errorf("at %d, asked for %d", v.Tick, tick)
		}
		if i, f := e.Ledger().Imbalance(); i != 0 || f != 0 {
			t.Errorf("the ledger is off by %d ns and %d", i, f)
		}
	}
}

func TestASeekGivesNoEventsOfTheTicksBetween(t *testing.T) {
	data := recordRun(t, stack, engine.RecordOptions{}, 150, nil)
	e := start(t, read(t, data).Config(stack))
	for _, tick := range []uint64{140, 10, 149} {
		if err := e.History().Seek(tick); err != nil {
			t.Fatal(err)
		}
		e.Advance(0)
		for ev := range e.Events() {
			if ev.Tick < tick-1 {
				t.Errorf("after a seek to %d: %v", tick, ev)
			}
		}
	}
}

func TestSeekingWhereThereIsNothingToSeekIsAnError(t *testing.T) {
	e, err := engine.New(engine.Config{Setup: stack})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := e.History().Seek(0); err == nil {
		t.Error("an engine that does not replay seeks")
	}
	r, err := engine.New(read(t, recordRun(t, stack, engine.RecordOptions{}, 10, nil)).Config(stack))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.History().Seek(11); err == nil {
		t.Error("it seeks beyond the end")
	}
	r.Close()
	if err := r.History().Seek(5); err == nil {
		t.Error("a closed engine seeks")
	}
}
