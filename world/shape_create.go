package world

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
)

// CreateShape adds a shape to a body. The mass of the body changes accordingly. If CreateShape returns an
// error, it has created nothing. The error names the invalid value, or wraps [ErrCrowded].
func (w *World) CreateShape(b Body, def ShapeDef) (Shape, error) {
	if w.when.phase == stepping {
		return 0, ErrStepping
	}
	s := Shape(w.registry.newHandle())
	return s, w.createShape(b, s, &def)
}

// createShape does the same as CreateShape, but the caller, a command or the world,
// chooses the handle.
func (w *World) createShape(handle Body, s Shape, def *ShapeDef) error {
	r, err := w.edit(handle)
	if err != nil {
		return err
	}
	made, err := w.outlines.build(def)
	if err == nil {
		err = checkCount("shapes of a body", len(r.shapes)+1, MaxBodyShapes)
	}
	if err == nil {
		err = w.masses.checkMass(r, r.b.M_type, nil, made, def.Density)
	}
	parts := [1]part{{shape: made, filter: def.Filter.withDefaults()}}
	if err == nil && r.b.IsActive() {
		err = w.crowd.checkContacts(r.b, r.b.M_type, r.b.M_xf, parts[:], 0) // 0: no contacts end to make room
	}
	if err != nil {
		return err
	}
	moved := w.keepCentre(r)       // announces a new mass or centre after the change
	known := w.masses.weightsOf(r) // nil for a body with few shapes
	sh := w.attach(r, s, def, &parts[0])
	if known != nil {
		known.add(weigh(made, def.Density))
	}
	if def.Density > 0 {
		w.masses.sumMass(r)
	} else {
		w.masses.overrideMass(r)
	}
	w.box.WakeBody(r.b)
	w.news.announceShape(sh)
	moved()
	return nil
}

// surface sets the surface values of a shape that Box2D's fixture lacks.
func (u *surfaces) surface(s *shape, d *ShapeDef) {
	s.surfaceSpeed, s.material, s.segments = d.SurfaceSpeed, d.Material, slices.Clone(d.SegmentMaterials)
	u.roll(s, d.RollingResistance)
	s.unsensed = d.Unsensed
}

// attach makes a shape and its fixture from checked values. After that the caller must compute the body's
// mass. Box2D would compute it after every shape with a density.
func (w *World) attach(r *body, handle Shape, def *ShapeDef, made *part) *shape {
	w.registry.shapeID++
	s := &shape{
		handle: handle, of: r, id: w.registry.shapeID, kind: def.Kind, name: def.Name, colour: def.Colour, user: def.User,
		filter: made.filter, counted: made.counted,
	}
	w.surfaces.surface(s, def)
	w.surfaces.makeOneWay(s, def.OneWay)
	fd := box2d.B2FixtureDef{
		Shape: made.shape, UserData: s, Density: def.Density,
		Friction: def.Friction, Restitution: def.Restitution,
		IsSensor: def.Sensor, Filter: openToAll,
	}
	s.fix = w.box.CreateFixture(r.b, &fd)
	r.shapes = append(r.shapes, s)
	w.registry.shapes[handle] = s
	return s
}

// DestroyShape removes a shape from its body. The mass of the body changes accordingly. While Box2D steps,
// the removal waits until the step is over.
func (w *World) DestroyShape(s Shape) error {
	sh, err := w.lookupShape(s)
	if err != nil {
		return err
	}
	if w.when.phase == stepping {
		w.Later(func(w *World) { w.DestroyShape(s) })
		return nil
	}
	r := sh.of
	if err := w.masses.checkMass(r, r.b.M_type, sh, nil, 0); err != nil { // the mass without sh, and with no new shape
		return err
	}
	w.news.leaves(func() { w.news.announceShape(sh) })
	moved := w.keepCentre(r)
	w.crowd.uncount(sh)
	w.registry.edited(r)
	w.masses.destroyFixture(sh)
	sh.fix = nil
	delete(w.registry.shapes, s)
	w.news.announceRemoved(body2d.ShapeRemoved, r.slot, sh.id)
	moved()
	return nil
}
