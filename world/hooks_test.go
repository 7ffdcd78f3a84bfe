package world

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"halfstep/test/norace"
)

// fairground is a world with one-way shapes, belts, a filter and a PreSolve hook,
// and many bodies that touch them.
func fairground(r *rig) (falling []Body, belts, floors []Shape) {
	for i := range 4 {
		for k := range 6 {
			s := Box(2, .2)
			s.OneWay = Vec{Y: 1}
			s.SurfaceSpeed = float64(k%3) - 1
			b := r.body(BodyDef{Kind: BodyKind(i % 2), Position: Vec{X: 6*float64(k) - 15, Y: 4 * float64(i)}, Angle: .1 * float64(k-3), Shapes: []ShapeDef{s}})
			shapes, _ := r.Shapes(b)
			floors = append(floors, shapes...)
		}
	}
	for k := range 3 {
		s := Box(8, .5)
		s.SurfaceSpeed = 2 - 2*float64(k)
		b := r.body(BodyDef{Position: Vec{X: 16*float64(k) - 16, Y: -3}, Shapes: []ShapeDef{s}})
		shapes, _ := r.Shapes(b)
		belts = append(belts, shapes...)
	}
	rng := rand.New(rand.NewPCG(12, 7))
	for i := range 240 {
		s := Box(.15+.2*rng.Float64(), .2)
		if i%3 == 0 {
			s = Circle(.2 + .1*rng.Float64())
		}
		s.Restitution = .3 * rng.Float64()
		falling = append(falling, r.body(BodyDef{Kind: Dynamic, Bullet: i%9 == 0, Shapes: []ShapeDef{s},
			Position: Vec{X: 30*rng.Float64() - 15, Y: 18*rng.Float64() - 1}, Velocity: Vec{X: 4 * rng.NormFloat64(), Y: 12 * rng.NormFloat64()}}))
	}
	r.SetShouldCollide(func(_ *World, a, b Shape) bool { return (a+b)%5 != 0 })
	r.SetPreSolve(func(_ *World, c *PreSolveContact) {
		switch (c.A + c.B) % 4 {
		case 0:
			c.Friction, c.TangentSpeed = 1, c.TangentSpeed+1
		case 1:
			c.Restitution = .8
		case 2:
			c.Solid = c.Depth < .05 || !c.Began
		}
	})
	return falling, belts, floors
}

// trail plays the fairground. It returns the hash after each tick, and all events.
func trail(t *testing.T, r *rig, ticks int) (hashes []uint64, events []string) {
	t.Helper()
	defer r.Close()
	falling, belts, floors := fairground(r)
	r.start()
	for i := range ticks {
		var give []Command
		switch i % 25 {
		case 5:
			give = append(give, Command{Op: opSetSurfaceSpeed, Shape: belts[i%3], X: float64(i%7) - 3})
		case 10:
			for k := range 40 {
				give = append(give, Command{Op: opDropThrough, Body: falling[(i+k)%len(falling)]})
			}
		case 15:
			give = append(give, Explosion{Centre: Vec{X: float64(i%20) - 10, Y: -2}, Radius: 2, Falloff: 3, ImpulsePerLength: 2}.command())
		case 20:
			give = append(give, Command{Op: opSetOneWay, Shape: floors[i%len(floors)], V: Vec{X: 0, Y: float64(i%3) - 1}})
		}
		r.frame(1, give...)
		hashes = append(hashes, r.Hash())
	}
	all := r.events()
	alternate(t, "fairground", all)
	for _, e := range all {
		events = append(events, fmt.Sprint(e, e.Contact))
	}
	return hashes, events
}

func TestHooksHaveTheSameBitsWithEveryStepperAndAnyWorkers(t *testing.T) {
	ticks := norace.Rounds(150, 40)
	hashes, events := trail(t, newLibraryRig(t, gravity()), ticks)
	for _, workers := range []int{1, 4} {
		config := gravity()
		config.Workers = workers
		h, e := trail(t, newRig(t, config), ticks)
		for i := range hashes {
			if h[i] != hashes[i] {
				t.Fatalf("%d workers: tick %d has other bits than the library's step", workers, i+1)
			}
		}
		if !slices.Equal(e, events) {
			t.Errorf("%d workers: %d events, the library's step has %d, or others", workers, len(e), len(events))
		}
	}
	if len(events) < norace.Rounds(500, 50) {
		t.Errorf("only %d events", len(events))
	}
}

func TestCommandsForSurfacesDropsAndExplosionsArrive(t *testing.T) {
	r := newRig(t, gravity())
	floor := r.ground()
	shapes, _ := r.Shapes(floor)
	b := r.box(0, .5)
	r.start()
	c := Commands{queue: atOnce{r}, handles: new(handles)}
	c.SetOneWay(shapes[0], Vec{Y: 3})
	c.SetSurfaceSpeed(shapes[0], 2)
	if i, err := r.Shape(shapes[0]); err != nil || i.OneWay != (Vec{Y: 1}) || i.SurfaceSpeed != 2 {
		t.Errorf("%+v, %v", i, err)
	}
	c.Explode(Explosion{Centre: Vec{X: -1.5, Y: .5}, Radius: .5, Falloff: 1, ImpulsePerLength: 2, Mask: 2})
	if v := r.speed(b); v != (Vec{}) {
		t.Errorf("out of the mask, and it has %v", v)
	}
	c.Explode(Explosion{Centre: Vec{X: -1.5, Y: .5}, Radius: .5, Falloff: 1, ImpulsePerLength: 2, Mask: 1})
	if v := r.speed(b); v != (Vec{X: 1}) {
		t.Errorf("half of the strength gave it %v", v)
	}
	r.run(10)
	c.DropThrough(b)
	r.run(60)
	if y := r.at(b).Y; y > -2 {
		t.Errorf("it did not drop: %v", y)
	}
}

func TestAReplacedShapeTakesOverItsSurface(t *testing.T) {
	r := newRig(t, gravity())
	_, belt := r.belt(0)
	b := r.box(0, .5)
	r.start()
	r.run(30)
	s := Box(50, .5)
	s.SurfaceSpeed, s.OneWay, s.Friction = 3, Vec{Y: 2}, 1
	r.frame(60, Command{Op: opReplaceShape, Shape: belt, ShapeDef: &s})
	if v := r.speed(b).X; !near(v, 3, 1e-6) {
		t.Errorf("it moves at %v", v)
	}
	r.frame(60, Command{Op: opDropThrough, Body: b})
	if y := r.at(b).Y; y > -2 {
		t.Errorf("it did not drop: %v", y)
	}
}

func TestTheLengthOfAOneWayDirectionDoesNotMatter(t *testing.T) {
	r := newRig(t, gravity())
	shapes, _ := r.Shapes(r.ground())
	for _, y := range []float64{1e-300, 1, 1e8} {
		check(t, r.SetOneWay(shapes[0], Vec{Y: y}))
		if i, _ := r.Shape(shapes[0]); i.OneWay != (Vec{Y: 1}) {
			t.Errorf("%v: the direction is %v", y, i.OneWay)
		}
	}
}
