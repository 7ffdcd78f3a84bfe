package world

import (
	"iter"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
	"halfstep/internal/trig"
)

// BodyKind is the kind of a body: static, kinematic or dynamic.
type BodyKind uint8

// The kinds of body, with Box2D's numbers.
const (
	Static    BodyKind = iota // the body never moves
	Kinematic                 // the body moves at its set velocity; nothing pushes it
	Dynamic                   // the body moves by forces, impulses and contacts
)

// String returns the kind as a word: static, kinematic or dynamic.
func (k BodyKind) String() string {
	return wordOf([]string{"static", "kinematic", "dynamic"}, int(k))
}

// BodyDef describes a body. The zero value is a static body at the origin.
//
// A body that is made Asleep stays asleep until an awake body touches it, something pushes it, or its
// support is removed. With [SoftStep] a contact of two bodies that were made asleep begins when one
// of them wakes. So a blow wakes only the bodies that it reaches, and not the whole pile at once.
type BodyDef struct {
	Kind            BodyKind
	Position        Vec     // of the body's origin, in m
	Angle           float64 // in rad
	Velocity        Vec     // of the origin, in m/s; not used for a static body; Box2D limits the motion to 2 m in a step
	CentreVelocity  bool    // Velocity is the velocity of the centre of mass, not of the origin
	AngularVelocity float64 // in rad/s
	LinearDamping   float64 // in 1/s
	AngularDamping  float64 // in 1/s
	GravityScale    float64 // factor of the world's gravity; 0 means 1, see NoGravity
	NoGravity       bool    // no gravity for this body
	FixedRotation   bool    // the body never turns; AngularVelocity has no effect
	FixedX          bool    // the centre of mass keeps its x, see [World.SetFixedAxes]
	FixedY          bool    // the centre of mass keeps its y
	Bullet          bool    // continuous collision also with dynamic bodies, and not only with static bodies
	NoSleep         bool    // the body never falls asleep
	Asleep          bool    // the body starts asleep
	SleepSpeed      float64 // in m/s; 0 means the stepper's limit; see [World.SetSleepSpeeds]
	SleepSpin       float64 // in rad/s; 0 means the stepper's limit
	Disabled        bool    // the body starts disabled; see [World.SetEnabled]
	Mass            *Mass   // replaces the mass that the densities of the shapes give
	Shapes          []ShapeDef
	Name            string        // for lookups, events and logs; need not be unique
	Colour          body2d.Colour // zero: the renderer chooses
	User            any           // the program's own value; BodyInfo and the BodyRemoved event have it
}

// Mass is the mass of a body, independent of densities.
type Mass struct {
	Mass    float64 // in kg
	Centre  Vec     // in the body's frame, in m
	Inertia float64 // about the body's origin, in kg·m²; with 0 nothing turns the body
}

// BodyInfo is the state of a body at one moment.
type BodyInfo struct {
	Kind            BodyKind
	Name            string
	Position        Vec     // of the body's origin, in m
	Angle           float64 // in rad; full turns count
	Centre          Vec     // the centre of mass in the world, in m
	Velocity        Vec     // of the centre of mass, in m/s
	AngularVelocity float64 // in rad/s
	Mass            float64 // in kg; 0 unless the body is dynamic
	Inertia         float64 // about the centre of mass, in kg·m²; 0 unless the body is dynamic
	Awake           bool    // the solver still moves it
	SleepSpeed      float64 // in m/s; 0 means the stepper's limit
	SleepSpin       float64 // in rad/s; 0 means the stepper's limit
	User            any     // from the body's definition
}

// Body returns the present state of a body. The error wraps [ErrStale] if the body does not exist.
func (w *World) Body(b Body) (BodyInfo, error) {
	r, err := w.lookupBody(b)
	if err != nil {
		return BodyInfo{}, err
	}
	return BodyInfo{
		Kind: BodyKind(r.b.M_type), Name: r.name,
		Position: fromB2(r.b.M_xf.P), Angle: r.b.M_sweep.A, Centre: fromB2(r.b.M_sweep.C),
		Velocity: fromB2(r.b.M_linearVelocity), AngularVelocity: r.b.M_angularVelocity,
		Mass: r.b.M_mass, Inertia: r.b.M_I,
		Awake:      r.b.M_flags&box2d.B2Body_Flags.E_awakeFlag != 0,
		SleepSpeed: r.sleepSpeed, SleepSpin: r.sleepSpin,
		User: r.user,
	}, nil
}

// Shapes returns the shapes of a body, in order of creation.
func (w *World) Shapes(b Body) ([]Shape, error) {
	r, err := w.lookupBody(b)
	if err != nil {
		return nil, err
	}
	list := make([]Shape, len(r.shapes))
	for i, s := range r.shapes {
		list[i] = s.handle
	}
	return list, nil
}

// Alive reports whether the body exists.
func (w *World) Alive(b Body) bool {
	w.checkGoroutine()
	return w.registry.bodies[b] != nil
}

// Bodies yields all bodies in order of creation. The loop may destroy bodies.
func (w *World) Bodies() iter.Seq[Body] {
	return func(yield func(Body) bool) {
		w.checkGoroutine()
		for r := w.registry.first; r != nil; r = r.next {
			if r.b != nil && !yield(r.handle) {
				return
			}
		}
	}
}

// Find returns the first body with the given name, in order of creation.
func (w *World) Find(name string) (Body, bool) {
	w.checkGoroutine()
	for r := w.registry.first; r != nil; r = r.next {
		if r.name == name {
			return r.handle, true
		}
	}
	return 0, false
}

// body is the world's own record of a body, besides Box2D's body.
type body struct {
	handle Body
	b      *box2d.B2Body // nil after the body was destroyed
	slot   int32         // the index of the body in places.slots and in the published states
	name   string
	colour body2d.Colour
	user   any
	mass   *Mass    // the mass in the definition, or nil
	shapes []*shape // in order of creation

	sleepSpeed, sleepSpin float64 // 0 means the stepper's limits

	loaded int32 // 1 + the index of the body in forces.loaded, or 0

	prev, next *body // in order of creation
}

// withoutForces returns the value of a body's record in a snapshot. The snapshot stores shapes and
// forces elsewhere.
func (r *body) withoutForces() body {
	value := *r
	value.shapes, value.loaded = nil, 0
	return value
}

// link adds a new body to the end of the list of bodies.
func (g *registry) link(r *body) {
	r.prev = g.last
	if g.last != nil {
		g.last.next = r
		g.edited(g.last)
	} else {
		g.first = r
	}
	g.last = r
}

// unlink removes a body from the list of bodies. It keeps r.next, because an iteration of Bodies may
// be at r.
func (g *registry) unlink(r *body) {
	if r.prev != nil {
		r.prev.next = r.next
		g.edited(r.prev)
	} else {
		g.first = r.next
	}
	if r.next != nil {
		r.next.prev = r.prev
		g.edited(r.next)
	} else {
		g.last = r.prev
	}
}

// wordOf returns the name of the value i of an enumeration.
func wordOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "unknown"
}

// KineticEnergy returns the energy of the body's motion and rotation, in J. It is 0 unless the body
// is dynamic.
func (i BodyInfo) KineticEnergy() float64 {
	v, omega := i.Velocity, i.AngularVelocity
	// The conversions to float64 in this file keep compilers from fusing a product with a sum.
	return (float64(i.Mass*(float64(v.X*v.X)+float64(v.Y*v.Y))) + float64(i.Inertia*omega*omega)) / 2
}

// WorldPoint converts a point from the body's frame to the world's frame. Points are in m.
func (i BodyInfo) WorldPoint(local Vec) Vec {
	v := i.WorldVector(local)
	return Vec{i.Position.X + v.X, i.Position.Y + v.Y}
}

// LocalPoint converts a point from the world's frame to the body's frame. Points are in m.
func (i BodyInfo) LocalPoint(point Vec) Vec {
	return i.LocalVector(Vec{point.X - i.Position.X, point.Y - i.Position.Y})
}

// WorldVector converts a vector, such as a direction, from the body's frame to the world's frame.
func (i BodyInfo) WorldVector(local Vec) Vec {
	sin, cos := trig.SinCos(i.Angle)
	return Vec{float64(cos*local.X) - float64(sin*local.Y), float64(sin*local.X) + float64(cos*local.Y)}
}

// LocalVector converts a vector, such as a direction, from the world's frame to the body's frame.
func (i BodyInfo) LocalVector(vector Vec) Vec {
	sin, cos := trig.SinCos(i.Angle)
	return Vec{float64(cos*vector.X) + float64(sin*vector.Y), float64(cos*vector.Y) - float64(sin*vector.X)}
}

// VelocityAt returns the velocity of the body at a point of the world. The point is in m, the result
// in m/s.
func (i BodyInfo) VelocityAt(point Vec) Vec {
	omega, c := i.AngularVelocity, i.Centre
	return Vec{i.Velocity.X - float64(omega*(point.Y-c.Y)), i.Velocity.Y + float64(omega*(point.X-c.X))}
}
