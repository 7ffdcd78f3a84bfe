package world

import (
	"fmt"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// Config returns the world's present configuration. It has defaults in place of zeros, and the
// present gravity, surfaces and settings.
func (w *World) Config() Config {
	w.checkGoroutine()
	c := w.cfg
	c.Gravity, c.NoGravity = fromB2(w.b2.M_gravity), w.b2.M_gravity == box2d.B2Vec2{}
	c.NoSleep, c.NoWarmStarting = !w.b2.M_allowSleep, !w.b2.M_warmStarting
	c.NoContinuous, c.SubStepping = !w.b2.M_continuousPhysics, w.b2.M_subStepping
	c.Surfaces = w.Surfaces()
	return c
}

// BodyDef returns a definition of a body's present state, with its shapes. The place, the angle
// and the velocities are exactly those of the body. The points of a polygon are the corners of
// its hull. The definition lacks the forces that wait for a step, and the target of
// [World.MoveTo]. The error wraps [ErrStale] if the body does not exist. [JointInfo] has a
// definition of a joint.
func (w *World) BodyDef(b Body) (BodyDef, error) {
	r, err := w.lookupBody(b)
	if err != nil {
		return BodyDef{}, err
	}
	has := func(flag uint32) bool { return r.b.M_flags&flag != 0 }
	f := &box2d.B2Body_Flags
	d := BodyDef{
		Kind: BodyKind(r.b.M_type), Name: r.name, Colour: r.colour, User: r.user, Mass: copied(r.mass),
		Position: fromB2(r.b.M_xf.P), Angle: r.b.M_sweep.A,
		Velocity: fromB2(r.b.M_linearVelocity), AngularVelocity: r.b.M_angularVelocity, CentreVelocity: !isStill(r.b),
		LinearDamping: r.b.M_linearDamping, AngularDamping: r.b.M_angularDamping,
		GravityScale: r.b.M_gravityScale, NoGravity: r.b.M_gravityScale == 0,
		FixedRotation: has(b2.BodyFixed), FixedX: has(b2.BodyFixedX), FixedY: has(b2.BodyFixedY),
		Bullet: has(f.E_bulletFlag), NoSleep: !has(f.E_autoSleepFlag), Asleep: !has(f.E_awakeFlag), Disabled: !has(f.E_activeFlag),
		SleepSpeed: r.sleepSpeed, SleepSpin: r.sleepSpin,
		Shapes: make([]ShapeDef, len(r.shapes)),
	}
	for i, s := range r.shapes {
		d.Shapes[i] = s.def()
	}
	return d, nil
}

// def returns a definition of the shape's present state.
func (s *shape) def() ShapeDef {
	d := ShapeDef{
		Kind: s.kind, Name: s.name, Colour: s.colour, User: s.user, Radius: roundness(s.fix.M_shape),
		Density: s.fix.M_density, Friction: s.fix.M_friction, Restitution: s.fix.M_restitution,
		Sensor: s.fix.M_isSensor, Filter: s.filter, Material: s.material, SegmentMaterials: slices.Clone(s.segments),
		OneWay: s.oneWay, SurfaceSpeed: s.surfaceSpeed, RollingResistance: s.rolling, Unsensed: s.unsensed,
	}
	points, _ := outline(s.fix.M_shape, new([2]box2d.B2Vec2))
	if s.kind == ClosedChainShape { // Box2D's list repeats the first point at the end
		points = points[:len(points)-1]
	}
	for _, p := range points {
		d.Points = append(d.Points, fromB2(p))
	}
	ghosts := func(before, after box2d.B2Vec2, hasBefore, hasAfter bool) {
		if hasBefore {
			d.Before = new(fromB2(before))
		}
		if hasAfter {
			d.After = new(fromB2(after))
		}
	}
	switch t := s.fix.M_shape.(type) {
	case *box2d.B2EdgeShape:
		ghosts(t.M_vertex0, t.M_vertex3, t.M_hasVertex0, t.M_hasVertex3)
	case *box2d.B2ChainShape:
		open := s.kind == ChainShape
		ghosts(t.M_prevVertex, t.M_nextVertex, open && t.M_hasPrevVertex, open && t.M_hasNextVertex)
	}
	return d
}

// NotInDefinitions lists in words the parts of the world that no definition contains. A new world
// from the definitions lacks them: code that the world calls, such as "2 controllers", and objects
// that were made through [World.Box2D].
func (w *World) NotInDefinitions() (lost []string) {
	w.checkGoroutine()
	add := func(n int, what string) {
		switch {
		case n == 1:
			lost = append(lost, "1 "+what)
		case n > 1:
			lost = append(lost, fmt.Sprintf("%d %ss", n, what))
		}
	}
	one := func(there bool) int {
		if there {
			return 1
		}
		return 0
	}
	add(len(w.controls), "controller")
	add(len(w.hooks), "contact hook")
	add(one(w.preSolve != nil), "PreSolve hook")
	add(one(w.shouldCollide != nil), "ShouldCollide hook")
	bodies, joints := -one(w.links.ground != nil), 0 // does not count the ground body, to which mouse joints are fixed: a new world makes its own
	for b := w.b2.M_bodyList; b != nil; b = b.M_next {
		bodies++
	}
	for j := w.b2.M_jointList; j != nil; j = j.GetNext() {
		joints++
	}
	add(bodies-len(w.registry.bodies), "body or bodies of Box2D's own")
	add(joints-len(w.registry.joints), "joint of Box2D's own")
	return lost
}
