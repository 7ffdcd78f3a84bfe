package engine_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/test/norace"
	"halfstep/world"
)

// floor is the setup of a floor whose top is at .5 m.
func floor(restitution float64) func(*world.World) error {
	d := world.Box(20, .5)
	d.Restitution = restitution
	return func(w *world.World) error {
		_, err := w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{d}})
		return err
	}
}

// weightless is an engine without gravity.
func weightless(t *testing.T, s renderloop.Sync, hz int64) *engine.Engine {
	return start(t, engine.Config{World: world.Config{NoGravity: true}, Time: engine.Time{Sync: s, Rate: clock.Hz(hz)}})
}

func between(t *testing.T, what string, got, low, high float64) {
	t.Helper()
	if !(got >= low && got <= high) {
		t.Errorf("%s is %.6g; right is %.6g to %.6g", what, got, low, high)
	}
}

func velocity(e *engine.Engine, b world.Body) (v world.Vec) {
	world.Ask(e.Commands, func(w *world.World) world.Vec { i, _ := w.Body(b); return i.Velocity }, func(_ uint64, is world.Vec) { v = is })
	e.Step(1)
	for range e.Events() {
	}
	return v
}

// In bevy issue 6183 and sbox-issues issue 4318, a player's action was missed in a frame
// without a step, and happened several times in a frame with several steps.
func TestAnImpulseActsOnceAtAnyFrameRate(t *testing.T) {
	norace.Only(t)
	withEachSync(t, func(t *testing.T, s renderloop.Sync) {
		for _, c := range norace.Some([]struct{ hz, fps int64 }{{30, 240}, {240, 30}, {60, 144}, {60, 60}, {10, 144}}, 2) {
			e := weightless(t, s, c.hz)
			b := e.CreateBody(ball(0, 0))
			e.Step(1)
			given := 0.
			for f := range 3 * c.fps {
				if f%(c.fps/4) == 3 {
					given++
					e.Impulse(b, world.Vec{X: math.Pi / 4}) // 1 m/s more
				}
				e.Advance(time.Second / time.Duration(c.fps))
			}
			between(t, fmt.Sprintf("the speed after %g impulses of 1 m/s at %d Hz and %d fps", given, c.hz, c.fps), velocity(e, b).X, given-1e-5, given+1e-5)
		}
	})
}

// In p2.js issue 137 and box2d issue 37, a force of a frame acted only in the first step
// of the frame, so that thrust depended on the rates.
func TestThrustDoesNotDependOnTheRates(t *testing.T) {
	norace.Only(t)
	withEachSync(t, func(t *testing.T, s renderloop.Sync) {
		for _, c := range norace.Some([]struct{ hz, fps int64 }{{30, 240}, {240, 60}, {60, 144}, {60, 60}, {120, 50}}, 2) {
			e := weightless(t, s, c.hz)
			b := e.CreateBody(ball(0, 0))
			e.Step(1)
			for range 2 * c.fps {
				e.Force(b, world.Vec{X: math.Pi / 4}) // 1 m/s²
				e.Advance(time.Second / time.Duration(c.fps))
			}
			off := 2/float64(c.hz) + 2/float64(c.fps)
			between(t, fmt.Sprintf("the speed after 2 s at %d Hz and %d fps", c.hz, c.fps), velocity(e, b).X, 2-off, 2+off)
			for range c.fps / 4 {
				e.Advance(time.Second / time.Duration(c.fps))
			}
			before := velocity(e, b).X
			for range c.fps {
				e.Advance(time.Second / time.Duration(c.fps))
			}
			between(t, "the speed gained without thrust", velocity(e, b).X-before, 0, 0)
		}
	})
}

// In godot issues 59173, 92391 and 94060 and in p2.js issue 299, a new or moved body was
// first seen at the origin, or on a streak from the origin.
func TestABodyIsNeverSeenMoreThanAStepBeforeItsPlace(t *testing.T) {
	norace.Only(t)
	withEachSync(t, func(t *testing.T, s renderloop.Sync) {
		for _, mode := range []body2d.Smoothing{body2d.Interpolate, body2d.Extrapolate, body2d.Hermite, body2d.Newest} {
			for _, fps := range []int{144, 60, 20} {
				e := weightless(t, s, 60)
				e.SetSmoothing(mode)
				for range 10 {
					e.Advance(time.Second / time.Duration(fps))
				}
				d := ball(50, 20)
				d.Velocity = world.Vec{X: 10}
				made := e.CreateBody(d)
				moved := e.CreateBody(ball(0, 0)) // an instance of a scene, which is moved to its position afterwards
				e.Teleport(moved, world.Vec{X: -30, Y: 7}, 1)
				last, ahead := 50., 4./60+2/float64(fps)                  // RunAhead shows the instant at which the frame is seen
				if mode == body2d.Interpolate || mode == body2d.Hermite { // the body arrives along its velocity
					last -= 10. / 60
				}
				for range 30 {
					e.Advance(time.Second / time.Duration(fps))
					if p, ok := e.Pose(made); ok {
						between(t, fmt.Sprintf("%v at %d fps: x of what was made at 50 m", mode, fps), p.X, last-1e-4, last+10*ahead)
						between(t, "its y", p.Y, 20, 20)
						last = p.X
					}
					if p, ok := e.Pose(moved); ok {
						between(t, fmt.Sprintf("%v at %d fps: x of what was made and moved", mode, fps), p.X, -30, -30)
						between(t, "its angle", p.Angle, 1-1e-6, 1+1e-6)
					}
				}
			}
		}
	})
}

// In netfox issue 234 a turning body stuttered between the angles π and -π.
func TestWhatTurnsPassesHalfATurnEvenly(t *testing.T) {
	norace.Only(t)
	withEachSync(t, func(t *testing.T, s renderloop.Sync) {
		for _, mode := range []body2d.Smoothing{body2d.Interpolate, body2d.Extrapolate, body2d.Hermite} {
			for _, omega := range []float64{3, -11} {
				e := weightless(t, s, 60)
				e.SetSmoothing(mode)
				d := ball(0, 0)
				d.AngularVelocity = omega
				b := e.CreateBody(d)
				for range 30 {
					e.Advance(time.Second / 144)
				}
				p, _ := e.Pose(b)
				for range 300 {
					last := p.Angle
					e.Advance(time.Second / 144)
					p, _ = e.Pose(b)
					between(t, fmt.Sprintf("%v: the speed seen, of %g rad/s", mode, omega), (p.Angle-last)*144/omega, .99, 1.01)
				}
			}
		}
	})
}

// In com.unity.netcode.gameobjects issue 1759, stride issue 2681 and godot issue 97027, a
// teleport was blended if something else changed in the same frame or between two ticks.
func TestATeleportIsNeverBlended(t *testing.T) {
	norace.Only(t)
	withEachSync(t, func(t *testing.T, s renderloop.Sync) {
		for _, fps := range []int{144, 60, 25} {
			e, b := mover(t, engine.Config{Time: engine.Time{Sync: s}})
			there := 0.
			for f := range 120 {
				if f%10 == 5 {
					there = 100 - there
					e.SetVelocity(b, world.Vec{X: 2})
					e.Teleport(b, world.Vec{X: there}, 0)
					e.Impulse(b, world.Vec{X: -.5})
					e.Force(b, world.Vec{Y: 1})
				}
				if f%10 == 6 {
					e.SetVelocity(b, world.Vec{X: 1})
				}
				e.Advance(time.Second / time.Duration(fps))
				if p, ok := e.Pose(b); ok && p.X > 3 && p.X < 99.9 {
					t.Errorf("at %d fps it is seen at %g m, between two places", fps, p.X)
				}
			}
		}
	})
}

// In phaser issue 4603 a manual step of another length moved bodies by the same distance.
func TestAFrameMovesThePictureByItsOwnLength(t *testing.T) {
	withEachSync(t, func(t *testing.T, s renderloop.Sync) {
		e, b := mover(t, engine.Config{Time: engine.Time{Sync: s}})
		for range 30 {
			e.Advance(16 * time.Millisecond)
		}
		from, sum, last := shownX(e, b), 0., 0.
		for k := range 60 {
			ms := 1 + (k*37)%60
			e.Advance(time.Duration(ms) * time.Millisecond)
			sum += float64(ms) / 1000
			way := shownX(e, b) - from
			trails := .06 + 2./60 // of Pipelined, a frame
			between(t, "the way after some frames", way, sum-trails, sum+trails)
			between(t, "the way in a frame", way-last, 0, .06+.035)
			last = way
		}
	})
}

// In JoltPhysics.js issue 25 and defold issue 9252, after a tab had been in the
// background, all the time was simulated at once, and bodies left the world.
func TestAnHourInTheBackgroundIsNotMadeUpFor(t *testing.T) {
	withEachSync(t, func(t *testing.T, s renderloop.Sync) {
		e, b := mover(t, engine.Config{Time: engine.Time{Sync: s}})
		for range 60 {
			e.Advance(time.Second / 60)
		}
		before := shownX(e, b)
		e.Advance(time.Hour)
		for range 60 {
			e.Advance(time.Second / 60)
		}
		between(t, "the way in that hour and a second", shownX(e, b)-before, 1, 1.3)
		between(t, "what the ledger says was dropped, s", e.Ledger().Dropped(), 3599, 3600)
	})
}

// In OpenRA issue 13312 and widelands issue 6094, a replay that was started again in the
// middle differed.
func TestAReplayThatBeginsAnewIsTheSame(t *testing.T) {
	norace.Only(t)
	var file bytes.Buffer
	e := start(t, engine.Config{Setup: floor(0), History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file}}})
	for f := range 200 {
		if f%9 == 0 {
			e.CreateBody(ball(.1*float64(f%7), 5))
		}
		e.Advance(time.Second / 60)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	again := start(t, read(t, file.Bytes()).Config(floor(0)))
	var first []engine.Pose
	for round := range 3 {
		for _, frames := range []int{130, 40, 70} { // the replay is started again in the middle twice
			if err := again.History().Seek(0); err != nil {
				t.Fatal(err)
			}
			for range frames + 4 {
				again.Advance(time.Second / 60)
			}
		}
		if err := again.History().Seek(150); err != nil {
			t.Fatal(err)
		}
		again.Advance(time.Second / 60)
		var poses []engine.Pose
		for b := 1; b < 18; b++ {
			p, _ := again.Pose(world.Body(b))
			poses = append(poses, p)
		}
		if round == 0 {
			first = poses
		}
		for i := range poses {
			if poses[i] != first[i] {
				t.Fatalf("body %d is at %+v, and was at %+v the first time", i+1, poses[i], first[i])
			}
		}
		if err := again.Failure(); err != nil {
			t.Fatal(err)
		}
	}
}

// In CW4-bug-tracker issue 934, repeated pausing made more or fewer steps than the time
// that passed.
func TestPausingOftenLosesAndGainsNoTime(t *testing.T) {
	withEachSync(t, func(t *testing.T, s renderloop.Sync) {
		e, b := mover(t, engine.Config{Time: engine.Time{Sync: s}})
		ran := 0.
		for f := range 600 {
			e.SetPaused(f%3 == 1)
			e.Advance(7 * time.Millisecond)
			if f%3 != 1 {
				ran += .007
			}
		}
		e.SetPaused(false)
		// RunAhead moves to the shown instant before it pauses, and the ledger accounts for that
		// time
		between(t, "the way", shownX(e, b), ran-.06, ran+e.Ledger().Stepped()+.03)
		between(t, "what was dropped, s", e.Ledger().Dropped(), 0, 0)
		ns, frac := e.Ledger().Imbalance()
		between(t, "the ledger's imbalance", math.Abs(float64(ns))+math.Abs(float64(frac)), 0, 0)
	})
}

// In box2dweb issue 45 a simulation that was run a second time ran twice as fast.
func TestASecondEngineRunsAtTheSameSpeed(t *testing.T) {
	withEachSync(t, func(t *testing.T, s renderloop.Sync) {
		run := func() (float64, *engine.Engine) {
			e, b := mover(t, engine.Config{Time: engine.Time{Sync: s}})
			for range 100 {
				e.Advance(time.Second / 100)
			}
			return shownX(e, b), e
		}
		first, e := run()
		if beside, _ := run(); beside != first {
			t.Errorf("beside the first it comes to %g m, and the first to %g", beside, first)
		}
		e.Close()
		if after, _ := run(); after != first {
			t.Errorf("after the first it comes to %g m, and the first to %g", after, first)
		}
	})
}

// In iyes_loopless issue 49 the remainder of the accumulator changed only with a tick, so that interpolation had no
// effect.
func TestThePictureMovesInEachFrameBetweenTwoTicks(t *testing.T) {
	withEachSync(t, func(t *testing.T, s renderloop.Sync) {
		e, b := mover(t, engine.Config{Time: engine.Time{Sync: s, Rate: clock.Hz(10)}})
		for range 60 {
			e.Advance(time.Second / 120)
		}
		last := shownX(e, b)
		for range 240 {
			e.Advance(time.Second / 120)
			x := shownX(e, b)
			between(t, "the speed seen", (x-last)*120, .999, 1.001)
			last = x
		}
	})
}

// In Phaser issue 4729, with several steps in a frame, a rider was pushed ahead of its platform and dipped into
// it.
func TestARiderIsSeenOnItsPlatformAtAnyFrameRate(t *testing.T) {
	norace.Only(t)
	withEachSync(t, func(t *testing.T, s renderloop.Sync) {
		for _, fps := range []int{144, 60, 30, 17} {
			var lift, rider world.Body
			e := start(t, engine.Config{Time: engine.Time{Sync: s}, Setup: func(w *world.World) (err error) {
				d := world.Box(2, .1)
				d.Friction = 1
				if lift, err = w.CreateBody(world.BodyDef{Kind: world.Kinematic, Shapes: []world.ShapeDef{d}}); err == nil {
					rider, err = w.CreateBody(world.BodyDef{Kind: world.Dynamic, NoSleep: true, Position: world.Vec{Y: .615}, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
				}
				return err
			}})
			for range fps {
				e.Advance(time.Second / time.Duration(fps))
			}
			e.SetVelocity(lift, world.Vec{X: 2, Y: 1})
			for f := range 2 * fps {
				e.Advance(time.Second / time.Duration(fps))
				p, _ := e.Pose(lift)
				q, _ := e.Pose(rider)
				if f > fps {
					between(t, fmt.Sprintf("the rider's height over the platform at %d fps", fps), q.Y-p.Y, .6, .62)
				}
				between(t, fmt.Sprintf("the rider ahead of the platform at %d fps", fps), q.X-p.X, -.3, .001)
			}
		}
	})
}

// In defold issue 9409 contacts that were drawn for debugging flickered, because frames without a step
// had none.
func TestDebugContactsAreThereInEachFrame(t *testing.T) {
	withEachSync(t, func(t *testing.T, s renderloop.Sync) {
		for _, fps := range []int{144, 30} {
			e := start(t, engine.Config{Time: engine.Time{Sync: s, Rate: clock.Hz(30)}, Setup: floor(0)})
			e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: 1}, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
			e.SetDebugLayers(body2d.ContactsLayer)
			for range fps {
				e.Advance(time.Second / time.Duration(fps))
			}
			for range 3 * fps { // it falls asleep meanwhile
				v := e.Advance(time.Second / time.Duration(fps))
				if v.Debug == nil || len(v.Debug.Contacts) != 2 {
					t.Fatalf("at %d fps a frame at tick %d has not the two points of the box", fps, v.Tick)
				}
			}
		}
	})
}

// In defold issue 10917, with several steps in a frame, listeners got contacts only once
// in the frame.
func TestEachStepsContactsAreToldWithTheirTick(t *testing.T) {
	norace.Only(t)
	withEachSync(t, func(t *testing.T, s renderloop.Sync) {
		told := func(fps int) (events []string) {
			e := start(t, engine.Config{Time: engine.Time{Sync: s}, Setup: floor(1)})
			e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: 1.05}, Shapes: []world.ShapeDef{world.Circle(.5)}, Velocity: world.Vec{Y: -1.2}})
			for range 4 * fps {
				v := e.Advance(time.Second / time.Duration(fps))
				for ev := range e.Events() {
					if ev.Tick > v.Tick+1 && s != renderloop.RunAhead {
						t.Errorf("an event of tick %d in a frame that shows tick %d", ev.Tick, v.Tick)
					}
					if ev.Tick < 180 {
						events = append(events, ev.String())
					}
				}
			}
			return events
		}
		many, few := told(240), told(20)
		if len(many) < 10 || fmt.Sprint(many) != fmt.Sprint(few) {
			t.Errorf("at 240 fps there are %d events, and at 20 fps %d, or others", len(many), len(few))
		}
	})
}
