package world

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
)

// CreateShape adds a shape to a body, whose mass changes accordingly. The error
// says what Box2D could not take, or wraps [ErrCrowded]; then nothing is made.
func (w *World) CreateShape(b Body, def ShapeDef) (Shape, error) {
	if w.phase == stepping {
		return 0, ErrStepping
	}
	s := Shape(w.newHandle())
	return s, w.createShape(b, s, &def)
}

// createShape gives a body a shape with a handle, which a command has chosen or the world.
func (w *World) createShape(handle Body, s Shape, def *ShapeDef) error {
	r, err := w.edit(handle)
	if err != nil {
		return err
	}
	made, err := w.buildShape(def)
	if err == nil {
		err = checkCount("shapes of a body", len(r.shapes)+1, MaxBodyShapes)
	}
	if err == nil {
		err = w.checkMass(r, r.b.M_type, nil, made, def.Density)
	}
	parts := [1]part{{shape: made, filter: def.Filter.withDefaults()}}
	if err == nil && r.b.IsActive() {
		err = w.checkContacts(r.b, r.b.M_type, r.b.M_xf, parts[:], 0)
	}
	if err != nil {
		return err
	}
	moved := w.keepCentre(r)
	known := w.weightsOf(r)
	sh := w.attach(r, s, def, &parts[0])
	if known != nil {
		known.add(weigh(made, def.Density))
	}
	if def.Density > 0 {
		w.sumMass(r)
	} else {
		w.overrideMass(r)
	}
	w.box.WakeBody(r.b)
	w.announceShape(sh)
	moved()
	return nil
}

// surface gives a shape what a definition says of its surface, beside what Box2D knows.
func (w *World) surface(s *shape, d *ShapeDef) {
	s.surfaceSpeed, s.material, s.segments = d.SurfaceSpeed, d.Material, slices.Clone(d.SegmentMaterials)
	w.roll(s, d.RollingResistance)
}

// attach makes the fixture. Everything has been checked. The body's mass is still
// to be worked out, which Box2D would do for every shape with a density.
func (w *World) attach(r *body, handle Shape, def *ShapeDef, made *part) *shape {
	w.shapeID++
	s := &shape{
		handle: handle, of: r, id: w.shapeID, kind: def.Kind, name: def.Name, colour: def.Colour, user: def.User,
		filter: made.filter, counted: made.counted,
	}
	w.surface(s, def)
	w.makeOneWay(s, def.OneWay)
	fd := box2d.B2FixtureDef{
		Shape: made.shape, UserData: s, Density: def.Density,
		Friction: def.Friction, Restitution: def.Restitution,
		IsSensor: def.Sensor, Filter: openToAll,
	}
	s.fix = w.box.CreateFixture(r.b, &fd)
	r.shapes = append(r.shapes, s)
	w.shapes[handle] = s
	return s
}

// DestroyShape removes a shape from its body, whose mass changes accordingly.
// While Box2D steps, it waits until the step is over.
func (w *World) DestroyShape(s Shape) error {
	sh, err := w.lookupShape(s)
	if err != nil {
		return err
	}
	if w.phase == stepping {
		w.Later(func(w *World) { w.DestroyShape(s) })
		return nil
	}
	r := sh.of
	if err := w.checkMass(r, r.b.M_type, sh, nil, 0); err != nil {
		return err
	}
	w.leaves(func() { w.announceShape(sh) })
	moved := w.keepCentre(r)
	w.uncount(sh)
	w.edited(r)
	w.destroyFixture(sh)
	sh.fix = nil
	delete(w.shapes, s)
	w.announceRemoved(body2d.ShapeRemoved, r.slot, sh.id)
	moved()
	return nil
}
