package world_test

import (
	"math"
	"testing"

	"halfstep/world"
)

// box2d issues 95 and 318, godot issue 87517: a ray's normal was the same from both sides of an
// edge, or not at right angles to it, or zero from one side.
func TestARaysNormalPointsAtTheRay(t *testing.T) {
	x := newSituation(t, world.Config{})
	const angle = .7
	x.made(world.BodyDef{Angle: angle, Shapes: []world.ShapeDef{world.Edge(world.Vec{X: -5}, world.Vec{X: 5})}})
	box := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 20}, Shapes: []world.ShapeDef{world.Box(1, 1)}})
	q := x.Query(world.QueryFilter{})
	for k := range 64 {
		sin, cos := math.Sincos(2 * math.Pi * (float64(k) + .5) / 64)
		hit, ok, err := q.RayCast(world.Vec{X: 3 * cos, Y: 3 * sin}, world.Vec{X: -3 * cos, Y: -3 * sin})
		if err != nil || !ok {
			t.Fatalf("ray %d meets nothing: %v", k, err)
		}
		along := hit.Normal.X*math.Cos(angle) + hit.Normal.Y*math.Sin(angle)
		x.between("the normal along the edge", along, -1e-9, 1e-9)
		x.between("the normal along the ray", hit.Normal.X*-cos+hit.Normal.Y*-sin, -1, -1e-9)
		hit, ok, err = q.RayCast(world.Vec{X: 20 + 3*cos, Y: 3 * sin}, world.Vec{X: 20, Y: 0})
		if err != nil || !ok || hit.Body != box {
			t.Fatalf("ray %d misses the box: %v", k, err)
		}
		x.between("the length of the box's normal", math.Hypot(hit.Normal.X, hit.Normal.Y), 1-1e-9, 1+1e-9)
		x.between("the box's normal along the ray", hit.Normal.X*-cos+hit.Normal.Y*-sin, -1, -.7)
	}
}

// box2d issue 935: casts along the ground on which a body stands.
func TestACastAlongWhatABodyStandsOnMeetsOnlyWhatRisesAboveIt(t *testing.T) {
	floors := map[string]func(x *situation){
		"tiles": func(x *situation) {
			for i := range 20 {
				x.body(world.Static, world.Vec{X: float64(i), Y: -.5}, world.Box(.5, .5))
			}
		},
		"tiles of several sizes": func(x *situation) {
			for i := range 20 {
				h := .1 + .3*float64(i%3)
				x.body(world.Static, world.Vec{X: float64(i), Y: -h}, world.Box(.5, h))
			}
		},
		"a chain": func(x *situation) {
			var p []world.Vec
			for i := range 40 {
				p = append(p, world.Vec{X: float64(i)/2 - 1})
			}
			x.body(world.Static, world.Vec{}, world.Chain(p...))
		},
		"a chain that goes down": func(x *situation) {
			x.body(world.Static, world.Vec{}, world.Chain(world.Vec{X: -2}, world.Vec{X: 1.5}, world.Vec{X: 4, Y: -1}, world.Vec{X: 20, Y: -1}))
		},
		"edges": func(x *situation) {
			for i := range 20 {
				x.body(world.Static, world.Vec{X: float64(i)}, world.Edge(world.Vec{X: -.5}, world.Vec{X: .5}))
			}
		},
	}
	probes := map[string]world.ShapeDef{
		"box": world.Box(.4, .4), "circle": world.Circle(.4), "capsule": world.Capsule(world.Vec{Y: -.1}, world.Vec{Y: .1}, .3),
		"triangle": world.Polygon(world.Vec{X: -.4, Y: -.4}, world.Vec{X: .4, Y: -.4}, world.Vec{Y: .4}),
	}
	const wallAt, stepAt = 15., 12.
	for floor, build := range floors {
		x := newSituation(t, world.Config{})
		build(x)
		wall := x.body(world.Static, world.Vec{X: wallAt + .5, Y: 2}, world.Box(.5, 2))
		for probe, d := range probes {
			for _, sunk := range []float64{0, 1e-12, 1e-6, 2e-4, .003} {
				for _, tilt := range []float64{0, 1e-5, -1e-5} {
					for from := 0.; from < 1.2; from += .1 {
						at := world.Vec{X: from, Y: .4 - sunk}
						h, ok, err := x.Query(world.QueryFilter{}).ShapeCast(d, at, world.Vec{X: 20, Y: at.Y}, tilt)
						if err != nil || !ok || h.Body != wall {
							t.Fatalf("%s on %s, %g deep, tilted by %g, from %v: it meets %+v, %v; right is the wall", probe, floor, sunk, tilt, from, h, ok)
						}
						n := 0
						x.worked(x.Query(world.QueryFilter{}).ShapeCastAll(d, at, world.Vec{X: 20, Y: at.Y}, tilt, func(world.RayHit) bool { n++; return true }))
						if n != 1 {
							t.Fatalf("%s on %s, %g deep: it meets %d shapes", probe, floor, sunk, n)
						}
						h, ok, err = x.Query(world.QueryFilter{}).ShapeCast(d, at, world.Vec{X: from, Y: -20}, tilt)
						if err != nil || !ok || h.Fraction > 1e-6 || h.Normal.Y < .9 {
							t.Fatalf("%s on %s, %g deep, from %v, down: it meets %+v, %v", probe, floor, sunk, from, h, ok)
						}
					}
				}
			}
		}
		// Even a step of 1 mm is an obstacle.
		step := x.body(world.Static, world.Vec{X: stepAt, Y: -.499}, world.Box(.2, .5))
		h, ok, err := x.Query(world.QueryFilter{}).ShapeCast(world.Box(.4, .4), world.Vec{Y: .4}, world.Vec{X: 20, Y: .4}, 0)
		if err != nil || !ok || h.Body != step {
			t.Errorf("on %s: a step of 1 mm: it meets %+v, %v", floor, h, ok)
		}
	}
}

func TestARayThatStartsOnAnEdgeHasItsNormal(t *testing.T) {
	x := newSituation(t, world.Config{})
	x.body(world.Static, world.Vec{}, world.Box(1, 1))
	x.body(world.Static, world.Vec{X: 5}, world.Edge(world.Vec{X: -1}, world.Vec{X: 1}))
	for _, c := range []struct{ from, to, normal world.Vec }{
		{world.Vec{Y: 1}, world.Vec{Y: -3}, world.Vec{Y: 1}},
		{world.Vec{X: .5, Y: 1}, world.Vec{X: 3, Y: -3}, world.Vec{Y: 1}},
		{world.Vec{X: -1, Y: .3}, world.Vec{X: 3, Y: -3}, world.Vec{X: -1}},
		{world.Vec{X: 5}, world.Vec{X: 5, Y: -3}, world.Vec{Y: 1}},
		{world.Vec{X: 5}, world.Vec{X: 6, Y: 3}, world.Vec{Y: -1}},
	} {
		h, ok, err := x.Query(world.QueryFilter{}).RayCast(c.from, c.to)
		if err != nil || !ok || h.Fraction != 0 || h.Normal != c.normal {
			t.Errorf("from %v to %v: %+v, %v, %v; the normal is %v", c.from, c.to, h, ok, err, c.normal)
		}
	}
	for _, to := range []world.Vec{{Y: 4}, {X: 3, Y: 1}, {X: -3, Y: 3}} {
		if h, ok, err := x.Query(world.QueryFilter{}).RayCast(world.Vec{Y: 1}, to); ok || err != nil {
			t.Errorf("from the top to %v: %+v, %v", to, h, err)
		}
	}
}

// A random test of pairs of features found this.
func TestAQuestionWithoutAFunctionIsAnError(t *testing.T) {
	x := newSituation(t, world.Config{})
	x.body(world.Static, world.Vec{}, world.Box(1, 1))
	q := x.Query(world.QueryFilter{})
	for name, err := range map[string]error{
		"point": q.OverlapPoint(world.Vec{}, nil),
		"box":   q.OverlapBox(world.Vec{X: -1, Y: -1}, world.Vec{X: 1, Y: 1}, nil),
		"shape": q.Overlap(world.Circle(1), world.Vec{}, 0, nil),
		"ray":   q.RayCastAll(world.Vec{X: -9}, world.Vec{X: 9}, nil),
		"cast":  q.ShapeCastAll(world.Circle(1), world.Vec{X: -9}, world.Vec{X: 9}, 0, nil),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	found := 0
	if err := q.OverlapPoint(world.Vec{}, func(world.Body, world.Shape) bool { found++; return true }); err != nil || found != 1 {
		t.Errorf("%d found afterwards: %v", found, err)
	}
}
