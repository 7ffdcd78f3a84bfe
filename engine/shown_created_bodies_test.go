package engine_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/world"
)

// shooter is a cart that moves at 10 m/s and turns. A command or a callback creates a ball above
// the cart, with the cart's velocities.
type shooter struct {
	cart world.Body
	by   string // by is the callback that creates the ball at tick 30. If it is empty, a command creates the ball.
}

func (s *shooter) fire(w *world.World) {
	at, _ := w.Body(s.cart)
	_, _ = w.CreateBody(world.BodyDef{
		Name: "ball", Kind: world.Dynamic, NoGravity: true, Velocity: at.Velocity, AngularVelocity: at.AngularVelocity, Angle: at.Angle,
		Position: at.Position.Add(world.Vec{Y: 3}), Shapes: []world.ShapeDef{world.Circle(.1)},
	})
}

func (s *shooter) setup(w *world.World) (err error) {
	s.cart, err = w.CreateBody(world.BodyDef{
		Name: "cart", Kind: world.Kinematic, Velocity: world.Vec{X: 10}, AngularVelocity: 4, Shapes: []world.ShapeDef{world.Circle(1)},
	})
	w.Register("fire", func(w *world.World, _ []float64) { s.fire(w) })
	w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
		if s.by == "controller" && w.Tick() == 30 {
			s.fire(w)
		}
	}))
	w.AddContactHook(func(w *world.World, _ []world.Event) {
		if s.by == "hook" && w.Tick() == 30 {
			s.fire(w)
		}
	})
	return err
}

// apart returns how far the shown ball is from the position beside the cart at which it was
// created, in m and in rad. Without a ball it returns 0.
func apart(e *engine.Engine) (by, turned float64) {
	cart, _ := e.Find("cart")
	ball, _ := e.Find("ball")
	c, _ := e.Pose(cart)
	b, ok := e.Pose(ball)
	if !ok {
		return 0, 0
	}
	return math.Abs(b.X - c.X), math.Abs(b.Angle - c.Angle)
}

func TestABodyThatIsMadeIsShownBesideWhatItWasMadeAt(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
			for _, by := range []string{"command", "controller", "hook"} {
				for _, fps := range []time.Duration{144, 60, 23} {
					s := &shooter{by: by}
					e := start(t, engine.Config{Setup: s.setup, World: world.Config{Stepper: stepper}, Time: engine.Time{Sync: sync}})
					for f := range fps {
						if f == fps/2 && by == "command" {
							e.DoNamed("fire")
						}
						e.Advance(time.Second / fps)
						if x, a := apart(e); x > 1e-5 || a > 1e-5 {
							t.Fatalf("%v, %v, %s, %d frames a second: frame %d shows it %v m and %v rad away", sync, stepper, by, fps, f, x, a)
						}
						ball, _ := e.Find("ball")
						if p, c, ok := e.States(ball); ok && math.Abs(float64(c.X-p.X)-10*e.View().Dt) > 1e-5 {
							t.Fatalf("%v, %v, %s: its states are %v m apart", sync, stepper, by, c.X-p.X)
						}
					}
					if _, ok := e.Find("ball"); !ok {
						t.Fatalf("%v, %s: no ball", sync, by)
					}
				}
			}
		}
	}
}

func TestABodyThatIsMadeWhileTimeStandsIsWhereItIsAndGoesOnFromThere(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		e := start(t, engine.Config{Setup: new(shooter).setup, Time: engine.Time{Sync: sync}})
		advance := func(n int) {
			for range n {
				e.Advance(time.Second / 144)
			}
		}
		advance(73)
		e.SetPaused(true)
		advance(4)
		b := e.CreateBody(world.BodyDef{Kind: world.Kinematic, Velocity: world.Vec{X: 10}, Position: world.Vec{X: 3}, Shapes: []world.ShapeDef{world.Circle(1)}})
		advance(3)
		if p, ok := e.Pose(b); !ok || p.X != 3 {
			t.Errorf("%v: it is at %v m, %v", sync, p.X, ok)
		}
		e.SetPaused(false)
		for x := 3.; x < 5; advance(1) {
			p, _ := e.Pose(b)
			if p.X < x || p.X > x+.2 {
				t.Fatalf("%v: after %v m it is at %v m", sync, x, p.X)
			}
			x = p.X
		}
	}
}

func TestABodyThatIsMadeIsShownInAReplayAsInTheRun(t *testing.T) {
	var file bytes.Buffer
	s := new(shooter)
	e, err := engine.New(engine.Config{
		Setup: s.setup, Time: engine.Time{Simulated: true, Sync: renderloop.Lockstep},
		History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, States: true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	picture := func(e *engine.Engine) string {
		ball, _ := e.Find("ball")
		p, ok := e.Pose(ball)
		return fmt.Sprint(p, ok)
	}
	run := func(e *engine.Engine, frames func(int)) (pictures []string) {
		for f := range 144 {
			frames(f)
			e.Advance(time.Second / 144)
			pictures = append(pictures, picture(e))
		}
		return pictures
	}
	want := run(e, func(f int) {
		if f == 70 {
			e.DoNamed("fire")
		}
	})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for _, states := range []bool{false, true} {
		r, err := engine.ReadOptions{States: states}.Read(bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		setup := new(shooter).setup
		if states {
			setup = nil
		}
		c := r.Config(setup)
		c.Time.Simulated, c.Time.Sync = true, renderloop.Lockstep
		again := start(t, c)
		late := 0 // a replay carries a command out together with the next step
		for f, got := range run(again, func(int) {}) {
			if again.Failure() != nil {
				t.Fatal(again.Failure())
			}
			if got != want[f] {
				if late++; late > 2 || got != "{0 0 0 0 0} false" {
					t.Fatalf("states %v: frame %d shows %s, not %s", states, f, got, want[f])
				}
			}
		}
	}
}

// A callback creates the ball again in each rollback and each correction.
func TestABodyThatIsMadeAnewByARollbackOrACorrectionStaysBesideWhatItWasMadeAt(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		for _, by := range []string{"controller", "hook"} {
			for _, blend := range []time.Duration{0, 100 * time.Millisecond} {
				s := &shooter{by: by}
				c := engine.Config{Setup: s.setup, Time: engine.Time{Sync: sync}}
				if c.History.Rollback.Blend = blend; sync != renderloop.RunAhead {
					c.History.Rollback.Ticks = 16
				}
				e := start(t, c)
				shown := 0
				for f := range 110 {
					if e.Nothing(); sync != renderloop.RunAhead && e.Demanded() > 31 && e.Demanded() < 38 {
						if err := e.History().Rollback(29, nil); err != nil {
							t.Fatal(err)
						}
					}
					e.Advance(time.Second / 144)
					if x, a := apart(e); x > 1e-5 || a > 1e-5 {
						t.Fatalf("%v, %s, blend %v: frame %d shows it %v m and %v rad away", sync, by, blend, f, x, a)
					}
					if _, ok := e.Find("ball"); ok {
						shown++
					}
				}
				if shown < 20 || e.Failure() != nil {
					t.Errorf("%v, %s: it is shown in %d frames, %v", sync, by, shown, e.Failure())
				}
			}
		}
	}
}
