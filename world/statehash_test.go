package world

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
)

func TestOneBitOfWhatDecidesTheFutureChangesTheStateHash(t *testing.T) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		r := everything(t, Config{Gravity: Vec{X: 0, Y: -10}, Stepper: stepper})
		r.box(7, .5)
		r.run(9)
		r.apply(Command{Op: opForce, Body: r.registry.last.handle, V: Vec{X: 5, Y: 0}})
		want := r.World.hashes.walkedHash()
		differs := func(what string) {
			t.Helper()
			if r.World.hashes.walkedHash() == want {
				t.Errorf("%v: the hash does not see %s", stepper, what)
			}
		}
		flip := func(what string, x *float64) {
			t.Helper()
			old := *x
			*x = math.Float64frombits(math.Float64bits(old) ^ 1)
			differs(what)
			*x = old
		}
		b := r.registry.last.b
		flip("a position", &b.M_xf.P.X)
		flip("an angle", &b.M_sweep.A)
		flip("a velocity", &b.M_linearVelocity.Y)
		flip("an angular velocity", &b.M_angularVelocity)
		flip("a sleep timer", &b.M_sleepTime)
		flip("a force", &b.M_force.X)
		flip("damping", &b.M_angularDamping)
		flip("a centre of mass", &b.M_sweep.C.X)
		flip("the gravity", &r.b2.M_gravity.Y)
		flip("the last step's length", &r.b2.M_inv_dt0)
		flip("a waiting force", &r.forces.loaded[0].frame.force.X)
		f := b.M_fixtureList
		flip("a density", &f.M_density)
		flip("a friction", &f.M_friction)
		flip("a surface's speed", &shapeOf(f).surfaceSpeed)
		c := r.solid()
		surface := c.Surface()
		c.SetSurface(box.Surface{Friction: 2 * surface.Friction, Restitution: surface.Restitution})
		differs("a contact's friction")
		c.SetSurface(surface)
		if r.soft == nil {
			flip("an impulse", &r.World.b2.M_contactManager.M_contactList.GetManifold().Points[0].NormalImpulse)
			flip("a mass", &b.M_mass)
		}
		for j := r.b2.M_jointList; j != nil; j = j.GetNext() {
			switch j := j.(type) {
			case *box2d.B2RevoluteJoint:
				flip("a pin's impulse", &j.M_impulse.X)
				flip("a motor's speed", &j.M_motorSpeed)
			case *box2d.B2PrismaticJoint:
				flip("a slider's impulse", &j.M_impulse.Z)
			case *box2d.B2GearJoint:
				flip("a gear's impulse", &j.M_impulse)
			case *box2d.B2MouseJoint:
				flip("a target", &j.M_targetA.X)
			case *box2d.B2WheelJoint:
				flip("a spring's impulse", &j.M_springImpulse)
			}
		}
		for what, flag := range map[string]*uint32{"who is awake": &b.M_flags, "what touches": c.Flags()} {
			*flag ^= 2
			differs(what)
			*flag ^= 2
		}
		f.M_userData.(*shape).filter.Mask ^= 1 << 40
		differs("a filter")
		f.M_userData.(*shape).filter.Mask ^= 1 << 40
		if r.World.hashes.walkedHash() != want {
			t.Error("the hash of one state is not always the same")
		}
	}
}

// solid is a contact that pushes the shapes apart.
func (r *rig) solid() box.Contact {
	for c := range r.World.box.EachContact() {
		if c.IsSolid() && c.Points() > 0 {
			return c
		}
	}
	r.t.Fatal("nothing touches")
	return box.Contact{}
}

func TestALookDoesNotChangeTheStateHash(t *testing.T) {
	for seed := range uint64(6) {
		r := newRig(t, Config{Gravity: Vec{Y: -10}, Stepper: Stepper(seed % 2)})
		(&chaos{Rand: rand.New(rand.NewPCG(seed, 11))}).frames(r, 60)
		want := r.World.hashes.walkedHash()
		debugOf(r)
		for range r.Contacts() {
		}
		for b := range r.Bodies() {
			r.info(b)
		}
		if r.World.hashes.walkedHash() != want {
			t.Errorf("seed %d: another hash", seed)
		}
	}
}

func TestFiltersThatDifferInOneBitHaveOtherStateHashes(t *testing.T) {
	r := newRig(t, gravity())
	r.box(0, .5)
	s := shapeOf(r.registry.last.b.M_fixtureList)
	seen := map[uint64]Filter{}
	for _, f := range []Filter{
		{1, AllCategories, 0}, {1, 0xffff, 0}, {1, 0x1ffff, 0}, {1, 0xfffe, 0}, {1, AllCategories &^ 1, 0}, {1, AllCategories &^ (1 << 63), 0},
		{1, 0, 0}, {1<<16 | 1, AllCategories, 0}, {1 << 16, 0, 0}, {1<<63 | 1, 0xffff, 0}, {0, AllCategories, 0}, {1, AllCategories, 1},
	} {
		s.filter = f
		if h := r.World.hashes.walkedHash(); seen[h] != (Filter{}) {
			t.Errorf("%+v and %+v have one hash", seen[h], f)
		} else {
			seen[h] = f
		}
	}
}

func TestTheOrderOfCreationCountsInTheStateHash(t *testing.T) {
	hash := func(first, second float64) uint64 {
		r := newRig(t, gravity())
		r.box(first, 3)
		r.box(second, 3)
		return r.StateHash()
	}
	if hash(0, 5) == hash(5, 0) {
		t.Error("two worlds that solve their bodies in another order have the same hash")
	}
}
