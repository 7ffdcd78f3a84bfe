package world

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/test/attack"
	"halfstep/test/norace"
)

func TestASnapshotBeyondTheLimitsOfAWorldIsRefused(t *testing.T) {
	hinge := func(r *rig) *box2d.B2RevoluteJoint { return r.b2.M_jointList.(*box2d.B2RevoluteJoint) }
	for what, spoil := range map[string]func(r *rig){
		"a rotation":            func(r *rig) { r.registry.last.b.M_xf.Q.S = 1e200 },
		"an origin":             func(r *rig) { r.registry.last.b.M_xf.P.X = 1e200 },
		"an angle":              func(r *rig) { r.registry.last.b.M_sweep.A = -1e200 },
		"a friction":            func(r *rig) { r.registry.last.b.M_fixtureList.M_friction = -1 },
		"a density":             func(r *rig) { r.registry.last.b.M_fixtureList.M_density = 1e200 },
		"a corner":              func(r *rig) { r.registry.last.b.M_fixtureList.M_shape.(*box2d.B2PolygonShape).M_vertices[1].Y = 1e200 },
		"a radius":              func(r *rig) { r.registry.last.b.M_fixtureList.M_shape.(*box2d.B2PolygonShape).M_radius = 1e200 },
		"a place to go back to": func(r *rig) { r.places.slots[r.registry.last.slot].origin.X = 1e200 },
		"an anchor":             func(r *rig) { hinge(r).M_localAnchorA.Y = 1e200 },
		"a limit of a joint":    func(r *rig) { hinge(r).M_upperAngle = 1e200 },
		"nothing":               func(*rig) {},
		"nothing but a spring":  func(r *rig) { box.PutExtra(hinge(r), &box.JointExtra{SpringImpulse: 1e200}) }, // a step may find any of them
	} {
		r := newRig(t, gravity())
		r.joint(JointDef{Kind: RevoluteJoint, A: r.ground(), B: r.box(0, 3)})
		spoil(r)
		if _, err := LoadSnapshot(bytesOf(t, r)); (err == nil) != strings.HasPrefix(what, "nothing") {
			t.Errorf("%s: error %v", what, err)
		}
	}
}

// A very light body can get any velocity. An enabled body is lost in the next step, but a
// disabled body keeps the velocity.
func TestASnapshotWithADisabledBodyOfAnyVelocityIsAccepted(t *testing.T) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		r := newRig(t, Config{Stepper: stepper})
		light := Circle(.5)
		light.Density = 1e-300
		b := r.body(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{light}})
		check(t, r.Impulse(b, Vec{X: 1}))
		check(t, r.SetEnabled(b, false))
		r.run(2)
		if v := r.speed(b); v.X < 1e299 {
			t.Fatalf("%v: it has a velocity of %v m/s", stepper, v)
		}
		if _, err := LoadSnapshot(bytesOf(t, r)); err != nil {
			t.Errorf("%v: %v", stepper, err)
		}
	}
}

// If a world accepts a damaged snapshot, the world's own snapshots can be read, even after some
// steps.
func TestAWorldFromADamagedSnapshotHasSnapshotsThatAreAccepted(t *testing.T) {
	norace.Only(t)
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		cfg := gravity()
		cfg.Stepper = stepper
		good := bytesOf(t, everything(t, cfg))
		rng := rand.New(rand.NewPCG(7, uint64(stepper)))
		taken := 0
		for range 500 {
			b := bytes.Clone(good)
			for i := 100 + rng.IntN(len(b)-110); ; i = 100 + rng.IntN(len(b)-110) {
				binary.LittleEndian.PutUint64(b[i:], math.Float64bits(attack.Number(rng)))
				if rng.IntN(2) == 0 {
					break
				}
			}
			if s, err := LoadSnapshot(mended(b, good)); err == nil && goesOn(t, cfg, s) {
				taken++
			}
		}
		if taken < 150 {
			t.Errorf("%v: only %d were taken", stepper, taken)
		}
	}
}

// goesOn steps a world that was loaded from a snapshot, and then loads a snapshot of that
// world.
func goesOn(t *testing.T, cfg Config, s *Snapshot) (taken bool) {
	t.Helper()
	r := newRig(t, cfg)
	defer r.Close()
	r.AddController(&counter{})
	if r.World.Restore(s) != nil {
		return false
	}
	r.start()
	for tick := range 4 {
		if _, err := LoadSnapshot(bytesOf(t, r)); err != nil {
			t.Fatalf("%v: %d steps later: %v", cfg.Stepper, tick, err)
		}
		if !stepped(r) {
			break
		}
	}
	return true
}

// stepped reports whether a step comes to an end. Because of impossible numbers it may panic,
// as in any world.
func stepped(r *rig) (ok bool) {
	defer func() { ok = recover() == nil }()
	r.run(1)
	return
}
