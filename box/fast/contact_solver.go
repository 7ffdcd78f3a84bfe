package fast

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// bodyMass has the numbers of a body that stay the same while an island is solved.
type bodyMass struct {
	invMass, invI              float64 // inverse mass and inverse rotational inertia
	localCenterX, localCenterY float64 // centre of mass in the body's frame
	radius                     float64 // radius of the body's only shape; negative if the body has no shape or several
}

func (m *bodyMass) load(b *box2d.B2Body) {
	m.invMass, m.invI = b.M_invMass, b.M_invI
	m.localCenterX, m.localCenterY = b.M_sweep.LocalCenter.X, b.M_sweep.LocalCenter.Y
	m.radius = -1
	if f := b.M_fixtureList; f != nil && f.M_next == nil {
		m.radius = shapeRadius(f.M_shape)
	}
}

// velocityConstraintPoint is B2VelocityConstraintPoint.
type velocityConstraintPoint struct {
	rAx, rAy, rBx, rBy            float64 // vectors from the centres of mass to the point
	normalImpulse, tangentImpulse float64
	normalMass, tangentMass       float64
	velocityBias                  float64
}

// contactVelocityConstraint is B2ContactVelocityConstraint. It fills four cache lines.
type contactVelocityConstraint struct {
	indexA, indexB int32 // indices of the bodies in the island
	pointCount     int
	nx, ny         float64
	mA, iA, mB, iB float64
	friction       float64
	tangentSpeed   float64
	points         [2]velocityConstraintPoint
	k11, k12, k22  float64 // K: the inverse of the effective mass of two points together
	invDet         float64 // 1 / the determinant of K
}

// The types of a manifold.
const (
	circlesManifold = iota // both shapes are b2.Circles
	faceAManifold          // the reference face belongs to A
	faceBManifold          // the reference face belongs to B
)

// contactPositionConstraint is B2ContactPositionConstraint.
type contactPositionConstraint struct {
	localPoints                [2]box2d.B2Vec2
	localNormal, localPoint    box2d.B2Vec2
	localCenterA, localCenterB box2d.B2Vec2
	mA, iA, mB, iB             float64
	radiusA, radiusB           float64
	indexA, indexB             int32
	pointCount                 int32
	manifoldType               uint8
}

// initializeConstraint fills the parts of a contact's constraints that do not depend on
// positions, except the impulses. It sets the contact's island flag if a callback can read flags.
func (cs *constraintSolver) initializeConstraint(i int, r *contactRef, indexA, indexB int32) {
	mA, mB := &cs.tmpMass[0], &cs.tmpMass[1]
	if cs.masses != nil {
		mA, mB = &cs.masses[indexA], &cs.masses[indexB]
	} else {
		mA.load(r.bA)
		mB.load(r.bB)
	}
	if cs.mode.callbacks != callbacksNone {
		r.c.M_flags |= b2.ContactIsland
	}
	m := r.manifold
	vc, pc := &cs.velocityConstraints[i], &cs.positionConstraints[i]
	vc.friction, vc.tangentSpeed = r.c.M_friction, r.c.M_tangentSpeed
	vc.mA, vc.iA, vc.mB, vc.iB = mA.invMass, mA.invI, mB.invMass, mB.invI
	vc.indexA, vc.indexB = indexA, indexB
	vc.pointCount = m.PointCount
	box2d.B2Assert(vc.pointCount > 0)

	pc.localPoints = [2]box2d.B2Vec2{m.Points[0].LocalPoint, m.Points[1].LocalPoint}
	pc.localNormal, pc.localPoint = m.LocalNormal, m.LocalPoint
	pc.localCenterA, pc.localCenterB = box2d.B2Vec2{X: mA.localCenterX, Y: mA.localCenterY}, box2d.B2Vec2{X: mB.localCenterX, Y: mB.localCenterY}
	pc.mA, pc.iA, pc.mB, pc.iB = mA.invMass, mA.invI, mB.invMass, mB.invI
	if pc.radiusA = mA.radius; !(pc.radiusA >= 0) {
		pc.radiusA = shapeRadius(r.fA.M_shape)
	}
	if pc.radiusB = mB.radius; !(pc.radiusB >= 0) {
		pc.radiusB = shapeRadius(r.fB.M_shape)
	}
	pc.indexA, pc.indexB = indexA, indexB
	pc.pointCount = int32(m.PointCount)
	pc.manifoldType = m.Type
}

// shapeRadius is the radius of a shape. A shape other than a circle has as its radius the thickness
// of the skin around its edges. For polygons, the most frequent shapes, shapeRadius avoids a call
// through the interface.
func shapeRadius(shape box2d.B2ShapeInterface) float64 {
	if p, ok := shape.(*box2d.B2PolygonShape); ok {
		return p.M_radius
	}
	return shape.GetRadius()
}

// loadImpulses sets the impulses to dtRatio times the impulses of the last step, or to 0 without
// warm starting.
func (vc *contactVelocityConstraint) loadImpulses(m *box2d.B2Manifold, warmStarting bool, dtRatio float64) {
	for j := range vc.points {
		p := &vc.points[j]
		if warmStarting {
			p.normalImpulse = dtRatio * m.Points[j].NormalImpulse
			p.tangentImpulse = dtRatio * m.Points[j].TangentImpulse
		} else {
			p.normalImpulse, p.tangentImpulse = 0, 0
		}
	}
}

// storeImpulses stores the impulses for the next step.
func (vc *contactVelocityConstraint) storeImpulses(m *box2d.B2Manifold) {
	for j := 0; j < vc.pointCount; j++ {
		m.Points[j].NormalImpulse = vc.points[j].normalImpulse
		m.Points[j].TangentImpulse = vc.points[j].tangentImpulse
	}
}

// contactImpulse writes the impulses to out, the argument of PostSolve.
func (vc *contactVelocityConstraint) contactImpulse(out *box2d.B2ContactImpulse) {
	*out = box2d.B2ContactImpulse{Count: vc.pointCount}
	for j := 0; j < out.Count; j++ {
		out.NormalImpulses[j] = vc.points[j].normalImpulse
		out.TangentImpulses[j] = vc.points[j].tangentImpulse
	}
}

// initializeVelocityConstraint computes the parts of a contact's velocity constraint that depend on
// positions: the points, the effective masses, and the speed after a bounce.
func (cs *constraintSolver) initializeVelocityConstraint(i int, restitution float64) {
	vc, pc := &cs.velocityConstraints[i], &cs.positionConstraints[i]
	cA, cB := cs.positions[vc.indexA].C, cs.positions[vc.indexB].C
	sA, kA := cs.rotations[vc.indexA].sinCos(cs.positions[vc.indexA].A)
	sB, kB := cs.rotations[vc.indexB].sinCos(cs.positions[vc.indexB].A)
	xfA := box2d.B2Transform{Q: box2d.B2Rot{S: sA, C: kA}}
	xfB := box2d.B2Transform{Q: box2d.B2Rot{S: sB, C: kB}}
	xfA.P.X = cA.X - (kA*pc.localCenterA.X - sA*pc.localCenterA.Y)
	xfA.P.Y = cA.Y - (sA*pc.localCenterA.X + kA*pc.localCenterA.Y)
	xfB.P.X = cB.X - (kB*pc.localCenterB.X - sB*pc.localCenterB.Y)
	xfB.P.Y = cB.Y - (sB*pc.localCenterB.X + kB*pc.localCenterB.Y)

	var points [2]box2d.B2Vec2
	n := pc.worldManifold(&xfA, &xfB, &points)
	vc.nx, vc.ny = n.X, n.Y

	mA, iA, mB, iB := vc.mA, vc.iA, vc.mB, vc.iB
	vA, wA := cs.velocities[vc.indexA].V, cs.velocities[vc.indexA].W
	vB, wB := cs.velocities[vc.indexB].V, cs.velocities[vc.indexB].W
	for j := 0; j < vc.pointCount; j++ {
		p := &vc.points[j]
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

		p.velocityBias = 0
		dx := ((vB.X + -wB*rBy) - vA.X) - -wA*rAy
		dy := ((vB.Y + wB*rBx) - vA.Y) - wA*rAx
		if vRel := n.X*dx + n.Y*dy; vRel < -cs.bounceSpeed {
			p.velocityBias = -restitution * vRel
		}
	}

	if vc.pointCount == 2 {
		p1, p2 := &vc.points[0], &vc.points[1]
		n1A, n1B := p1.rAx*n.Y-p1.rAy*n.X, p1.rBx*n.Y-p1.rBy*n.X
		n2A, n2B := p2.rAx*n.Y-p2.rAy*n.X, p2.rBx*n.Y-p2.rBy*n.X
		k11 := mA + mB + iA*n1A*n1A + iB*n1B*n1B
		k22 := mA + mB + iA*n2A*n2A + iB*n2B*n2B
		k12 := mA + mB + iA*n1A*n2A + iB*n1B*n2B
		const maxConditionNumber = 1000.0
		if k11*k11 < maxConditionNumber*(k11*k22-k12*k12) {
			det := k11*k22 - k12*k12
			if det != 0 {
				det = 1 / det
			}
			vc.k11, vc.k12, vc.k22 = k11, k12, k22
			vc.invDet = det
		} else {
			vc.pointCount = 1 // the two points are nearly redundant, so one of them is enough
		}
	}
}

// worldManifold is B2WorldManifold.Initialize. It returns the normal, from A to
// B, and writes the contact points.
func (pc *contactPositionConstraint) worldManifold(xfA, xfB *box2d.B2Transform, points *[2]box2d.B2Vec2) box2d.B2Vec2 {
	if pc.manifoldType == circlesManifold {
		n := box2d.B2Vec2{X: 1}
		pA, pB := transformMul(xfA, pc.localPoint), transformMul(xfB, pc.localPoints[0])
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
	// xf1 belongs to the body with the face, xf2 to the body with the points
	xf1, xf2, r1, r2 := xfA, xfB, pc.radiusA, pc.radiusB
	if pc.manifoldType == faceBManifold {
		xf1, xf2, r1, r2 = xfB, xfA, pc.radiusB, pc.radiusA
	}
	s, c := xf1.Q.S, xf1.Q.C
	n := box2d.B2Vec2{X: c*pc.localNormal.X - s*pc.localNormal.Y, Y: s*pc.localNormal.X + c*pc.localNormal.Y}
	planePoint := transformMul(xf1, pc.localPoint)
	for i := 0; i < int(pc.pointCount); i++ {
		p := transformMul(xf2, pc.localPoints[i])
		k := r1 - ((p.X-planePoint.X)*n.X + (p.Y-planePoint.Y)*n.Y)
		x1, y1 := p.X+k*n.X, p.Y+k*n.Y
		x2, y2 := p.X-r2*n.X, p.Y-r2*n.Y
		points[i] = box2d.B2Vec2{X: 0.5 * (x1 + x2), Y: 0.5 * (y1 + y2)}
	}
	if pc.manifoldType == faceBManifold {
		n = box2d.B2Vec2{X: -n.X, Y: -n.Y}
	}
	return n
}

// transformMul is B2TransformVec2Mul.
func transformMul(xf *box2d.B2Transform, v box2d.B2Vec2) box2d.B2Vec2 {
	return box2d.B2Vec2{
		X: (xf.Q.C*v.X - xf.Q.S*v.Y) + xf.P.X,
		Y: (xf.Q.S*v.X + xf.Q.C*v.Y) + xf.P.Y,
	}
}
