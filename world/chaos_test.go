package world

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/test/norace"
)

// chaos makes commands of all kinds, some of them senseless.
type chaos struct {
	*rand.Rand
	w     *World
	names uint64
	wild  bool
	plain bool // uses nothing that the library lacks
}

// pick returns a random key of m, or now and then a random number. The result does
// not depend on the order of the map.
func pick[K ~uint64, V any](c *chaos, m map[K]V) K {
	keys := slices.Sorted(maps.Keys(m))
	if len(keys) == 0 || c.IntN(20) == 0 {
		return K(c.Uint64N(c.names + 2))
	}
	return keys[c.IntN(len(keys))]
}

func (c *chaos) number() float64 {
	if c.wild {
		switch c.IntN(9) {
		case 0:
			return [...]float64{nan, inf, -inf, 1e300, -1e18, 1e-300, 0}[c.IntN(7)]
		case 1:
			return c.NormFloat64() * 1e6
		}
	}
	return c.NormFloat64() * 3
}

func (c *chaos) vec() Vec { return Vec{X: c.number(), Y: c.number()} }

func (c *chaos) points(n int) (p []Vec) {
	for range n {
		p = append(p, c.vec())
	}
	return
}

func (c *chaos) shape() ShapeDef {
	s := ShapeDef{Kind: ShapeKind(c.IntN(6)), Radius: c.number(), Density: math.Abs(c.number()), Friction: .2, Sensor: c.IntN(8) == 0}
	s.Points = c.points(c.IntN(10))
	if s.Kind == PolygonShape && c.IntN(2) == 0 {
		s.Radius = 0
	}
	switch c.IntN(6) {
	case 0:
		s = Box(.1+c.Float64(), .1+c.Float64())
	case 1:
		s = CircleAt(c.NormFloat64(), 0, .1+c.Float64())
	case 2:
		s = Capsule(Vec{X: c.NormFloat64(), Y: 0}, Vec{X: c.NormFloat64(), Y: c.NormFloat64()}, .1+c.Float64())
	case 3:
		s = Box(.1+c.Float64(), .1+c.Float64())
		s.Radius = .1 * c.Float64()
	}
	if c.plain && s.Kind == CapsuleShape {
		s = Circle(.3)
	} else if c.plain && s.Kind == PolygonShape {
		s.Radius = 0
	}
	if c.IntN(4) == 0 {
		s.OneWay, s.SurfaceSpeed = c.vec(), c.number()
	}
	if s.Material = Material(c.IntN(4)); !c.plain && c.IntN(3) == 0 {
		s.RollingResistance = max(0, c.number()/10)
	}
	if s.Kind == ChainShape && len(s.Points) > 1 {
		s.SegmentMaterials = make([]Material, len(s.Points)-1)
		s.SegmentMaterials[0] = 3
	}
	return s
}

func (c *chaos) body() Body   { return pick(c, c.w.registry.bodies) }
func (c *chaos) joint() Joint { return pick(c, c.w.registry.joints) }

func (c *chaos) command() Command {
	c.wild = c.IntN(5) == 0
	k := Command{
		Op: opcode(c.IntN(int(opcodes))), On: c.IntN(2) == 0, N: int32(c.IntN(6)) - 2, Body: c.body(),
		Shape: pick(c, c.w.registry.shapes), Joint: c.joint(), V: c.vec(), P: c.vec(), X: c.number(), Y: c.number(),
		Filter: Filter{uint64(c.IntN(3)) << 40, uint64(c.IntN(4)) << 40, int16(c.IntN(3) - 1)},
	}
	if c.IntN(2) == 0 {
		k.Op = [...]opcode{opCreateBody, opCreateBody, opCreateJoint, opCreateJoint, opCreateShape}[c.IntN(5)]
	}
	c.names++
	switch k.Op {
	case opSetSurfaces:
		k.Surfaces = c.surfaces()
	case opSetSleepSpeeds:
		if k.X, k.Y = math.Abs(c.number()), math.Abs(c.number()); c.plain {
			k.X, k.Y = 0, 0
		}
	case opSetRollingResistance:
		if k.X = math.Abs(c.number()) / 9; c.plain {
			k.X = 0
		}
	case opSetName:
		k.Name = fmt.Sprint(c.names)
	case opSetFixedAxes:
		if c.plain {
			k.N = 0
		}
	case opCreateBody:
		k.Body, k.Shape = Body(c.names), Shape(c.names<<8)
		k.BodyDef = &BodyDef{Kind: BodyKind(c.IntN(3)), Position: c.vec(), Angle: c.number(), Velocity: c.vec(), Bullet: c.IntN(9) == 0,
			FixedRotation: c.IntN(5) == 0, Asleep: c.IntN(5) == 0, Disabled: c.IntN(9) == 0, FixedX: !c.plain && c.IntN(9) == 0}
		for range c.IntN(4) {
			k.BodyDef.Shapes = append(k.BodyDef.Shapes, c.shape())
		}
		if c.IntN(5) == 0 {
			k.BodyDef.Mass = &Mass{math.Abs(c.number()), c.vec(), math.Abs(c.number()) * 10}
		}
	case opReplaceShape:
		s := c.shape()
		k.ShapeDef = &s
	case opCreateShape:
		s := c.shape()
		k.Shape, k.ShapeDef = Shape(c.names), &s
	case opCreateJoint:
		k.Joint = Joint(c.names)
		k.JointDef = &JointDef{Kind: JointKind(c.IntN(12)), A: c.body(), B: c.body(), CollideConnected: c.IntN(2) == 0,
			AnchorA: c.vec(), AnchorB: c.vec(), AxisA: c.vec(), EnableLimit: c.IntN(2) == 0, Lower: -1, Upper: math.Abs(c.number()),
			EnableMotor: c.IntN(2) == 0, MotorSpeed: c.number(), MaxMotorForce: math.Abs(c.number()), Frequency: math.Abs(c.number()),
			Length: math.Abs(c.number()), MaxLength: math.Abs(c.number()), GroundA: c.vec(), GroundB: c.vec(), Ratio: c.number(),
			Joint1: c.joint(), Joint2: c.joint(), Target: c.vec(), MaxForce: math.Abs(c.number()), MaxTorque: 1, LinearOffset: c.vec(),
			BreakForce: max(0, c.number()*30), BreakTorque: max(0, c.number()*30), KeepBroken: c.IntN(3) == 0}
		c.more(k.JointDef)
	}
	if c.plain && slices.Contains([]opcode{opSetLimits, opSetSpring, opSetMotorVelocity}, k.Op) {
		k.On, k.X = false, 0
	}
	return k
}

// more sets or removes settings of a joint that Box2D's own joints lack.
func (c *chaos) more(d *JointDef) {
	switch d.Kind {
	case DistanceJoint, MouseJoint, WheelJoint, WeldJoint:
	case RevoluteJoint, PrismaticJoint:
		if c.plain || c.IntN(2) == 0 {
			d.Frequency = 0
		}
		d.SpringTarget = c.number()
	default:
		d.Frequency = 0 // otherwise the steppers would reject all other settings
	}
	if d.Kind == MotorJoint {
		d.LinearVelocity, d.AngularVelocity = c.vec(), c.number()
	}
	if c.w.soft != nil && c.IntN(4) == 0 {
		d.ConstraintFrequency, d.ConstraintDamping = math.Abs(c.number()), math.Abs(c.number())
	}
	switch d.Kind {
	case DistanceJoint, WheelJoint:
		d.EnableLimit = d.EnableLimit && !c.plain
	case MotorJoint:
		if c.plain {
			d.AnchorA, d.AnchorB, d.EnableMotor = Vec{}, Vec{}, false
		}
	}
}

func (c *chaos) surfaces() *Surfaces {
	s := &Surfaces{HitSpeed: max(0, c.number())}
	if !c.plain {
		s.RestitutionThreshold = max(0, c.number())
	}
	for range c.IntN(4) {
		s.Mixes = append(s.Mixes, Mix{
			Material(c.IntN(4)), [...]Material{AnyMaterial, 1, 2, 3}[c.IntN(4)],
			MixRule(c.IntN(6)), MixRule(c.IntN(6)), math.Abs(c.number()) / 4, math.Abs(c.number()) / 4,
		})
	}
	return s
}

// frames runs frames of a step each, with random commands.
func (c *chaos) frames(r *rig, n int) {
	if c.w = r.World; r.out == nil {
		r.start()
	}
	for range n {
		var commands []Command
		for range c.IntN(6) {
			commands = append(commands, c.command())
		}
		r.frame(1, commands...)
	}
}

// run gives random commands between steps. It runs the given number of frames.
func (c *chaos) run(r *rig, frames int) {
	r.t.Helper()
	c.w = r.World
	r.AddContactHook(func(w *World, contacts []Event) {
		for _, k := range contacts {
			if c.IntN(30) == 0 {
				w.DestroyBody(k.A)
			}
		}
	})
	r.start()
	func() {
		var last Command
		defer func() {
			if v := recover(); v != nil {
				r.t.Fatalf("tick %d: %v after %+v\n%s", r.tick, v, last, debug.Stack())
			}
		}()
		for range frames {
			r.BeginFrame()
			for range c.IntN(5) {
				last = c.command()
				r.Apply(r.tick, &last, c.IntN(4) == 0)
			}
			r.frame(c.IntN(3))
			r.events()
			r.structure()
		}
	}()
	for i, s := range r.states {
		for _, x := range [...]float32{s.X, s.Y, s.Angle, s.VX, s.VY, s.Omega} {
			if x != x || math.IsInf(float64(x), 0) {
				r.t.Fatalf("slot %d is %+v", i, s)
			}
		}
	}
	if n := r.Box2D().GetJointCount(); n != int(r.Counts().Joints) {
		r.t.Errorf("%d joints of %d", r.Counts().Joints, n)
	}
}

func TestNoCommandPanicsOrSpreadsNaN(t *testing.T) {
	norace.Only(t)
	dull := 0
	for seed := range uint64(40) {
		r := newRig(t, gravity())
		(&chaos{Rand: rand.New(rand.NewPCG(seed, 7))}).run(r, 150)
		if r.Counts().Bodies < 4 || r.news.rejected == 0 {
			dull++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if dull > 4 {
		t.Errorf("%d runs of 40 were dull", dull)
	}
}

// sameWithEveryStepper gives the same commands to worlds with different steppers. It
// returns the number of broken joints.
func sameWithEveryStepper(t *testing.T, random *rand.Rand, frames int) (broke int) {
	t.Helper()
	first := newRig(t, gravity())
	defer first.Close()
	c := &chaos{Rand: random, w: first.World, plain: random.IntN(2) == 0}
	first.start()
	others := map[string]*rig{}
	for name, cfg := range eachWay(gravity()) {
		others[name] = newRig(t, cfg)
	}
	if c.plain {
		others["the library"] = newLibraryRig(t, gravity())
	}
	for _, r := range others {
		r.start()
		defer r.Close()
	}
	for range frames {
		var commands []Command
		for range c.IntN(6) {
			commands = append(commands, c.command())
		}
		steps := c.IntN(3)
		first.frame(steps, commands...)
		events := first.events()
		broke += len(only(events, JointBroke))
		for name, r := range others {
			r.frame(steps, commands...)
			if r.Hash() != first.Hash() || r.StateHash() != first.StateHash() {
				t.Fatalf("tick %d: %s differs after %+v", r.tick, name, commands)
			}
			if got := r.events(); !reflect.DeepEqual(got, events) {
				t.Fatalf("tick %d: %s has the events %v, not %v, after %+v", r.tick, name, got, events, commands)
			}
		}
	}
	return broke
}

func TestCommandsDoTheSameWithEveryStepper(t *testing.T) {
	norace.Only(t)
	broke := 0
	for seed := range uint64(4) {
		broke += sameWithEveryStepper(t, rand.New(rand.NewPCG(seed, 13)), 100)
	}
	if broke == 0 {
		t.Error("a dull run: no joint broke")
	}
}

// If a body's kind changes, its contacts are found at once. If both bodies of a
// contact sleep before the next step, that step still clears the values that the
// library clears in all contacts.
func TestAContactOfBodiesThatSleepBeforeAnyStepIsTheSameWithEveryStepper(t *testing.T) {
	play := func(r *rig) uint64 {
		defer r.Close()
		wall, err := r.CreateBody(BodyDef{Kind: Kinematic, Shapes: []ShapeDef{Box(1, 1)}})
		check(t, err)
		ball, err := r.CreateBody(BodyDef{Kind: Dynamic, Position: Vec{X: 2.05, Y: 0}, Shapes: []ShapeDef{Circle(1)}})
		check(t, err)
		r.start()
		r.frame(1)
		check(t, r.SetKind(wall, Static))
		check(t, r.SetAwake(ball, false))
		r.frame(1)
		if n := r.Counts().Contacts; n != 1 {
			t.Fatalf("a dull run: %d contacts", n)
		}
		return r.StateHash()
	}
	want := play(newLibraryRig(t, gravity()))
	for name, cfg := range eachWay(gravity()) {
		if play(newRig(t, cfg)) != want {
			t.Errorf("%s differs from the library", name)
		}
	}
}

// After a restore, the list of bodies has a static body without its neighbours. Then
// the body becomes dynamic before the next step.
func TestABodyThatIsMadeDynamicAfterARestoreHangsByItsJointsWithEveryStepper(t *testing.T) {
	for name, cfg := range eachWay(gravity()) {
		r := newRig(t, cfg)
		defer r.Close()
		hook, err := r.CreateBody(BodyDef{Kind: Static})
		check(t, err)
		ball, err := r.CreateBody(BodyDef{Kind: Static, Position: Vec{X: 0, Y: -1}, Shapes: []ShapeDef{Circle(.2)}})
		check(t, err)
		_, err = r.CreateJoint(JointDef{Kind: RopeJoint, A: hook, B: ball, MaxLength: 1})
		check(t, err)
		r.start()
		r.run(3)
		var s Snapshot
		check(t, r.Snapshot(&s))
		check(t, r.Teleport(ball, Vec{X: 0, Y: -1}, 1))
		check(t, r.Restore(&s))
		check(t, r.SetKind(ball, Dynamic))
		r.run(60)
		if b, _ := r.Body(ball); math.Abs(b.Position.Y+1) > .01 {
			t.Errorf("%s: it hangs at %v", name, b.Position.Y)
		}
	}
}

func TestStructureAndStatesAgree(t *testing.T) {
	for seed := range uint64(10) {
		r := newRig(t, gravity())
		c := &chaos{Rand: rand.New(rand.NewPCG(seed, 9)), w: r.World}
		r.AddContactHook(func(w *World, contacts []Event) {
			for _, k := range contacts {
				if c.IntN(4) == 0 {
					w.DestroyBody(k.A)
				}
			}
		})
		r.start()
		type place struct{ handle, generation uint64 }
		slots := map[int32]place{}
		joints := map[uint32]bool{}
		for range 150 {
			r.BeginFrame()
			for range c.IntN(5) {
				k := c.command()
				r.Apply(r.tick, &k, false)
			}
			r.frame(1)
			for _, s := range r.structure() {
				if s.Tick > r.tick {
					t.Fatalf("seed %d: a record of tick %d at %d", seed, s.Tick, r.tick)
				}
				switch s.Kind {
				case body2d.BodyAdded:
					if _, taken := slots[s.Slot]; taken {
						t.Fatalf("seed %d: slot %d is taken", seed, s.Slot)
					}
					slots[s.Slot] = place{s.Handle, uint64(s.Generation)}
				case body2d.BodyRemoved:
					delete(slots, s.Slot)
				case body2d.JointAdded:
					joints[s.ID] = true
				case body2d.JointRemoved:
					delete(joints, s.ID)
				}
			}
			for i, s := range r.states {
				p, ok := slots[int32(i)]
				if alive := s.Flags()&body2d.Alive != 0; alive != ok || ok && p.generation != uint64(s.Generation()) {
					t.Fatalf("seed %d, tick %d: slot %d: announced %v, state %+v", seed, r.tick, i, ok, s)
				}
			}
			if len(r.news.late) == 0 && len(joints) != int(r.Counts().Joints) {
				t.Fatalf("seed %d: %d joints announced, %d are there", seed, len(joints), r.Counts().Joints)
			}
		}
	}
}

func TestSpawningAndDestroyingForEverKeepsMemoryFlat(t *testing.T) {
	norace.Only(t)
	r := newRig(t, gravity())
	r.ground()
	r.start()
	churn := func(n int) uint64 {
		for i := range n {
			a, b := r.box(float64(i%7), 1), r.box(float64(i%7)+.3, 1.5)
			r.joint(JointDef{Kind: RevoluteJoint, A: a, B: b})
			r.frame(1, Command{Op: opForce, Body: a, V: Vec{X: 1, Y: 0}})
			check(t, r.DestroyBody(a))
			check(t, r.DestroyBody(b))
			r.run(1)
			r.events()
			r.structure()
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := churn(500)
	after := churn(5000)
	if after > before+before/4+64<<10 {
		t.Errorf("the heap grew from %d to %d", before, after)
	}
	if len(r.places.slots) > 8 || len(r.registry.bodies) != 1 || len(r.registry.shapes) != 1 || len(r.registry.joints) != 0 || len(r.forces.loaded) > 2 {
		t.Errorf("left: %d slots, %d bodies, %d shapes, %d joints, %d forces",
			len(r.places.slots), len(r.registry.bodies), len(r.registry.shapes), len(r.registry.joints), len(r.forces.loaded))
	}
}
