package world

import (
	"slices"
	"testing"
)

// hashes returns the hashes of the next ticks.
func (r *rig) hashes(ticks int) (h []uint64) {
	for range ticks {
		r.run(1)
		h = append(h, r.Hash())
	}
	return h
}

func TestARestoredSoftWorldStopsFastBodiesAtTheWallsOfThen(t *testing.T) {
	r := newRig(t, Config{Stepper: SoftStep, NoGravity: true})
	wall := r.body(BodyDef{Position: Vec{X: 12, Y: 0}, Shapes: []ShapeDef{Box(.05, 3)}})
	shot := r.body(BodyDef{Kind: Dynamic, Velocity: Vec{X: 110, Y: 0}, Shapes: []ShapeDef{Box(.2, .2)}})
	r.start()
	r.run(2)
	s := r.take()
	want := r.hashes(20)
	if r.info(shot).Position.X > 12 {
		t.Fatal("it has passed through the wall")
	}
	check(t, r.Teleport(wall, Vec{X: 90, Y: 0}, 0))
	r.run(3)
	check(t, r.World.Restore(s))
	if got := r.hashes(20); !slices.Equal(got, want) {
		t.Errorf("it goes on in another way, to %v", r.info(shot).Position)
	}
}

func TestASnapshotBringsItsSubStepsAlong(t *testing.T) {
	cfg := gravity()
	cfg.Stepper, cfg.SubSteps = SoftStep, 9
	old := everything(t, cfg)
	b := bytesOf(t, old)
	want := old.hashes(20)
	cfg.SubSteps = 2
	r, s := reopened(t, cfg, b)
	if got := r.hashes(20); !slices.Equal(got, want) {
		t.Error("it goes on in another way")
	}
	check(t, r.World.Restore(s))
	if got := r.hashes(20); !slices.Equal(got, want) {
		t.Error("it goes on in another way the second time")
	}
}

// The impulses of the sub-steps add up to a number that is too large for single
// precision.
func TestASoftStepOfHugeImpulsesLosesNothingAndCanBeLoaded(t *testing.T) {
	const size, contact = 2e4, MotorJoint + 1
	for _, kind := range []JointKind{contact, PrismaticJoint, PulleyJoint, WheelJoint, RopeJoint} {
		cfg := Config{Gravity: Vec{X: 0, Y: -2e13}, Stepper: SoftStep}
		r := newRig(t, cfg)
		r.AddController(&counter{})
		ground := r.body(BodyDef{Shapes: []ShapeDef{Edge(Vec{X: -5 * size, Y: 0}, Vec{X: 5 * size, Y: 0})}})
		heavy := CircleAt(0, 0, size)
		heavy.Density = maxValue
		at := Vec{X: 0, Y: size} // on the ground
		if kind != contact {
			at.Y *= 3
		}
		b := r.body(BodyDef{Kind: Dynamic, Position: at, Shapes: []ShapeDef{heavy}})
		if kind != contact {
			r.joint(JointDef{Kind: kind, A: ground, B: b, AnchorA: at, MaxLength: size, GroundA: Vec{X: 0, Y: size}, GroundB: Vec{X: 0, Y: 10 * size}})
		}
		r.start()
		for range 5 {
			r.run(1)
			fresh, _ := reopened(t, cfg, bytesOf(t, r))
			if got, want := fresh.hashes(1), r.hashes(1); got[0] != want[0] {
				t.Fatalf("%v: from bytes, it goes on in another way", kind)
			}
		}
		if n := len(only(r.events(), BodyLost)); n != 0 {
			t.Errorf("%v: %d lost", kind, n)
		}
	}
}

// The stepper computes changed masses again, with the same bits everywhere. If a body's
// definition gives the mass, new densities do not change it.
func TestARestoreDoesNotWorkOutAMassAnew(t *testing.T) {
	r := newRig(t, Config{Stepper: SoftStep, NoGravity: true})
	b := r.body(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{Box(1, 1)}, Mass: &Mass{Mass: 4, Inertia: 8. / 3}})
	shapes, err := r.Shapes(b)
	check(t, err)
	r.start()
	r.run(2)
	check(t, r.SetDensity(shapes[0], 1+1e-10))
	s := r.take()
	r.run(1)
	want := r.info(b)
	check(t, r.World.Restore(s))
	r.run(1)
	if got := r.info(b); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
}

func TestARestoredSoftWorldHasTheFiltersOfThen(t *testing.T) {
	r := newRig(t, Config{Stepper: SoftStep, NoGravity: true})
	wall := r.body(BodyDef{Position: Vec{X: 12, Y: 0}, Shapes: []ShapeDef{Box(.5, 3)}})
	ball := r.body(BodyDef{Kind: Dynamic, Velocity: Vec{X: 20, Y: 0}, Shapes: []ShapeDef{Box(.2, .2)}})
	r.start()
	r.run(2)
	s := r.take()
	shapes, err := r.Shapes(wall)
	check(t, err)
	check(t, r.SetFilter(shapes[0], Filter{Category: 2, Mask: 2}))
	beyond := func() bool {
		r.run(60)
		return r.info(ball).Position.X > 12
	}
	if !beyond() {
		t.Error("the filter of the wall does not let it pass")
	}
	check(t, r.World.Restore(s))
	if beyond() {
		t.Error("it passes through a wall that had another filter then")
	}
}
