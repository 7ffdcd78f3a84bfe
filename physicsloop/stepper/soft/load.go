package soft

import "github.com/ByteArena/box2d"

const bodyBlock = 256

// load copies what the step needs of the world's bodies.
func (s *Stepper) load() {
	n := len(s.bodies)
	blocks := s.blocksOf(n, bodyBlock, 4)
	s.results = growTo(s.results, blocks)[:blocks]
	s.run(stageLoad, n, blocks)
	// A proxy that one body has lost another may have got: first forget, then load.
	for i := range blocks {
		for _, k := range s.results[i].changed {
			s.forgetShapes(&s.bodies[k])
		}
	}
	last := &s.reloaded
	last.moved, last.retyped = last.moved[:0], false
	for i := range blocks {
		for _, k := range s.results[i].changed {
			s.loadShapes(k, last)
			s.loadBody(k, last)
		}
	}
	// Proxies that somebody has moved or whose filters have changed.
	bp := &s.world.M_contactManager.M_broadPhase
	others := bp.M_moveBuffer[:bp.M_moveCount]
	s.beginMoves()
	for i := range blocks {
		for _, k := range s.results[i].moved {
			s.resync(k)
		}
		if s.results[i].retyped {
			s.statics.valid = false
		}
	}
	for _, k := range last.moved {
		s.resync(k)
	}
	for i := range blocks {
		for _, k := range s.results[i].changed {
			s.resyncNew(k)
		}
	}
	if last.retyped {
		s.statics.valid = false
	}
	for _, q := range others {
		if q != box2d.E_nullProxy && s.moved[q]&movedByOthers == 0 {
			s.resyncShape(int32(q))
		}
	}
	s.endMoves()
	s.syncStatics()
}

// resync computes the boxes of a body that is new or that somebody else has moved.
func (s *Stepper) resync(i int32) {
	for k := s.bodies[i].first; k >= 0; k = s.shapes[k].next {
		s.resyncShape(k)
	}
}

// resyncNew does so for shapes that the tree holds with other boxes than this step
// knows of.
func (s *Stepper) resyncNew(i int32) {
	nodes := s.world.M_contactManager.M_broadPhase.M_tree.M_nodes
	for k := s.bodies[i].first; k >= 0; k = s.shapes[k].next {
		if s.fats[k] != boxOf(&nodes[k].Aabb) {
			s.resyncShape(k)
		}
	}
}

// resyncShape computes the boxes of a shape. The library has done so, with other
// bits on other machines.
func (s *Stepper) resyncShape(k int32) {
	sh, g := &s.shapes[k], &s.geometries[k]
	p := &s.poses[sh.body]
	tight := g.bounds(p.x, p.y, p.q, 0)
	sh.f.M_proxies[sh.child].Aabb = tight.toB2()
	s.fats[k] = g.bounds(p.x, p.y, p.q, s.margin(p))
	s.moveProxy(k)
	s.setMoved(k, movedByOthers)
}

func (s *Stepper) loadBlock(block, from, to int) {
	r := &s.results[block]
	r.moved, r.changed, r.retyped = r.moved[:0], r.changed[:0], false
	r.around = nowhere
	for i := from; i < to; i++ {
		e := &s.bodies[i]
		e.checkMass()
		if s.shapesChanged(e) {
			e.replaced = e.replaced || s.shapesReplaced(e)
			r.changed = append(r.changed, int32(i))
		} else {
			s.loadBody(int32(i), r)
		}
		if p := &s.poses[i]; p.flags&poseDynamic != 0 {
			r.around = r.around.union(&box{p.x, p.y, p.x, p.y})
		}
	}
}

func (s *Stepper) loadBody(i int32, r *finished) {
	e, p := &s.bodies[i], &s.poses[i]
	b := e.b
	p.flags &= poseFast
	if e.isElsewhere(p) {
		s.place(i)
		p.flags = 0
		r.moved = append(r.moved, i)
	}
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		if f.M_proxyCount > 0 && s.sensors[f.M_proxies[0].ProxyId] != f.M_isSensor {
			for k := range f.M_proxyCount {
				s.sensors[f.M_proxies[k].ProxyId] = f.M_isSensor
			}
			s.setMinExtent(e)
		}
	}
	if fixed := b.M_type != dynamicBody; fixed != e.fixed {
		e.fixed = fixed
		r.retyped = true
	}
	if b.M_type == staticBody {
		p.flags |= poseStatic
		s.masses[i] = mass{}
		return
	}
	if b.M_flags&bodyActive == 0 {
		return
	}
	if b.M_flags&bodyAwake == 0 {
		if b.M_type == dynamicBody {
			p.flags |= poseSleeping
		}
		return
	}
	s.loadAwake(i)
}

// isElsewhere reports whether somebody else has moved a body.
func (e *body) isElsewhere(p *pose) bool {
	b := e.b
	return b.M_xf.P.X != e.x || b.M_xf.P.Y != e.y || b.M_sweep.A != e.a || b.M_sweep.C.X != p.x || b.M_sweep.C.Y != p.y
}

// loadAwake copies velocity, mass and forces of a body that is awake.
func (s *Stepper) loadAwake(i int32) {
	p, b := &s.poses[i], s.bodies[i].b
	p.flags = p.flags&^poseSleeping | poseAwake
	m := &s.motions[i]
	*m = motion{linearScale: 1, angularScale: 1}
	m.v, m.w = vec{float32(b.M_linearVelocity.X), float32(b.M_linearVelocity.Y)}, float32(b.M_angularVelocity)
	if b.M_type == kinematicBody {
		s.masses[i] = mass{}
		if m.v != (vec{}) || m.w != 0 {
			p.flags |= poseMoving
		}
		return
	}
	p.flags |= poseDynamic
	if b.M_flags&bodyBullet != 0 {
		p.flags |= poseBullet
	}
	s.masses[i] = mass{float32(b.M_invMass), float32(b.M_invI)}
	h, g := float64(s.h), b.M_gravityScale
	m.dv.x = float32(h * (float64(g*s.gravity.X) + float64(b.M_invMass*b.M_force.X)))
	m.dv.y = float32(h * (float64(g*s.gravity.Y) + float64(b.M_invMass*b.M_force.Y)))
	m.dw = float32(h * b.M_invI * b.M_torque)
	if b.M_linearDamping != 0 {
		m.linearScale = 1 / (1 + float32(s.h*float32(b.M_linearDamping)))
	}
	if b.M_angularDamping != 0 {
		m.angularScale = 1 / (1 + float32(s.h*float32(b.M_angularDamping)))
	}
}

// place computes where a body is from its origin and angle, which somebody else
// has set. The library has done so too, with other bits on other machines.
func (s *Stepper) place(i int32) {
	e, p := &s.bodies[i], &s.poses[i]
	b := e.b
	sin, cos := sinCos(b.M_sweep.A)
	b.M_xf.Q.S, b.M_xf.Q.C = sin, cos
	lc := b.M_sweep.LocalCenter
	p.x = b.M_xf.P.X + (float64(cos*lc.X) - float64(sin*lc.Y))
	p.y = b.M_xf.P.Y + (float64(sin*lc.X) + float64(cos*lc.Y))
	p.q = rot{float32(sin), float32(cos)}
	b.M_sweep.C = box2d.B2Vec2{X: p.x, Y: p.y}
	b.M_sweep.C0, b.M_sweep.A0 = b.M_sweep.C, b.M_sweep.A
	e.x, e.y, e.a = b.M_xf.P.X, b.M_xf.P.Y, b.M_sweep.A
}

// wake wakes a body in the middle of a step.
func (s *Stepper) wake(i int32) {
	b := s.bodies[i].b
	b.M_flags |= bodyAwake
	b.M_sleepTime = 0
	if s.poses[i].flags&poseSleeping != 0 {
		s.loadAwake(i)
	}
}
