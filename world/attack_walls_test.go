package world_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"halfstep/test/attack"
	"halfstep/world"
)

// steps steps a simulation.
func steps(s *world.Simulation, n int) {
	for range n {
		s.BeginFrame()
		s.Step(s.World().Tick()+1, 1./60)
		s.EndFrame()
	}
}

var steppers = []world.Stepper{world.FastStep, world.SoftStep}

// lump is a body of one or several shapes, about half a metre wide, symmetric about its
// axis.
func lump(r *rand.Rand) []world.ShapeDef {
	a := .1 + .3*r.Float64()
	switch r.IntN(5) {
	case 0:
		return []world.ShapeDef{world.Circle(a)}
	case 1:
		return []world.ShapeDef{world.CircleAt(-a, 0, a), world.CircleAt(a, 0, a)}
	case 2:
		return []world.ShapeDef{world.Box(a, a), world.CircleAt(0, a, .5*a)}
	case 3:
		return []world.ShapeDef{world.Capsule(world.Vec{X: -a}, world.Vec{X: a}, a)}
	}
	return []world.ShapeDef{world.Box(a, .1+.3*r.Float64())}
}

// wall is a thin body that stands upright at x, of any shape and kind.
func wall(r *rand.Rand, x float64) world.BodyDef {
	d := world.BodyDef{Kind: world.BodyKind(r.IntN(3)), Position: world.Vec{X: x}}
	switch r.IntN(4) {
	case 0:
		d.Shapes = []world.ShapeDef{world.Circle(.5 + r.Float64())}
	case 1:
		d.Shapes = []world.ShapeDef{world.Box(.05, 1), world.Box(.02, 4)}
	default:
		d.Shapes = []world.ShapeDef{world.Box(.03+.3*r.Float64(), 5)}
	}
	if d.Kind == world.Static && r.IntN(3) == 0 {
		d.Shapes = []world.ShapeDef{world.Chain(world.Vec{Y: -5}, world.Vec{}, world.Vec{X: .1, Y: 5})}
	}
	return d
}

// excluded makes a body ignore a wall. There are several ways, of which it chooses one.
func excluded(t testing.TB, r *rand.Rand, w *world.World, b, other world.Body) (how string) {
	t.Helper()
	mine, its := must(w.Shapes(b)), must(w.Shapes(other))
	each := func(shapes []world.Shape, f func(world.Shape) error) {
		for _, s := range shapes {
			if err := f(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	switch r.IntN(6) {
	case 0:
		w.SetShouldCollide(func(*world.World, world.Shape, world.Shape) bool { return false })
		return "SetShouldCollide"
	case 1:
		each(its, func(s world.Shape) error { return w.SetFilter(s, world.Filter{Category: 4, Mask: 4}) })
		return "the other's filter"
	case 2:
		each(append(mine, its...), func(s world.Shape) error { return w.SetFilter(s, world.Filter{Category: 1, Mask: 1, Group: -3}) })
		return "a group"
	case 3:
		each(its, func(s world.Shape) error { return w.SetSensor(s, true) })
		return "a sensor"
	case 4:
		if err := w.SetEnabled(other, false); err != nil {
			t.Fatal(err)
		}
		return "SetEnabled"
	}
	w.SetPreSolve(func(_ *world.World, c *world.PreSolveContact) { c.Solid = false })
	return "SetPreSolve"
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A body that ignores obstacles flies on as if they were absent. A room contains its
// body, whatever its walls are and however fast the body is.
func TestAttackWalls(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		way := steppers[r.IntN(len(steppers))]
		speed, bullet, shapes, seed := 110*r.Float64(), r.IntN(2) == 0, lump(r), r.Uint64()
		body := world.BodyDef{
			Kind: world.Dynamic, Bullet: bullet, NoSleep: true, Velocity: world.Vec{X: speed}, AngularVelocity: float64(r.IntN(2)) * r.NormFloat64(), Shapes: shapes,
		}
		fly := func(obstacle bool) (at world.Vec, how string) {
			r := rand.New(rand.NewPCG(seed, 1))
			s := world.NewSimulation(world.Config{Stepper: way, NoGravity: true, Workers: 1})
			defer s.Close()
			b := must(s.World().CreateBody(body))
			for range 1 + r.IntN(2) {
				d := wall(r, 2+8*r.Float64())
				if obstacle {
					how += d.Kind.String() + " by " + excluded(t, r, s.World(), b, must(s.World().CreateBody(d))) + " "
				}
			}
			steps(s, 30)
			return must(s.World().Body(b)).Position, how
		}
		free, _ := fly(false)
		at, how := fly(true)
		// SetPreSolve is called once two shapes touch, and a step may end there for each pair.
		// A wall has at most two shapes.
		pairs := 2 * len(shapes) * strings.Count(how, "SetPreSolve")
		allowed := 1e-6 + float64(pairs)*speed/60
		if math.Abs(at.X-free.X) > allowed || math.Abs(at.Y-free.Y) > allowed {
			t.Errorf("%v: a body at %.1f m/s (bullet: %v, %d shapes) that ignores what it meets (%s) comes to %v, and without it to %v",
				way, speed, bullet, len(shapes), how, at, free)
		}
		room(t, r, way, body)
		a.Count("flights", 2)
	}
}

// room encloses a body with four walls of any kind.
func room(t testing.TB, r *rand.Rand, way world.Stepper, body world.BodyDef) {
	t.Helper()
	s := world.NewSimulation(world.Config{Stepper: way, NoGravity: r.IntN(2) == 0, Workers: 1})
	defer s.Close()
	kind, thick := world.BodyKind(r.IntN(2)), .05+.5*r.Float64()
	for i := range 4 {
		d := world.BodyDef{Kind: kind, Shapes: []world.ShapeDef{world.Box(5+thick, thick)}}
		d.Position.X, d.Position.Y = [4]float64{0, 0, -5, 5}[i], [4]float64{-5, 5, 0, 0}[i]
		if i > 1 {
			d.Angle = math.Pi / 2
		}
		must(s.World().CreateBody(d))
	}
	body.Velocity = world.Vec{X: 100 * r.NormFloat64() / 2, Y: 100 * r.NormFloat64() / 2}
	for i := range body.Shapes {
		body.Shapes[i].Restitution = float64(r.IntN(2)) * r.Float64()
	}
	b := must(s.World().CreateBody(body))
	for i := range 120 {
		steps(s, 1)
		if p := must(s.World().Body(b)).Position; math.Abs(p.X) > 5+thick || math.Abs(p.Y) > 5+thick {
			t.Errorf("%v: a body at %.1f m/s (bullet: %v, %d shapes) left a room of %s walls, %.2f m thick, in step %d: it is at %v",
				way, math.Hypot(body.Velocity.X, body.Velocity.Y), body.Bullet, len(body.Shapes), kind, 2*thick, i+1, p)
			return
		}
	}
}

// A symmetric body that falls straight down on level ground stays on its line.
func TestAttackStraightFalls(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		way, height := steppers[r.IntN(len(steppers))], 200*r.Float64()*r.Float64()
		s := world.NewSimulation(world.Config{Stepper: way, Workers: 1})
		ground := []world.ShapeDef{world.Box(50, .5)}
		if r.IntN(3) == 0 {
			ground = []world.ShapeDef{world.Edge(world.Vec{X: -50, Y: .5}, world.Vec{X: 50, Y: .5})}
		}
		must(s.World().CreateBody(world.BodyDef{Shapes: ground}))
		w, h := .2+.6*r.Float64(), .2+.6*r.Float64()
		x := float64(r.IntN(2)) * 10 * r.NormFloat64()
		b := must(s.World().CreateBody(world.BodyDef{
			Kind: world.Dynamic, NoSleep: true, Position: world.Vec{X: x, Y: .5 + h + height}, Velocity: world.Vec{Y: -float64(r.IntN(2)) * 30 * r.Float64()},
			Shapes: []world.ShapeDef{world.Box(w, h)},
		}))
		steps(s, 900)
		i := must(s.World().Body(b))
		s.Close()
		if math.Abs(i.Position.X-x) > .005 {
			t.Errorf("%v: a box of %.2f m by %.2f m that falls flat from %.1f m ends %.4f m to the side", way, 2*w, 2*h, height, i.Position.X-x)
		}
		a.Count("falls", 1)
	}
}
