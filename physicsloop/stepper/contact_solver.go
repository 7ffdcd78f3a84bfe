package stepper

import "github.com/ByteArena/box2d"

// mass is what the solver has to know of a body besides its motion.
type mass struct {
	m, i   float64 // inverse mass and inverse inertia
	cx, cy float64 // centre of mass in the body's frame
	radius float64 // of the body's shape; negative if it has several
}

func (m *mass) set(b *box2d.B2Body) {
	m.m, m.i = b.M_invMass, b.M_invI
	m.cx, m.cy = b.M_sweep.LocalCenter.X, b.M_sweep.LocalCenter.Y
	m.radius = -1
	if f := b.M_fixtureList; f != nil && f.M_next == nil {
		m.radius = radius(f.M_shape)
	}
}

// velocityPoint is one contact point in the velocity solver.
type velocityPoint struct {
	rAx, rAy, rBx, rBy            float64
	normalImpulse, tangentImpulse float64
	normalMass, tangentMass       float64
	bias                          float64
}

// velocityConstraint is a contact in the velocity solver: four cache lines.
type velocityConstraint struct {
	a, b           int32 // bodies, by their place in the island
	count          int   // points
	nx, ny         float64
	mA, iA, mB, iB float64
	friction       float64
	tangentSpeed   float64
	p              [2]velocityPoint
	k11, k12, k22  float64 // effective mass of two points together
	inverse        float64 // of its determinant
}

// positionConstraint is a contact in the position solver.
type positionConstraint struct {
	points           [2]box2d.B2Vec2
	normal, plane    box2d.B2Vec2
	centerA, centerB box2d.B2Vec2
	mA, iA, mB, iB   float64
	radiusA, radiusB float64
	a, b             int32
	count            int32
	shape            uint8 // manifold type
}

// set fills both constraints of a contact with what does not depend on where
// its bodies are.
func (cs *constraints) set(i int, r *contactRef, a, b int32) {
	mA, mB := &cs.own[0], &cs.own[1]
	if cs.masses != nil {
		mA, mB = &cs.masses[a], &cs.masses[b]
	} else {
		mA.set(r.bA)
		mB.set(r.bB)
	}
	if !cs.unseen {
		r.c.M_flags |= contactIsland
	}
	m := r.m
	vc, pc := &cs.velocity[i], &cs.position[i]
	vc.friction, vc.tangentSpeed = r.c.M_friction, r.c.M_tangentSpeed
	vc.mA, vc.iA, vc.mB, vc.iB = mA.m, mA.i, mB.m, mB.i
	vc.a, vc.b = a, b
	vc.count = m.PointCount
	box2d.B2Assert(vc.count > 0)

	pc.points = [2]box2d.B2Vec2{m.Points[0].LocalPoint, m.Points[1].LocalPoint}
	pc.normal, pc.plane = m.LocalNormal, m.LocalPoint
	pc.centerA, pc.centerB = box2d.B2Vec2{X: mA.cx, Y: mA.cy}, box2d.B2Vec2{X: mB.cx, Y: mB.cy}
	pc.mA, pc.iA, pc.mB, pc.iB = mA.m, mA.i, mB.m, mB.i
	if pc.radiusA = mA.radius; !(pc.radiusA >= 0) {
		pc.radiusA = radius(r.fA.M_shape)
	}
	if pc.radiusB = mB.radius; !(pc.radiusB >= 0) {
		pc.radiusB = radius(r.fB.M_shape)
	}
	pc.a, pc.b = a, b
	pc.count = int32(m.PointCount)
	pc.shape = m.Type
}

func radius(shape box2d.B2ShapeInterface) float64 {
	if p, ok := shape.(*box2d.B2PolygonShape); ok {
		return p.M_radius
	}
	return shape.GetRadius()
}

// impulses starts from the impulses of the last step, scaled by ratio, or from
// none.
func (vc *velocityConstraint) impulses(m *box2d.B2Manifold, warm bool, ratio float64) {
	for j := range vc.p {
		p := &vc.p[j]
		if warm {
			p.normalImpulse = ratio * m.Points[j].NormalImpulse
			p.tangentImpulse = ratio * m.Points[j].TangentImpulse
		} else {
			p.normalImpulse, p.tangentImpulse = 0, 0
		}
	}
}

func (vc *velocityConstraint) store(m *box2d.B2Manifold) {
	for j := 0; j < vc.count; j++ {
		m.Points[j].NormalImpulse = vc.p[j].normalImpulse
		m.Points[j].TangentImpulse = vc.p[j].tangentImpulse
	}
}

func (vc *velocityConstraint) report(out *box2d.B2ContactImpulse) {
	*out = box2d.B2ContactImpulse{Count: vc.count}
	for j := 0; j < out.Count; j++ {
		out.NormalImpulses[j] = vc.p[j].normalImpulse
		out.TangentImpulses[j] = vc.p[j].tangentImpulse
	}
}

// prepare computes what depends on where a contact's bodies are: its points,
// effective masses and the bias of bouncing.
func (cs *constraints) prepare(i int, restitution float64) {
	vc, pc := &cs.velocity[i], &cs.position[i]
	cA, cB := cs.positions[vc.a].C, cs.positions[vc.b].C
	sA, kA := cs.turns[vc.a].rotation(cs.positions[vc.a].A)
	sB, kB := cs.turns[vc.b].rotation(cs.positions[vc.b].A)
	xfA := box2d.B2Transform{Q: box2d.B2Rot{S: sA, C: kA}}
	xfB := box2d.B2Transform{Q: box2d.B2Rot{S: sB, C: kB}}
	xfA.P.X = cA.X - (kA*pc.centerA.X - sA*pc.centerA.Y)
	xfA.P.Y = cA.Y - (sA*pc.centerA.X + kA*pc.centerA.Y)
	xfB.P.X = cB.X - (kB*pc.centerB.X - sB*pc.centerB.Y)
	xfB.P.Y = cB.Y - (sB*pc.centerB.X + kB*pc.centerB.Y)

	var points [2]box2d.B2Vec2
	n := pc.world(&xfA, &xfB, &points)
	vc.nx, vc.ny = n.X, n.Y

	mA, iA, mB, iB := vc.mA, vc.iA, vc.mB, vc.iB
	vA, wA := cs.velocities[vc.a].V, cs.velocities[vc.a].W
	vB, wB := cs.velocities[vc.b].V, cs.velocities[vc.b].W
	for j := 0; j < vc.count; j++ {
		p := &vc.p[j]
		rAx, rAy := points[j].X-cA.X, points[j].Y-cA.Y
		rBx, rBy := points[j].X-cB.X, points[j].Y-cB.Y
		p.rAx, p.rAy, p.rBx, p.rBy = rAx, rAy, rBx, rBy

		nA, nB := rAx*n.Y-rAy*n.X, rBx*n.Y-rBy*n.X
		k := mA + mB + iA*nA*nA + iB*nB*nB
		p.normalMass = 0
		if k > 0 {
			p.normalMass = 1 / k
		}
		tx, ty := n.Y, -n.X
		tA, tB := rAx*ty-rAy*tx, rBx*ty-rBy*tx
		k = mA + mB + iA*tA*tA + iB*tB*tB
		p.tangentMass = 0
		if k > 0 {
			p.tangentMass = 1 / k
		}

		p.bias = 0
		dx := ((vB.X + -wB*rBy) - vA.X) - -wA*rAy
		dy := ((vB.Y + wB*rBx) - vA.Y) - wA*rAx
		if rel := n.X*dx + n.Y*dy; rel < -box2d.B2_velocityThreshold {
			p.bias = -restitution * rel
		}
	}

	if vc.count == 2 {
		p1, p2 := &vc.p[0], &vc.p[1]
		n1A, n1B := p1.rAx*n.Y-p1.rAy*n.X, p1.rBx*n.Y-p1.rBy*n.X
		n2A, n2B := p2.rAx*n.Y-p2.rAy*n.X, p2.rBx*n.Y-p2.rBy*n.X
		k11 := mA + mB + iA*n1A*n1A + iB*n1B*n1B
		k22 := mA + mB + iA*n2A*n2A + iB*n2B*n2B
		k12 := mA + mB + iA*n1A*n2A + iB*n1B*n2B
		const worst = 1000.0 // condition number
		if k11*k11 < worst*(k11*k22-k12*k12) {
			det := k11*k22 - k12*k12
			if det != 0 {
				det = 1 / det
			}
			vc.k11, vc.k12, vc.k22 = k11, k12, k22
			vc.inverse = det
		} else {
			vc.count = 1 // redundant: one of them will do
		}
	}
}

// world finds the normal, from A to B, and the contact points.
func (pc *positionConstraint) world(xfA, xfB *box2d.B2Transform, points *[2]box2d.B2Vec2) box2d.B2Vec2 {
	if pc.shape == 0 { // circles
		n := box2d.B2Vec2{X: 1}
		pA, pB := apply(xfA, pc.plane), apply(xfB, pc.points[0])
		d := box2d.B2Vec2{X: pA.X - pB.X, Y: pA.Y - pB.Y}
		if d.X*d.X+d.Y*d.Y > 0 {
			n = box2d.B2Vec2{X: pB.X - pA.X, Y: pB.Y - pA.Y}
			n.Normalize()
		}
		ax, ay := pA.X+pc.radiusA*n.X, pA.Y+pc.radiusA*n.Y
		bx, by := pB.X-pc.radiusB*n.X, pB.Y-pc.radiusB*n.Y
		points[0] = box2d.B2Vec2{X: 0.5 * (ax + bx), Y: 0.5 * (ay + by)}
		return n
	}
	// The face lies on one body, the points on the other.
	xf1, xf2, r1, r2 := xfA, xfB, pc.radiusA, pc.radiusB
	if pc.shape == 2 {
		xf1, xf2, r1, r2 = xfB, xfA, pc.radiusB, pc.radiusA
	}
	s, c := xf1.Q.S, xf1.Q.C
	n := box2d.B2Vec2{X: c*pc.normal.X - s*pc.normal.Y, Y: s*pc.normal.X + c*pc.normal.Y}
	plane := apply(xf1, pc.plane)
	for i := 0; i < int(pc.count); i++ {
		p := apply(xf2, pc.points[i])
		k := r1 - ((p.X-plane.X)*n.X + (p.Y-plane.Y)*n.Y)
		x1, y1 := p.X+k*n.X, p.Y+k*n.Y
		x2, y2 := p.X-r2*n.X, p.Y-r2*n.Y
		points[i] = box2d.B2Vec2{X: 0.5 * (x1 + x2), Y: 0.5 * (y1 + y2)}
	}
	if pc.shape == 2 {
		n = box2d.B2Vec2{X: -n.X, Y: -n.Y}
	}
	return n
}

func apply(xf *box2d.B2Transform, v box2d.B2Vec2) box2d.B2Vec2 {
	return box2d.B2Vec2{
		X: (xf.Q.C*v.X - xf.Q.S*v.Y) + xf.P.X,
		Y: (xf.Q.S*v.X + xf.Q.C*v.Y) + xf.P.Y,
	}
}
