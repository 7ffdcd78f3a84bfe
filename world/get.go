package world

import "github.com/ByteArena/box2d"

// Position returns a body's origin, m, and its unwrapped angle, rad.
func (w *World) Position(handle Body) (Vec, float64, error) {
	r, err := w.body(handle)
	if err != nil {
		return Vec{}, 0, err
	}
	return fromB2(r.b.M_xf.P), r.b.M_sweep.A, nil
}

// Centre returns a body's centre of mass, m.
func (w *World) Centre(handle Body) (Vec, error) {
	r, err := w.body(handle)
	if err != nil {
		return Vec{}, err
	}
	return fromB2(r.b.M_sweep.C), nil
}

// Velocity returns the velocity of a body's centre of mass, m/s.
func (w *World) Velocity(handle Body) (Vec, error) {
	r, err := w.body(handle)
	if err != nil {
		return Vec{}, err
	}
	return fromB2(r.b.M_linearVelocity), nil
}

// AngularVelocity returns a body's angular velocity, rad/s.
func (w *World) AngularVelocity(handle Body) (float64, error) {
	r, err := w.body(handle)
	if err != nil {
		return 0, err
	}
	return r.b.M_angularVelocity, nil
}

// Mass returns a body's mass, kg, and its inertia about the centre of mass,
// kg·m². A body that is not dynamic has neither.
func (w *World) Mass(handle Body) (mass, inertia float64, err error) {
	r, err := w.body(handle)
	if err != nil {
		return 0, 0, err
	}
	return r.b.M_mass, r.b.M_I, nil
}

// Kind returns a body's kind.
func (w *World) Kind(handle Body) (BodyKind, error) {
	r, err := w.body(handle)
	if err != nil {
		return 0, err
	}
	return BodyKind(r.b.M_type), nil
}

// Awake reports whether the solver still moves a body.
func (w *World) Awake(handle Body) (bool, error) {
	r, err := w.body(handle)
	if err != nil {
		return false, err
	}
	return r.b.M_flags&box2d.B2Body_Flags.E_awakeFlag != 0, nil
}

// User returns a body's user data.
func (w *World) User(b Body) (any, error) {
	r, err := w.body(b)
	if err != nil {
		return nil, err
	}
	return r.user, nil
}

// Name returns the name of a body's definition.
func (w *World) Name(b Body) (string, error) {
	r, err := w.body(b)
	if err != nil {
		return "", err
	}
	return r.name, nil
}

// Slot returns the index of a body in the states, and its generation there.
func (w *World) Slot(b Body) (index int, generation uint32, err error) {
	r, err := w.body(b)
	if err != nil {
		return 0, 0, err
	}
	return int(r.slot), w.slots[r.slot].generation, nil
}

// Shapes returns a body's shapes in order of creation.
func (w *World) Shapes(b Body) ([]Shape, error) {
	r, err := w.body(b)
	if err != nil {
		return nil, err
	}
	list := make([]Shape, len(r.shapes))
	for i, s := range r.shapes {
		list[i] = s.handle
	}
	return list, nil
}

// ShapeUser returns a shape's body and user data.
func (w *World) ShapeUser(handle Shape) (Body, any, error) {
	s, err := w.shape(handle)
	if err != nil {
		return 0, nil, err
	}
	return s.of.handle, s.user, nil
}

// JointUser returns a joint's user data.
func (w *World) JointUser(handle Joint) (any, error) {
	j, err := w.joint(handle)
	if err != nil {
		return nil, err
	}
	return j.user, nil
}

// JointBodies returns the bodies that a joint joins; a is zero where a mouse
// joint holds on to the world.
func (w *World) JointBodies(handle Joint) (a, b Body, err error) {
	j, err := w.joint(handle)
	if err != nil {
		return 0, 0, err
	}
	return w.HandleOf(j.j.GetBodyA()), w.HandleOf(j.j.GetBodyB()), nil
}

// FindJoint returns the first joint of that name, in order of creation.
func (w *World) FindJoint(label string) (Joint, bool) {
	w.own()
	var found Joint
	for j := w.b2.M_jointList; j != nil; j = j.GetNext() {
		if r, _ := j.GetUserData().(*joint); r != nil && r.name == label {
			found = r.handle // Box2D lists the newest first
		}
	}
	return found, found != 0
}

// Gravity returns the world's gravity, m/s².
func (w *World) Gravity() Vec {
	w.own()
	return fromB2(w.b2.M_gravity)
}
