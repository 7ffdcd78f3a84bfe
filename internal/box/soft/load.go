package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

const (
	bodyBlock = 128 // the least number of bodies in a block that is loaded or moved

	// manyBodies is that for stages that take only some nanoseconds a body.
	manyBodies = 512
)

// MakeRoom makes the tables large enough for the world, so that the next step need not. It is
// called after a world was filled, before the first step; [New] calls it itself. It changes
// no result: the step looks at everything all the same.
func (s *Stepper) MakeRoom() {
	if s.set.Current() || !s.set.Renumber() {
		return
	}
	s.bodies.grow()
	s.shapes.grow()
	for n := range s.set.Bodies.All {
		i := int32(n)
		e := &s.bodies.all[i]
		if s.loader.replaceBody(i); e.b != nil && e.count < 0 { // a Restore may have loaded it
			was := *e // a Restore may have said where the centre of mass was when a step last saw it
			s.shapes.copy(i)
			s.shapes.forget(e)
			*e = was
		}
	}
}

// loader brings the tables in line with what others have done to the world since the last step.
type loader struct {
	results []loaded // by block of bodies; the last entry is for those whose shapes have changed

	blocks work // loadBlock

	set      *box.World
	crew     *crew
	stride   *stride
	bodies   *bodies
	shapes   *shapes
	contacts *contacts
	pairs    *pairs
}

// loaded is what is left to be done in order after a block of bodies was loaded.
type loaded struct {
	moved   []int32 // bodies that others have moved
	changed []int32 // bodies whose shapes are to be loaded
	stale   []int32 // bodies among these whose contacts have points that no longer hold
}

func (r *loaded) empty() { r.moved, r.changed, r.stale = r.moved[:0], r.changed[:0], r.stale[:0] }

// load copies what the step needs of the world's bodies.
func (s *loader) load() {
	s.followBodies()
	s.shapes.grow()
	s.bodies.reload = s.stride.gravity != s.bodies.loadedGravity || s.stride.h != s.bodies.loadedH || s.stride.dt != s.bodies.loadedDt
	s.bodies.loadedGravity, s.bodies.loadedH, s.bodies.loadedDt = s.stride.gravity, s.stride.h, s.stride.dt
	if s.shapes.otherFilters {
		s.shapes.otherFilters = false
		for i := range s.bodies.all {
			if s.bodies.all[i].b != nil {
				s.shapes.loadFilters(&s.bodies.all[i])
			}
		}
	}
	n := len(s.set.Bodies.Seen)
	blocks := s.crew.blocksOf(n, bodyBlock, 4)
	s.results = growTo(s.results, blocks+1)[:blocks+1]
	s.crew.run(s.blocks, n, blocks)
	last := &s.results[blocks]
	last.empty()
	for i := range s.results[:blocks] {
		r := &s.results[i]
		last.moved = append(last.moved, r.moved...)
		last.changed = append(last.changed, r.changed...)
	}
	// A body may have got the number of a shape that another one has lost: first forget, then load.
	for _, k := range last.changed {
		s.shapes.forget(&s.bodies.all[k])
	}
	for _, k := range last.changed {
		s.loadShapes(k, last)
		s.loadBody(k, last)
	}
	for _, k := range last.stale { // now that the shapes on both sides of a contact are there
		s.contacts.dropPoints(s.bodies.all[k].b)
	}
	// Others have moved these, or their filters have changed.
	others := s.set.Shapes.Moves.List
	s.pairs.packed.fits = s.pairs.packed.fits && len(others)+len(s.set.Bodies.Changed) == 0 && !s.set.LookedAtAll()
	for _, k := range last.moved {
		s.resync(k, true)
	}
	for _, k := range last.changed {
		s.resync(k, false)
	}
	for _, q := range others {
		if q >= 0 && s.shapes.moved[q]&movedByOthers == 0 {
			s.resyncShape(q)
		}
	}
	s.set.Shapes.Tree.Refit(s.pairs.refit)
	s.shapes.syncStatics()
}

// resync computes the boxes of a body that others have moved: of all its shapes, or only of
// those whose boxes in the tree are not fatBoxes.
func (s *loader) resync(i int32, all bool) {
	for k := s.bodies.all[i].first; k >= 0; k = s.shapes.all[k].next {
		if all || s.shapes.fatBoxes[k] != boxOf(s.set.Shapes.Tree.Box(k)) {
			s.resyncShape(k)
		}
	}
}

// resyncShape computes the boxes of a shape. The library's boxes have other bits on other
// machines.
func (s *loader) resyncShape(k int32) {
	sh, g := &s.shapes.all[k], &s.shapes.geometries[k]
	p := &s.bodies.poses[sh.body]
	s.shapes.fatBoxes[k], s.shapes.room[k] = g.bounds(p.x, p.y, p.q, p.margin()), 0
	s.shapes.swept[k] = way{}
	s.pairs.moveShape(k, &s.shapes.fatBoxes[k])
	s.shapes.setMoved(k, movedByOthers)
	if s.bodies.all[sh.body].fixed {
		s.shapes.statics.changed = append(s.shapes.statics.changed, k)
	}
}

// loadBlock loads a block of bodies, but for those whose shapes are to be loaded, which it lists.
func (s *loader) loadBlock(block, from, to int) {
	r := &s.results[block]
	r.empty()
	all, poses := s.bodies.all, s.bodies.poses
	for _, i := range s.set.Bodies.Seen[from:to] {
		e, p := &all[i], &poses[i]
		if e.b == nil {
			continue // it is gone
		}
		if p.flags&poseEdited != 0 {
			if e.change&box.Unknown != 0 {
				e.change |= s.differs(i)
				s.shapes.resweep(e)
			}
			if e.change&box.Reshaped != 0 || e.count < 0 {
				canonicalMass(e.b)
				e.mass, e.inertia = e.b.M_mass, e.b.M_I
				r.changed = append(r.changed, i)
				continue
			}
			if e.change&(box.Unknown|box.Resurfaced) != 0 {
				s.shapes.loadFilters(e)
			}
		}
		s.loadBody(i, r)
	}
}

// resweep computes anew how far the boxes of a body in the tree reach beyond its fat boxes: others
// may have moved them, and had pairs looked for.
func (s *shapes) resweep(e *body) {
	for k := e.first; k >= 0; k = s.all[k].next {
		tree := boxOf(s.set.Shapes.Tree.Box(k))
		if w := tree.beyond(&s.fatBoxes[k]); w != s.swept[k] {
			s.swept[k], s.room[k] = w, 0
		}
	}
}

func (s *loader) loadBody(i int32, r *loaded) {
	e, p := &s.bodies.all[i], &s.bodies.poses[i]
	b, was := e.b, p.flags
	p.flags &= poseFast
	if was&poseEdited != 0 {
		if !e.seen || e.change&box.Placed != 0 {
			s.bodies.place(i)
			p.flags = 0
			r.moved = append(r.moved, i)
		}
		e.seen, e.change = true, 0
		p.flags |= poseChanged
	}
	switch {
	case b.M_type == b2.StaticBody:
		p.flags |= poseStatic
		s.bodies.masses[i] = mass{}
	case b.M_flags&b2.BodyActive == 0:
	case b.M_flags&b2.BodyAwake != 0:
		if was&poseAwake == 0 {
			p.flags |= poseChanged
		}
		if was&(poseDynamic|poseEdited|posePushed) == poseDynamic && !s.bodies.reload {
			// Nothing has changed: motion and mass are what the last step left.
			p.flags |= was & (poseAwake | poseDynamic | poseBullet | poseUpright | poseFixedX | poseFixedY)
			return
		}
		s.bodies.loadAwake(i)
		return
	case b.M_type == b2.DynamicBody:
		p.flags |= poseSleeping
	}
	s.bodies.plans[i] = plan{}
}

// loadAwake sets the flags, motion and mass of a body that is awake.
func (s *bodies) loadAwake(i int32) {
	p, b := &s.poses[i], s.all[i].b
	p.flags = p.flags&^poseSleeping | poseAwake
	m := &s.motions[i]
	*m = motion{linearScale: 1, angularScale: 1}
	m.v, m.w = vec{float32(b.M_linearVelocity.X), float32(b.M_linearVelocity.Y)}, float32(b.M_angularVelocity)
	if b.M_type == b2.KinematicBody {
		s.masses[i] = mass{}
		if m.v != (vec{}) || m.w != 0 {
			p.flags |= poseMoving
		}
		s.plan(i)
		return
	}
	p.flags |= poseDynamic
	s.noteTurn(p, m.w)
	if b.M_force != (box2d.B2Vec2{}) || b.M_torque != 0 {
		p.flags |= posePushed
	}
	if b.M_flags&b2.BodyBullet != 0 {
		p.flags |= poseBullet
	}
	if b.M_flags&b2.BodyFixedX != 0 {
		p.flags |= poseFixedX
	}
	if b.M_flags&b2.BodyFixedY != 0 {
		p.flags |= poseFixedY
	}
	m.v = p.alongFree(m.v)
	s.plan(i)
	s.masses[i] = mass{float32(b.M_invMass), float32(b.M_invI)}
	h, g := float64(s.stride.h), b.M_gravityScale
	m.dv.x = float32(h * (float64(g*s.stride.gravity.X) + float64(b.M_invMass*b.M_force.X)))
	m.dv.y = float32(h * (float64(g*s.stride.gravity.Y) + float64(b.M_invMass*b.M_force.Y)))
	m.dw = float32(h * b.M_invI * b.M_torque)
	if b.M_linearDamping != 0 {
		m.linearScale = 1 / (1 + float32(s.stride.h*float32(b.M_linearDamping)))
	}
	if b.M_angularDamping != 0 {
		m.angularScale = 1 / (1 + float32(s.stride.h*float32(b.M_angularDamping)))
	}
}

// alongFree drops the parts of v along axes that the body keeps, as b2.AlongFree does.
func (p *pose) alongFree(v vec) vec {
	if p.flags&poseFixedX != 0 {
		v.x = 0
	}
	if p.flags&poseFixedY != 0 {
		v.y = 0
	}
	return v
}

// noteTurn sets poseUpright if there is gravity and a body that turns at w rad/s hardly turns.
func (s *bodies) noteTurn(p *pose, w float32) {
	if p.flags &^= poseUpright; s.stride.gravity != (box2d.B2Vec2{}) && !(float32(abs(w)*p.extent) > propSpeed) {
		p.flags |= poseUpright
	}
}

// place calls b2.Place for a body that others have moved, and copies its pose.
func (s *bodies) place(i int32) {
	e, p := &s.all[i], &s.poses[i]
	b := e.b
	b2.Place(b)
	p.x, p.y = b.M_sweep.C.X, b.M_sweep.C.Y
	p.q = rot{float32(b.M_xf.Q.S), float32(b.M_xf.Q.C)}
	e.a = b.M_sweep.A
}

// wake wakes a body in the middle of a step.
func (s *bodies) wake(i int32) {
	b2.Wake(s.all[i].b)
	s.set.Wake(i)
	s.loadWoken(i)
}

// loadWoken loads a body that was woken in the middle of a step.
func (s *bodies) loadWoken(i int32) {
	if p := &s.poses[i]; p.flags&poseSleeping != 0 {
		s.loadAwake(i)
		p.flags |= poseEdited | poseChanged
		s.woken, s.sleepers = true, true
	}
}
