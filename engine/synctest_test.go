package engine_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/internal/exports"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/world"
)

// syncTested runs a program under a sync test, and returns the Failure of the run.
func syncTested(t *testing.T, c engine.Config, ticks int) error {
	t.Helper()
	c.Time.Simulated = true
	c.Testing.SyncTest = 5
	e := start(t, c)
	for range ticks {
		e.Step(1)
		if err := e.Failure(); err != nil {
			return err
		}
		for range e.Events() {
		}
	}
	return nil
}

// Three programs forget to register a variable. The same programs are also run with World.Keep.
func TestASyncTestFindsAForgottenVariableWithTickBodyAndValue(t *testing.T) {
	norace.Only(t)
	crate := func(w *world.World) world.Body {
		b, err := w.CreateBody(world.BodyDef{
			Name: "crate", Kind: world.Dynamic, Position: world.Vec{Y: 1}, NoSleep: true, Shapes: []world.ShapeDef{world.Box(.5, .5)},
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.CreateBody(world.BodyDef{Name: "ground", Shapes: []world.ShapeDef{world.Box(20, .5)}}); err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, program := range []struct {
		name, wants string
		config      func(kept bool) engine.Config
	}{
		{"a controller that counts", `tick 1 differs when it runs again: body w1 ("crate"): x was `, func(kept bool) engine.Config {
			return engine.Config{Setup: func(w *world.World) error {
				b, n := crate(w), 0
				if kept {
					w.Keep(&n)
				}
				w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
					if n++; n == 7 {
						_ = w.SetVelocity(b, world.Vec{X: 2})
					}
				}))
				return nil
			}}
		}},
		{"a contact hook that remembers", `("crate"): gravityScale was 1 and is -1 `, func(kept bool) engine.Config {
			return engine.Config{Setup: func(w *world.World) error {
				b, landed := crate(w), false
				if kept {
					w.Keep(&landed)
				}
				w.AddContactHook(func(w *world.World, events []world.Event) {
					if landed {
						_ = w.SetGravityScale(b, -1)
					}
					landed = landed || len(events) > 0
				})
				return nil
			}}
		}},
		{"a system with random numbers of its own", `("crate"): x was `, func(kept bool) engine.Config {
			source := rand.NewPCG(1, 2)
			random := rand.New(source)
			return engine.Config{Setup: func(w *world.World) error {
				b := crate(w)
				if kept {
					w.AddState(source)
				}
				w.AddControllerEvery(6, world.ControllerFunc(func(w *world.World, _ float64) {
					_ = w.Impulse(b, world.Vec{X: random.Float64()})
				}))
				return nil
			}}
		}},
		{"an OnStep that decides", `body w1 ("crate"): x was `, func(kept bool) engine.Config {
			wish := 0.0
			return engine.Config{
				OnStep: func(tick uint64, _ time.Duration) {
					if !kept {
						wish = float64(tick % 4)
					}
				},
				Setup: func(w *world.World) error {
					b := crate(w)
					w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
						_ = w.SetAngularVelocity(b, wish)
					}))
					return nil
				},
			}
		}},
	} {
		for _, way := range norace.Some([]world.Stepper{world.FastStep, world.SoftStep}, 1) {
			c := program.config(false)
			c.World.Stepper = way
			err := syncTested(t, c, 120)
			if err == nil || !strings.Contains(err.Error(), "sync test: tick ") || !strings.Contains(err.Error(), program.wants) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s, %v: %v", program.name, way, err)
			}
			c = program.config(true)
			c.World.Stepper = way
			if err := syncTested(t, c, 120); err != nil {
				t.Errorf("%s, %v, with all kept: %v", program.name, way, err)
			}
		}
	}
}

// Commands, hooks that create bodies, and events are the same as without a sync test.
func TestASyncTestChangesNothingThatCanBeSeen(t *testing.T) {
	norace.Only(t)
	for _, way := range []world.Stepper{world.FastStep, world.SoftStep} {
		type seen struct {
			hash   uint64
			events []exports.EventKey
		}
		run := func(back int) (s seen) {
			a := new(arena)
			e := start(t, engine.Config{
				Setup: a.setup, World: world.Config{Stepper: way}, Time: engine.Time{Simulated: true}, Testing: engine.Testing{SyncTest: back},
			})
			r := rand.New(rand.NewPCG(3, 4))
			for tick := range 200 {
				for range r.IntN(3) {
					e.Impulse(a.boxes[r.IntN(len(a.boxes))], world.Vec{X: 9 * r.NormFloat64(), Y: 9 * r.NormFloat64()})
				}
				if tick%50 == 20 {
					e.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Box(.2, .2), world.CircleAt(.3, 0, .2)}})
				}
				e.Advance(time.Second / 50)
				for ev := range e.Events() {
					s.events = append(s.events, private.EventKey(&ev))
				}
			}
			if err := e.Failure(); err != nil {
				t.Fatalf("%v: %v", way, err)
			}
			e.Do(func(w *world.World) { s.hash = w.Hash() })
			e.Step(0)
			e.Close()
			return s
		}
		plain, tested := run(0), run(4)
		if plain.hash != tested.hash || len(plain.events) != len(tested.events) || len(plain.events) < 50 {
			t.Errorf("%v: hash %x and %d events, not %x and %d", way, tested.hash, len(tested.events), plain.hash, len(plain.events))
		}
		for i, k := range plain.events {
			if i < len(tested.events) && tested.events[i] != k {
				t.Errorf("%v: event %d is %+v, not %+v", way, i, tested.events[i], k)
				break
			}
		}
	}
}

func TestASyncTestOfTicksThatCanNotBeKeptIsRefused(t *testing.T) {
	for _, n := range []int{-1, 3601} {
		if _, err := engine.New(engine.Config{Testing: engine.Testing{SyncTest: n}}); err == nil || !strings.Contains(err.Error(), "sync test") {
			t.Errorf("%d ticks: %v", n, err)
		}
	}
}

// Bodies that callbacks create have new handles after a rollback, and the sync test takes this
// into account. When a tick runs again, its frames have other numbers.
func TestASyncTestHoldsWithASnapshotOfForcesThatWait(t *testing.T) {
	var b world.Body
	e := start(t, engine.Config{
		Time: engine.Time{Simulated: true}, Testing: engine.Testing{SyncTest: 3},
		Setup: func(w *world.World) (err error) {
			b, err = w.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(1)}})
			return err
		},
	})
	for i := range 30 {
		e.Force(b, world.Vec{X: 1})
		e.Commands.KeepSnapshot(i % 3)
		e.Step(1)
		if err := e.Failure(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestASyncTestHoldsBesideRollbacks(t *testing.T) {
	e := start(t, engine.Config{
		Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 10}}, Testing: engine.Testing{SyncTest: 4},
		Setup: func(w *world.World) error {
			w.AddControllerEvery(3, world.ControllerFunc(func(w *world.World, _ float64) {
				if _, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(.1)}}); err != nil {
					t.Error(err)
				}
			}))
			return nil
		},
	})
	for tick := range uint64(60) {
		e.Step(1)
		if tick%5 == 4 {
			if err := e.History().Rollback(e.Demanded()-2-tick%3, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := e.Failure(); err != nil {
		t.Error(err)
	}
}

// A force was given some frames ago and waits for a frame that has a step. The steps of RunAhead
// are in frames of their own, so that a snapshot of such a step must not contain the number of the
// frame.
func TestASyncTestInRunAheadFindsNothingWrongWithAForceThatWaited(t *testing.T) {
	e, err := engine.New(engine.Config{
		Time: engine.Time{Simulated: true, Sync: renderloop.RunAhead}, Testing: engine.Testing{SyncTest: 3},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ball := e.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(.5)}})
	e.Step(2)
	for range 2 {
		e.Advance(time.Second / 30)
	}
	e.Force(ball, world.Vec{X: 3})
	e.Advance(0)
	for range 4 {
		e.Advance(time.Second / 26)
	}
	if err := e.Failure(); err != nil {
		t.Error(err)
	}
}

// A loaded world is compared as a whole before its first step. The same holds for a world whose
// Box2D objects a function has used. Edits before that step must still be found.
func TestASyncTestHoldsForAWorldThatIsEditedAfterItWasLoaded(t *testing.T) {
	norace.Only(t)
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 69))
		way := [...]world.Stepper{world.FastStep, world.SoftStep}[seed%2]
		var boxes []world.Body
		functions := func(w *world.World) error {
			w.Register("a look at Box2D's world", func(w *world.World, _ []float64) { w.Box2D() })
			return nil
		}
		c := engine.Config{World: world.Config{Stepper: way, Workers: 1}, Setup: func(w *world.World) error {
			_, err := w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Box(20, .5)}})
			for i := range 6 {
				d := world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(i%3) - 1, Y: 1 + float64(i/3)}, Shapes: []world.ShapeDef{world.Box(.4, .4)}}
				if i%2 == 0 {
					d.Mass = &world.Mass{Mass: 1, Inertia: 1}
				}
				b, made := w.CreateBody(d)
				boxes = append(boxes, b)
				err = errors.Join(err, made)
			}
			return errors.Join(err, functions(w))
		}}
		e := start(t, c)
		e.Step(int(r.IntN(40)))
		var data []byte
		e.Inspect(func(w *world.World) {
			var s world.Snapshot
			if err := w.Snapshot(&s); err != nil {
				t.Fatal(err)
			}
			data, _ = s.MarshalBinary()
		})
		e.Step(0)
		e.Close()
		var err error
		if c.History.Snapshot, err = world.LoadSnapshot(data); err != nil {
			t.Fatal(err)
		}
		c.Setup, c.Testing.SyncTest = functions, 1+int(seed%4)
		e = start(t, c)
		for range 60 {
			for range r.IntN(5) {
				b := boxes[r.IntN(len(boxes))]
				by := world.Vec{X: r.NormFloat64()}
				switch r.IntN(11) {
				case 0:
					e.Force(b, by)
				case 1:
					s := e.CreateShape(b, world.CircleAt(by.X, 0, .2))
					e.SetFriction(s, r.Float64())
					e.SetDensity(s, r.Float64())
				case 2:
					e.DestroyShape(e.CreateShape(b, world.CircleAt(by.X, 0, .2)))
				case 3:
					e.Shift(b, by)
					e.Shift(b, by.Mul(-1))
				case 4:
					e.SetFixedRotation(b, true)
					e.SetFixedRotation(b, false)
				case 5:
					e.SetKind(b, world.Static)
					e.SetKind(b, world.Dynamic)
				case 6:
					e.Teleport(b, world.Vec{X: by.X, Y: 3}, 0)
				case 7, 8:
					e.KeepSnapshot(r.IntN(3))
				case 9:
					e.DoNamed("a look at Box2D's world")
				case 10:
					e.SetEnabled(b, false)
					e.SetEnabled(b, true)
				}
			}
			e.Step(1)
			for range e.Events() {
			}
			if err := e.Failure(); err != nil {
				t.Fatalf("seed %d, %v, tick %d: %v", seed, way, e.Demanded(), err)
			}
		}
		e.Close()
	}
}
