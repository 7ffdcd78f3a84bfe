package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/test/norace"
	"halfstep/world"
)

// This file holds situations that users of engines and of their loops have reported in
// public. A test's name is what is right, and its comment names the report.

// qu3e 49 asks to change the step on the fly. The world goes on at its pace, and so does
// the picture: it neither jumps nor goes slow for the rest of a step of the old length.
func TestAChangeOfTheRateIsNotSeen(t *testing.T) {
	for _, sync := range syncs {
		for _, r := range norace.Some([][2]int64{{30, 60}, {60, 10}, {60, 120}, {10, 60}, {60, 30}, {7, 1000}, {1000, 7}}, 2) {
			t.Run(fmt.Sprintf("%v, %d to %d Hz", sync, r[0], r[1]), func(t *testing.T) {
				for phase := range norace.Rounds(8, 1) {
					e, b := mover(t, engine.Config{Time: engine.Time{Sync: sync, Rate: clock.Hz(r[0])}})
					last := 0.0
					for f := range 240 {
						switch f {
						case 150 + 3*phase:
							_ = e.SetRate(clock.Hz(r[1]))
						case 190 + phase: // and back, in the middle of a step
							_ = e.SetRate(clock.Hz(r[0]))
						}
						e.Advance(time.Second / 144)
						x := shownX(e, b)
						if speed := (x - last) * 144; f > 144 && (speed < .9 || speed > 1.1) {
							t.Fatalf("phase %d, frame %d: %.3f m/s", phase, f, speed)
						}
						last = x
					}
					if m := e.Metrics(); m.BackwardFrames != 0 || math.Abs(m.Dropped) > 1e-9 {
						t.Errorf("phase %d: %d frames backward, %v s dropped", phase, m.BackwardFrames, m.Dropped)
					}
				}
			})
		}
	}
}

// The rate is changed in every frame, as by a slider that is dragged.
func TestARateThatChangesAllTheTimeIsNotSeen(t *testing.T) {
	norace.Only(t)
	for _, sync := range syncs {
		e, b := mover(t, engine.Config{Time: engine.Time{Sync: sync}})
		last := 0.0
		for f := range 600 {
			if f > 200 {
				_ = e.SetRate(clock.Hz(int64(20 + f*37%400)))
			}
			e.Advance(time.Second / 100)
			x := shownX(e, b)
			if speed := (x - last) * 100; f > 100 && (speed < .9 || speed > 1.1) {
				t.Fatalf("%v, frame %d: %.3f m/s", sync, f, speed)
			}
			last = x
		}
	}
}

// rateChanges is the recording of a run of 2 s: one at 60 steps a second, one at 120.
func rateChanges(t *testing.T, c engine.Config) *engine.Recording {
	t.Helper()
	var file bytes.Buffer
	c.History.Record = &engine.RecordOptions{W: &file}
	e, _ := mover(t, c)
	for f := range 288 {
		if f == 144 {
			if err := e.SetRate(clock.Hz(120)); err != nil {
				t.Fatal(err)
			}
		}
		e.Advance(time.Second / 144)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return read(t, file.Bytes())
}

// A replay takes as long as the run did, moves as fast, and says at which rate.
func TestAReplayFollowsAChangeOfTheRate(t *testing.T) {
	r := rateChanges(t, engine.Config{})
	if got := r.TimeAt(r.Ticks); got < 1980*time.Millisecond || got > 2020*time.Millisecond {
		t.Errorf("the recording says that it takes %v", got)
	}
	if tick := r.TickAt(r.TimeAt(100)); tick != 100 {
		t.Errorf("tick 100 is at %v, where tick %d is", r.TimeAt(100), tick)
	}
	for _, sync := range syncs {
		for _, fps := range norace.Some([]int{5, 144, 60}, 2) {
			c := r.Config(nil)
			c.Time.Sync = sync
			e, b := mover(t, c)
			last, frames := 0.0, 0
			for ; e.Demanded() < r.Ticks && frames < 10*fps; frames++ {
				v := e.Advance(time.Second / time.Duration(fps))
				x := shownX(e, b)
				if speed := (x - last) * float64(fps); frames > fps/4+1 && x < 1.9 && (speed < .9 || speed > 1.1) {
					t.Errorf("%v, %d fps, frame %d: %.3f m/s", sync, fps, frames, speed)
				}
				if want := 1 / 60.; v.Tick > 0 && v.Tick < 50 && v.Dt != want || v.Tick > 70 && v.Dt != want/2 {
					t.Errorf("%v, %d fps, frame %d: the step to tick %d took %v s", sync, fps, frames, v.Tick, v.Dt)
				}
				last = x
			}
			if took := float64(frames) / float64(fps); took < 1.95 || took > 2.05+1/float64(fps) {
				t.Errorf("%v, %d fps: the replay took %v s", sync, fps, took)
			}
			if e.Rate() != clock.Hz(120) {
				t.Errorf("the replay ends at %v", e.Rate())
			}
			if err := e.SetRate(clock.Hz(30)); err == nil {
				t.Error("a replay has taken another rate")
			}
			if err := e.History().Seek(10); err != nil {
				t.Fatal(err)
			}
			e.Advance(0)
			if e.Rate() != clock.Hz(60) {
				t.Errorf("after a seek to tick 10: %v", e.Rate())
			}
			if err := e.Failure(); err != nil {
				t.Error(err)
			}
		}
	}
}

// begun is what a watcher has been told. on is closed when it begins.
type begun struct {
	bytes.Buffer
	on   chan struct{}
	once sync.Once
}

func (b *begun) Write(p []byte) (int, error) {
	b.once.Do(func() { close(b.on) })
	return b.Buffer.Write(p)
}

// watchedBy streams the causes or the states of an engine until it is closed, and returns
// when the watcher has begun.
func watchedBy(e *engine.Engine, stream func(context.Context, io.Writer) error) (*begun, <-chan error) {
	file, over := &begun{on: make(chan struct{})}, make(chan error, 1)
	go func() { over <- stream(context.Background(), file) }()
	for {
		select {
		case <-file.on:
			return file, over
		default:
			e.Advance(0)
			time.Sleep(time.Millisecond)
		}
	}
}

// Who watches a run sees it at its pace, whether it is told causes or states.
func TestAWatcherFollowsAChangeOfTheRate(t *testing.T) {
	for _, states := range []bool{false, true} {
		e, _ := mover(t, engine.Config{})
		stream := e.History().Stream
		if states {
			stream = e.History().StreamStates
		}
		file, over := watchedBy(e, stream)
		for f := range 288 {
			if f == 144 {
				_ = e.SetRate(clock.Hz(120))
			}
			e.Advance(time.Second / 144)
		}
		e.Close()
		if err := <-over; err != nil {
			t.Fatal(err)
		}
		r := read(t, file.Bytes())
		if r.States != states || r.Rate != clock.Hz(60) {
			t.Errorf("states %v, %v a second", r.States, r.Rate)
		}
		f := start(t, r.Config(nil))
		frames := 0
		for ; f.Demanded() < r.Ticks && frames < 1000; frames++ {
			f.Advance(time.Second / 144)
		}
		if took := float64(frames) / 144; took < 1.95 || took > 2.05 {
			t.Errorf("states %v: the run of 2 s took its watcher %v s", states, took)
		}
		if f.Rate() != clock.Hz(120) {
			t.Errorf("states %v: it ends at %v", states, f.Rate())
		}
	}
}

// A recording that begins after a change names the rate that it begins with.
func TestARecordingThatBeginsAfterSetRateNamesTheRightRate(t *testing.T) {
	for _, steps := range []int{0, 7} {
		var file bytes.Buffer
		e, _ := mover(t, engine.Config{})
		e.Step(20)
		if err := e.SetRate(clock.Rate{Num: 2997, Den: 50}); err != nil {
			t.Fatal(err)
		}
		e.Step(1)
		if err := e.History().StartRecording(engine.RecordOptions{W: &file}); err != nil {
			t.Fatal(err)
		}
		e.Step(steps)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if r := read(t, file.Bytes()); r.Rate != (clock.Rate{Num: 2997, Den: 50}) {
			t.Errorf("%d steps: %v a second", steps, r.Rate)
		}
	}
}

// Godot 49426, openrw 297: where steps are quick, the bound on steps in a frame makes the
// world slow at a low frame rate or a high step rate.
func TestASlowPictureDoesNotSlowDownAWorldOfQuickSteps(t *testing.T) {
	norace.Only(t)
	for _, sync := range syncs {
		for _, c := range norace.Some([]struct{ hz, fps int }{{60, 10}, {240, 30}, {60, 5}, {240, 10}, {1000, 60}, {1000, 5}, {30, 4}}, 2) {
			e, b := mover(t, engine.Config{Time: engine.Time{Sync: sync, Rate: clock.Hz(int64(c.hz))}})
			for range 10 * c.fps {
				e.Advance(time.Second / time.Duration(c.fps))
			}
			if d := e.Metrics().Dropped; math.Abs(d) > 1e-9 {
				t.Errorf("%v, %d Hz at %d fps: %v s dropped", sync, c.hz, c.fps, d)
			}
			if x := shownX(e, b); x < 9.4 {
				t.Errorf("%v, %d Hz at %d fps: %v s of 10", sync, c.hz, c.fps, x)
			}
		}
	}
}

// A number is kept, whatever steps cost, and 0 is the default again.
func TestMaxStepsIsTheBoundThatWasAskedFor(t *testing.T) {
	e, _ := mover(t, engine.Config{Time: engine.Time{MaxSteps: 3}})
	if n := e.Advance(200 * time.Millisecond).Steps; n != 3 {
		t.Errorf("%d steps, the bound is 3", n)
	}
	if err := e.SetMaxSteps(0); err != nil {
		t.Fatal(err)
	}
	e.Advance(0)
	if n := e.Advance(200 * time.Millisecond).Steps; n != 12 {
		t.Errorf("%d steps in 0.2 s", n)
	}
}

// ENIGMA 473: a program shows a message box and draws no frame until it is answered. The
// pause is one, however long, and nothing makes up for it.
func TestAPauseInWhichNoFrameIsDrawnLeavesNoJump(t *testing.T) {
	for _, sync := range syncs {
		for name, set := range map[string]func(e *engine.Engine, on bool){
			"pause":      (*engine.Engine).SetPaused,
			"scale of 0": func(e *engine.Engine, on bool) { _ = e.SetScale(map[bool]float64{true: 0, false: 1}[on]) },
		} {
			t.Run(fmt.Sprint(sync, ", ", name), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					e, b := mover(t, engine.Config{Time: engine.Time{Sync: sync, Pacing: engine.PacingOff}})
					defer e.Close()
					frame := func() float64 {
						time.Sleep(10 * time.Millisecond)
						e.Frame()
						synctest.Wait()
						return shownX(e, b)
					}
					var before float64
					for range 50 {
						before = frame()
					}
					for range 2 { // a dialog, and the next one at once
						time.Sleep(2 * time.Millisecond)
						set(e, true)
						time.Sleep(1500 * time.Millisecond)
						set(e, false)
					}
					for i := 1; i < 5; i++ {
						if moved := frame() - before; moved < float64(i)*.0099-.011 || moved > float64(i)*.0101+.012 {
							t.Errorf("frame %d after the pauses: %v m", i, moved)
						}
					}
					if m := e.Metrics(); m.Dropped != 0 || math.Abs(m.Paused-3) > 1e-6 || m.BackwardFrames != 0 {
						t.Errorf("dropped %v s, paused %v s, %d frames backward", m.Dropped, m.Paused, m.BackwardFrames)
					}
				})
			})
		}
	}
}

// bevy_transform_interpolation PR 4 brought Hermite curves to another engine. What turns
// is shown on its circle, whatever way the world is stepped: a velocity belongs to one end
// of its step, and not with every stepper to the same.
func TestHermiteShowsWhatTurnsOnItsCircle(t *testing.T) {
	norace.Only(t)
	pivot := world.Vec{Y: 20}
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		off := func(mode body2d.Smoothing) float64 {
			least, most := math.Inf(1), 0.0 // from the pivot: a joint of the soft step gives a little
			e := start(t, engine.Config{
				World: world.Config{Stepper: stepper}, Time: engine.Time{Sync: renderloop.Lockstep, Smoothing: mode},
				Setup: func(w *world.World) error {
					post, err := w.CreateBody(world.BodyDef{Position: pivot})
					if err != nil {
						return err
					}
					arm, err := w.CreateBody(world.BodyDef{
						Name: "arm", Kind: world.Dynamic, Position: world.Vec{X: 2.5, Y: 20}, NoSleep: true,
						Shapes: []world.ShapeDef{world.Box(2.5, .1)},
					})
					if err != nil {
						return err
					}
					_, err = w.CreateJoint(world.JointDef{
						Kind: world.RevoluteJoint, A: post, B: arm, AnchorB: world.Vec{X: -2.5}, EnableMotor: true, MotorSpeed: 10, MaxMotorForce: 1e7,
					})
					return err
				},
			})
			for f := range 480 {
				e.Advance(time.Second / 240)
				arm, _ := e.Find("arm")
				p, ok := e.Pose(arm)
				if !ok || f < 240 {
					continue
				}
				tip := world.Vec{X: p.CentreX + 2.5*math.Cos(p.Angle), Y: p.CentreY + 2.5*math.Sin(p.Angle)}
				r := math.Hypot(tip.X-pivot.X, tip.Y-pivot.Y)
				least, most = min(least, r), max(most, r)
			}
			return most - least
		}
		line, curve := off(body2d.Interpolate), off(body2d.Hermite)
		t.Logf("%v: %.2f mm off the circle on a straight line, %.2f with Hermite", stepper, 1e3*line, 1e3*curve)
		if curve > 1.2e-3 || curve > line/7 {
			t.Errorf("%v: %.2f mm off the circle, %.2f on a straight line", stepper, 1e3*curve, 1e3*line)
		}
	}
}

// What flies, rolls, slides and bounces is shown no farther from its path than on straight
// lines, but for what nobody sees.
func TestHermiteIsNotWorseThanALineWhereNothingTurns(t *testing.T) {
	norace.Only(t)
	bouncy := world.Circle(.5)
	bouncy.Restitution = .8
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		for name, d := range map[string]world.BodyDef{
			"a box that flies":    {Position: world.Vec{Y: 300}, Velocity: world.Vec{X: 10, Y: 20}, AngularVelocity: 5, Shapes: []world.ShapeDef{world.Box(.5, .5)}},
			"a wheel that rolls":  {Position: world.Vec{X: -50, Y: .5}, Velocity: world.Vec{X: 10}, AngularVelocity: -20, Shapes: []world.ShapeDef{world.Circle(.5)}},
			"a box that slides":   {Position: world.Vec{X: -50, Y: .5}, Velocity: world.Vec{X: 10}, Shapes: []world.ShapeDef{world.Box(.5, .5)}},
			"a box that lies":     {Position: world.Vec{Y: .5}, NoSleep: true, Shapes: []world.ShapeDef{world.Box(.5, .5)}},
			"a ball that bounces": {Position: world.Vec{Y: 3}, Shapes: []world.ShapeDef{bouncy}},
		} {
			off := func(mode body2d.Smoothing) (most float64) {
				e := start(t, engine.Config{
					World: world.Config{Stepper: stepper}, Time: engine.Time{Sync: renderloop.Lockstep, Smoothing: mode},
					Setup: func(w *world.World) error {
						_, err := w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Edge(world.Vec{X: -500}, world.Vec{X: 500})}})
						if err == nil {
							d.Name, d.Kind = "it", world.Dynamic
							_, err = w.CreateBody(d)
						}
						return err
					},
				})
				// The path between two ticks is taken to be the cubic through them and their neighbours.
				var at []engine.Pose
				for range 8 * 150 {
					e.Advance(time.Second / 480)
					it, _ := e.Find("it")
					p, _ := e.Pose(it)
					at = append(at, p)
				}
				for i := 8*30 - 1; i+16 < len(at); i += 8 { // at ticks
					y0, y1, y2, y3 := at[i-8].CentreY, at[i].CentreY, at[i+8].CentreY, at[i+16].CentreY
					if bend := 2 * 10. / 3600; math.Abs(y0-2*y1+y2) > bend || math.Abs(y1-2*y2+y3) > bend {
						continue // a bounce
					}
					for j := 1; j < 8; j++ {
						s := float64(j) / 8
						path := -s*(s-1)*(s-2)/6*y0 + (s+1)*(s-1)*(s-2)/2*y1 - (s+1)*s*(s-2)/2*y2 + (s+1)*s*(s-1)/6*y3
						most = max(most, math.Abs(at[i+j].CentreY-path))
					}
				}
				return most
			}
			line, curve := off(body2d.Interpolate), off(body2d.Hermite)
			t.Logf("%v, %s: %.3f mm on straight lines, %.3f with Hermite", stepper, name, 1e3*line, 1e3*curve)
			// A wheel that rolls fast has a velocity downwards in the soft step.
			if curve > line && curve > .25e-3 {
				t.Errorf("%v, %s: %.3f mm, and on straight lines %.3f", stepper, name, 1e3*curve, 1e3*line)
			}
		}
	}
}

// Godot 110979, bevy_transform_interpolation PR 10: a teleport that keeps the motion, as a
// wrap round the screen, must neither stand nor jump. Where the body is shown, but for the
// width of the screen, is the time that is shown.
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
							// RunAhead learns at first what a frame with a command costs.
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

// wraps is a run in which a body at 10 m/s wraps round a screen of 4 m, twice a second.
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

// A replay and a watcher of states show a shift as the run did, and a reader sees it too.
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

// A rollback past a shift runs it again, and the picture moves once.
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

// In a pause a body is shifted at once, and lies between the same ticks as before.
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

// A setting that was read from a file of another version may name a mode that there is not.
func TestAModeThatDoesNotExistChangesNothing(t *testing.T) {
	e, b := mover(t, engine.Config{Time: engine.Time{Sync: renderloop.Lockstep}})
	e.SetSync(9)
	e.SetSmoothing(9)
	for range 60 {
		e.Advance(time.Second / 100)
	}
	if x := shownX(e, b); e.Sync() != renderloop.Lockstep || math.Abs(x-(.6-1/60.)) > 1e-5 {
		t.Errorf("%d: the picture is at %v s", e.Sync(), x)
	}
	if v := e.Advance(0); v.Smoothing != body2d.Interpolate {
		t.Errorf("smoothing %d", v.Smoothing)
	}
}
