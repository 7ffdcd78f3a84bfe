package engine_test

import (
	"bytes"
	"math"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/test/norace"
	"halfstep/world"
)

// In Godot issue 110979 and bevy_transform_interpolation PR 10, users want a teleport that
// keeps the motion of a body, such as a wrap around the screen. The body must neither stop
// nor jump. Apart from multiples of the screen's width, the shown position of the body is
// the shown time.
func TestAShiftKeepsTheMotion(t *testing.T) {
	norace.Only(t)
	const wide = 4.
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		for _, sync := range syncs {
			for _, mode := range norace.Some([]body2d.Smoothing{body2d.Interpolate, body2d.Hermite, body2d.Extrapolate}, 1) {
				for _, cost := range []time.Duration{0, 9 * time.Millisecond} {
					for _, fps := range norace.Some([]int{60, 40, 144}, 1) {
						if stepper != world.FastStep && fps != 60 {
							continue
						}
						c := engine.Config{World: world.Config{Stepper: stepper}, Time: engine.Time{Sync: sync, Smoothing: mode}}
						c.Testing.StepCost = func(uint64) time.Duration { return cost }
						c.Time.CorrectionBlend = map[bool]time.Duration{true: 50 * time.Millisecond}[fps == 60]
						e, b := mover(t, c)
						e.SetVelocity(b, world.Vec{X: 10})
						wraps, last, seen := 0, 0.0, true
						for f := range 4 * fps {
							e.Advance(time.Second / time.Duration(fps))
							x := shownX(e, b)
							// RunAhead must first learn the cost of a frame with a command
							if speed := math.Remainder(x-last, wide) * float64(fps); f > 3*fps/2 && (speed < 9 || speed > 11) {
								t.Fatalf("%v, %v, %v, %v a step, %d fps, frame %d, the last wrap seen %v: %.2f m/s", stepper, sync, mode, cost, fps, f, seen, speed)
							}
							last = x
							if seen = seen || x <= 2; seen && x > 2 {
								e.Shift(b, world.Vec{X: -wide})
								wraps++
								seen = false
							}
						}
						if wraps < 4 {
							t.Fatalf("%d wraps", wraps)
						}
					}
				}
			}
		}
	}
}

// wraps makes a run in which a body at 10 m/s wraps around a screen of 4 m twice a second.
func wraps(e *engine.Engine, b world.Body, frames int, look func()) {
	e.SetVelocity(b, world.Vec{X: 10})
	for f := range frames {
		e.Advance(time.Second / 144)
		if f%57 == 50 {
			e.Shift(b, world.Vec{X: -4})
		}
		look()
	}
}

// A replay, a watcher of states and a reader show a shift in the same way as the run.
func TestAShiftIsSeenByAllThatFollowTheRun(t *testing.T) {
	even := func(t *testing.T, who string) func(x float64) {
		last, n := math.NaN(), 0
		return func(x float64) {
			if moved := math.Remainder(x-last, 4) * 144; n > 12 && (moved < 9 || moved > 11) {
				t.Errorf("%s, look %d: %.2f m/s", who, n, moved)
			}
			last = x
			n++
		}
	}
	var recorded bytes.Buffer
	e, b := mover(t, engine.Config{History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &recorded}}})
	r, err := e.NewReader()
	if err != nil {
		t.Fatal(err)
	}
	states, over := watchedBy(e, e.History().StreamStates)
	reads := even(t, "a reader")
	wraps(e, b, 400, func() {
		if r.UpdateToPicture(); len(r.View().Cur) > 0 {
			p, _ := r.Pose(b)
			reads(p.X)
		}
	})
	r.Close()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-over; err != nil {
		t.Fatal(err)
	}
	for name, from := range map[string]*bytes.Buffer{"a replay": &recorded, "a watcher of states": &states.Buffer} {
		rec := read(t, from.Bytes())
		c := rec.Config(nil)
		var f *engine.Engine
		if rec.States {
			f = start(t, c)
		} else {
			f, _ = mover(t, c)
		}
		look := even(t, name)
		for f.Demanded()+1 < rec.Ticks {
			f.Advance(time.Second / 144)
			if b, ok := f.Find("mover"); ok {
				look(shownX(f, b))
			}
		}
		if err := f.History().Seek(30); err != nil {
			t.Fatal(err)
		}
		look = even(t, name+" after a seek")
		for f.Demanded()+1 < rec.Ticks {
			f.Advance(time.Second / 144)
			b, _ := f.Find("mover")
			look(shownX(f, b))
		}
		if err := f.Failure(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A rollback to a tick before a shift runs the shift again, but the picture moves only
// once.
func TestAShiftThatRunsAgainMovesThePictureOnce(t *testing.T) {
	for _, c := range []engine.Config{{History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 12}}}, {Testing: engine.Testing{SyncTest: 4}}} {
		c.Time.Simulated = true
		e, b := mover(t, c)
		last, n := math.NaN(), 0
		wraps(e, b, 400, func() {
			x := shownX(e, b)
			if moved := math.Remainder(x-last, 4) * 144; n > 12 && (moved < 9 || moved > 11) {
				t.Errorf("frame %d: %.2f m/s", n, moved)
			}
			if last = x; c.History.Rollback.Ticks > 0 && n > 20 && n%7 == 0 {
				if err := e.History().Rollback(e.Demanded()-5, nil); err != nil {
					t.Fatal(err)
				}
			}
			n++
		})
		if err := e.Failure(); err != nil {
			t.Error(err)
		}
	}
}

// During a pause a body is shifted at once, and remains between the same ticks.
func TestAShiftInAPauseIsShownAtOnce(t *testing.T) {
	for _, sync := range syncs {
		e, b := mover(t, engine.Config{Time: engine.Time{Sync: sync}})
		for range 50 {
			e.Advance(time.Second / 144)
		}
		e.SetPaused(true)
		e.Advance(time.Second / 144)
		before := shownX(e, b)
		e.Shift(b, world.Vec{X: 100, Y: 3})
		for range 3 {
			e.Advance(time.Second / 144)
		}
		if x := shownX(e, b); math.Abs(x-before-100) > 1e-4 {
			t.Errorf("%v: shown at %v after %v", sync, x, before)
		}
	}
}
