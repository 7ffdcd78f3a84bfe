package world

import (
	"fmt"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
)

// CreateBody creates a body with its shapes. If it returns an error, it has created nothing. The
// error names the invalid value, or wraps [ErrCrowded].
func (w *World) CreateBody(def BodyDef) (Body, error) {
	w.checkGoroutine()
	if w.when.phase == stepping {
		return 0, ErrStepping
	}
	n := Body(w.registry.newHandle())
	return n, w.createBody(n, 0, &def)
}

// createBody does the same as CreateBody, but the caller chooses the handle of the
// body. The shapes get consecutive handles from first, or new handles of the world if
// first is 0.
func (w *World) createBody(handle Body, first Shape, def *BodyDef) error {
	if err := def.check(); err != nil {
		return err
	}
	made := slices.Grow(w.making[:0], len(def.Shapes))[:len(def.Shapes)]
	w.making = made
	defer clear(made)
	lastHeavy := -1 // the last shape with a density
	var t tally
	for i := range def.Shapes {
		s, err := w.outlines.build(&def.Shapes[i])
		if err == nil && def.Kind == Dynamic {
			err = t.add(s, def.Shapes[i].Density)
		}
		if err != nil {
			if def.Name != "" {
				return fmt.Errorf("%w (shape %d of %q)", err, i, def.Name)
			}
			return fmt.Errorf("%w (shape %d)", err, i)
		}
		made[i] = part{shape: s, filter: def.Shapes[i].Filter.withDefaults()}
		if def.Shapes[i].Density > 0 {
			lastHeavy = i
		}
	}
	if !def.Disabled {
		// nil: the body does not exist yet; 0: no contacts end to make room.
		if err := w.crowd.checkContacts(nil, uint8(def.Kind), transform(def.Position, def.Angle), made, 0); err != nil {
			return err
		}
		w.box.Leaves().Reserve(len(def.Shapes))
	}

	both := new(struct { // one allocation for a body and its list, if it has one shape
		r   body
		one [1]*shape
	})
	r := &both.r
	*r = body{
		handle: handle, name: def.Name, colour: def.Colour, user: def.User, mass: copied(def.Mass),
		shapes: slices.Grow(both.one[:0], len(def.Shapes)),
	}
	bd := box2d.B2BodyDef{
		Type:     uint8(def.Kind),
		Position: b2vec(def.Position), Angle: def.Angle,
		LinearVelocity: b2vec(def.Velocity), AngularVelocity: def.AngularVelocity,
		LinearDamping: def.LinearDamping, AngularDamping: def.AngularDamping,
		AllowSleep: !def.NoSleep, Awake: !def.Asleep, Active: !def.Disabled,
		FixedRotation: def.FixedRotation, Bullet: def.Bullet,
		GravityScale: def.GravityScale, UserData: r,
	}
	if def.Kind == Static { // the library would move it with the bodies that touch it
		bd.LinearVelocity, bd.AngularVelocity = box2d.B2Vec2{}, 0
	}
	if def.FixedRotation { // the library would turn it for ever (box2d issue 710)
		bd.AngularVelocity = 0
	}
	if def.NoGravity {
		bd.GravityScale = 0
	} else if def.GravityScale == 0 {
		bd.GravityScale = 1
	}
	w.surfaces.rest(r, def.SleepSpeed, def.SleepSpin)
	r.b = w.box.CreateBody(&bd, def.Asleep) // a body that is made asleep is not woken by the bodies around it
	w.box.SetFixedAxes(r.b, def.FixedX, def.FixedY)
	w.registry.bodies[handle] = r
	w.registry.link(r)
	for i := range def.Shapes {
		s := first + Shape(i)
		if first == 0 {
			s = Shape(w.registry.newHandle())
		}
		w.attach(r, s, &def.Shapes[i], &made[i])
		// Box2D would add up the masses after each shape. One sum at the end is enough if it changes no
		// velocity.
		if def.Shapes[i].Density > 0 && (i == lastHeavy || !isStill(r.b)) {
			w.box.SumMass(r.b, nil) // nil: the mass follows from the shapes
		}
	}
	w.masses.overrideMass(r)
	if def.CentreVelocity && def.Kind != Static { // the library moves the velocity with the centre of mass when shapes are added
		w.box.StartAt(r.b, b2vec(def.Velocity))
	}
	w.places.newSlot(r)
	w.news.announceBody(r, body2d.BodyAdded)
	for _, s := range r.shapes {
		w.news.announceShape(s)
	}
	return nil
}

// check returns an error that names an invalid number in a definition. It does not check shapes.
func (d *BodyDef) check() error {
	if d.Kind > Dynamic {
		return fmt.Errorf("world: no body kind %d", d.Kind)
	}
	return firstError(
		checkCount("shapes of a body", len(d.Shapes), MaxBodyShapes),
		checkVec("position", d.Position, maxPosition),
		checkPosition("angle", d.Angle),
		checkVec("velocity", d.Velocity, maxValue),
		checkNumber("angular velocity", d.AngularVelocity),
		checkPositive("linear damping", d.LinearDamping),
		checkPositive("angular damping", d.AngularDamping),
		checkNumber("gravity scale", d.GravityScale),
		checkPositive("sleep speed", d.SleepSpeed),
		checkPositive("sleep spin", d.SleepSpin),
		d.Mass.check(),
	)
}

// DestroyBody removes a body with its shapes and joints. While Box2D steps, the removal waits
// until the step is over.
func (w *World) DestroyBody(b Body) error {
	r, err := w.lookupBody(b)
	if err != nil {
		return err
	}
	if w.when.phase == stepping {
		w.Later(func(w *World) { w.DestroyBody(b) }) // the body may not exist any more
		return nil
	}
	for e := r.b.M_jointList; e != nil; e = r.b.M_jointList {
		w.links.destroyJoint(e.Joint)
	}
	s := &w.places.slots[r.slot]
	w.news.leaves(func() { w.news.announceWhole(r) })
	if w.when.phase == after { // the next captured tick still shows the body
		d := dying{slot: r.slot}
		w.places.capture(int(r.slot), &d.state)
		w.places.dying = append(w.places.dying, d)
		s.dying = true
	}

	w.registry.edited(r)
	w.box.DestroyBody(r.b)
	r.b = nil
	for _, sh := range r.shapes {
		w.crowd.uncount(sh)
		sh.fix = nil
		delete(w.registry.shapes, sh.handle)
	}
	delete(w.registry.bodies, b)
	delete(w.masses.weighed, r)
	w.registry.removed.add(b, r.name, w.registry.removals)
	w.registry.removals++
	w.registry.unlink(r)
	s.b, s.rec = nil, nil

	w.news.announceRemoved(body2d.BodyRemoved, r.slot, 0) // bodies have no id
	e := w.news.event(BodyRemoved)
	e.A, e.NameA, e.User = b, r.name, r.user
	r.user = nil
	if w.when.phase != after { // if not, release frees the slot
		w.places.freeSlot(r.slot)
	}
	return nil
}
