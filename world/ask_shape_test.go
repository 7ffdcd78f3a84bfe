package world_test

import (
	"math"
	"testing"

	"halfstep/world"
)

func TestADefinitionSaysItsMassAndItsBox(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	box := world.BoxAt(world.Vec{X: 1}, 2, .5, 0)
	box.Density = 3
	m, err := box.Mass()
	if err != nil || !near(m.Mass, 12) || !near(m.Centre.X, 1) || !near(m.Inertia, 12*(16+1)/12.+12) {
		t.Errorf("%+v, %v", m, err)
	}
	for name, c := range map[string]struct {
		d         world.ShapeDef
		low, high world.Vec
	}{
		"box":     {world.Box(2, .5), world.Vec{X: 9.5, Y: -2}, world.Vec{X: 10.5, Y: 2}},
		"circle":  {world.CircleAt(1, 0, .5), world.Vec{X: 9.5, Y: .5}, world.Vec{X: 10.5, Y: 1.5}},
		"capsule": {world.Capsule(world.Vec{X: -1}, world.Vec{X: 1}, .25), world.Vec{X: 9.75, Y: -1.25}, world.Vec{X: 10.25, Y: 1.25}},
		"chain":   {world.Chain(world.Vec{}, world.Vec{X: 1}, world.Vec{X: 1, Y: -2}), world.Vec{X: 10}, world.Vec{X: 12, Y: 1}},
	} {
		low, high, err := c.d.Bounds(world.Vec{X: 10}, math.Pi/2)
		if err != nil || low.Sub(c.low).Len() > 1e-9 || high.Sub(c.high).Len() > 1e-9 {
			t.Errorf("%s: from %v to %v, %v", name, low, high, err)
		}
	}
	if _, err := world.Circle(-1).Mass(); err == nil {
		t.Error("a circle of -1 m has a mass")
	}
	if _, _, err := world.Circle(1).Bounds(world.Vec{X: math.NaN()}, 0); err == nil {
		t.Error("a circle nowhere has a box")
	}
}

func TestTwoShapesWithoutABodyHaveADistance(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	hit, err := world.ShapeDistance(world.Circle(1), world.Vec{}, 0, world.Box(.5, 2), world.Vec{X: 5}, math.Pi/2)
	if err != nil || !near(hit.Distance, 2) || !near(hit.From.X, 1) || !near(hit.Point.X, 3) || !near(hit.Normal.X, -1) {
		t.Errorf("%+v, %v", hit, err)
	}
	if _, err := world.ShapeDistance(world.Circle(1), world.Vec{}, 0, world.Chain(world.Vec{}, world.Vec{X: 1}), world.Vec{}, 0); err == nil {
		t.Error("a chain has a distance")
	}
}

func TestABodyHasABoxAroundAllOfIt(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s, NoGravity: true})
		b := x.body(world.Dynamic, world.Vec{X: 3, Y: 1}, world.Circle(.5))
		if _, err := x.CreateShape(b, world.BoxAt(world.Vec{X: 2}, 1, .25, 0)); err != nil {
			t.Fatal(err)
		}
		low, high, err := x.Bounds(b)
		if err != nil || low.Sub(world.Vec{X: 2.5, Y: .5}).Len() > 1e-9 || high.Sub(world.Vec{X: 6, Y: 1.5}).Len() > 1e-9 {
			t.Errorf("from %v to %v, %v", low, high, err)
		}
		if _, _, err := x.Bounds(b + 100); err == nil {
			t.Error("nothing has a box")
		}
	})
}

func TestAQuestionLeavesOutKindsAndAnyBodies(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s, NoGravity: true})
		var bodies []world.Body
		for i, kind := range []world.BodyKind{world.Dynamic, world.Kinematic, world.Static, world.Dynamic} {
			bodies = append(bodies, x.body(kind, world.Vec{X: float64(2 + 2*i)}, world.Circle(.5)))
		}
		skip := func(b world.Body) bool { return b == bodies[0] || b == bodies[1] }
		for i, f := range []world.QueryFilter{
			{}, {Kinds: world.OfKind(world.Kinematic) | world.OfKind(world.Static)}, {Skip: skip},
			{Skip: skip, Kinds: world.OfKind(world.Dynamic)},
		} {
			hit, _, err := x.Query(f).RayCast(world.Vec{}, world.Vec{X: 20})
			if err != nil || hit.Body != bodies[i] {
				t.Errorf("question %d finds %v, not %v (%v)", i, hit.Body, bodies[i], err)
			}
		}
	})
}
