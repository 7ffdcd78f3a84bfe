package fast

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// addedJoint solves the parts of a joint that the library lacks. Each row constrains one relative
// speed of the two bodies: along an axis, or of rotation. The rows are solved before the library's
// joint. Motor joints with anchors or a velocity are solved by the rows alone, and so are distance
// joints that have limits but no spring.
type addedJoint struct {
	of             box2d.B2JointInterface
	extra          *box.JointExtra
	indexA, indexB int32        // indices of the joint's bodies in the island
	mA, iA, mB, iB float64      // inverse masses and inertias
	lcA, lcB       box2d.B2Vec2 // centres of mass, in the bodies' frames
	withoutLibrary bool         // the library's joint is not solved

	rows  [addedRows]addedRow
	motor *box2d.B2MotorJoint // nil if the joint is no motor joint
	point addedPoint
}

// The rows of an addedJoint. A motor joint has a row for the angle.
const (
	springRow = iota
	lowerRow
	upperRow
	angleRow
	addedRows
)

// addedRow is a constraint along one axis. A positive impulse pushes B along (x, y), and A in the
// opposite direction. The lever arms are armA and armB.
type addedRow struct {
	x, y, armA, armB  float64
	mass, bias, gamma float64 // effective mass, 0 in an unused row; speed that the row must remove; softness
	least, most       float64 // bounds of the impulse
	impulse           float64
}

// addedPoint drives a point of B by a limited impulse.
type addedPoint struct {
	rA, rB  box2d.B2Vec2  // vectors from the centres of mass to the point
	inverse box2d.B2Mat22 // effective mass
	bias    box2d.B2Vec2  // speed that the impulse must remove
	most    float64       // bound of the impulse
	impulse box2d.B2Vec2
}

// turningRow constrains the relative rotation of the two bodies.
var turningRow = addedRow{armA: 1, armB: 1}

// rowAlong constrains the relative speed of a point of A and a point of B along the unit vector
// n. The vectors rA and rB go from the centres of mass to these points.
func rowAlong(n, rA, rB box2d.B2Vec2) addedRow {
	return addedRow{x: n.X, y: n.Y, armA: box2d.B2Vec2Cross(rA, n), armB: box2d.B2Vec2Cross(rB, n)}
}

// added reports whether a joint needs an addedJoint.
func (j *jointRef) added() bool {
	if j.extra == nil {
		return false
	}
	switch j.j.(type) {
	case *box2d.B2RevoluteJoint, *box2d.B2PrismaticJoint:
		return j.extra.HasSpring()
	case *box2d.B2DistanceJoint, *box2d.B2WheelJoint:
		return j.extra.HasLimit()
	case *box2d.B2MotorJoint:
		return j.extra.MovesAnchors()
	}
	return false
}

// addJoint makes an addedJoint for a joint, and returns 1 + its index.
func (is *islandSolver) addJoint(j *jointRef) int32 {
	a := addedJoint{of: j.j, extra: j.extra, indexA: is.islandIndex[j.indexA], indexB: is.islandIndex[j.indexB]}
	switch t := j.j.(type) {
	case *box2d.B2MotorJoint:
		a.motor, a.withoutLibrary = t, true
	case *box2d.B2DistanceJoint:
		a.withoutLibrary = t.M_frequencyHz == 0
	}
	is.added = append(is.added, a)
	return int32(len(is.added))
}

// init computes the values that depend on the bodies' positions. It also applies the impulses of
// the last step.
func (a *addedJoint) init(cs *constraintSolver, bodies []*box2d.B2Body, data *box2d.B2SolverData) {
	bA, bB := bodies[a.indexA], bodies[a.indexB]
	a.mA, a.iA, a.mB, a.iB = bA.M_invMass, bA.M_invI, bB.M_invMass, bB.M_invI
	a.lcA, a.lcB = bA.M_sweep.LocalCenter, bB.M_sweep.LocalCenter
	if !a.withoutLibrary {
		cs.solved(a.of).InitVelocityConstraints(*data)
	}
	ratio := 0.0
	if data.Step.WarmStarting {
		ratio = data.Step.DtRatio
	}
	x, h := a.extra, data.Step.Dt
	if a.motor != nil {
		a.initMotor(cs, ratio, h)
		return
	}
	row, at := a.springRow(cs)
	if x.HasLimit() {
		lower, upper := row, addedRow{x: -row.x, y: -row.y, armA: -row.armA, armB: -row.armB}
		a.limit(lowerRow, lower, at-x.Lower, max(x.LimitImpulse, 0)*ratio, h)
		a.limit(upperRow, upper, x.Upper-at, max(-x.LimitImpulse, 0)*ratio, h)
	} else {
		a.spring(cs, row, at-x.SpringTarget, h)
		a.rows[springRow].impulse = x.SpringImpulse * ratio
	}
	for i := range a.rows {
		a.push(cs, &a.rows[i], a.rows[i].impulse)
	}
}

// springRow returns the row of a joint's spring and limits. The second result is the joint's
// present angle in rad, or its present translation in m.
func (a *addedJoint) springRow(cs *constraintSolver) (addedRow, float64) {
	switch t := a.of.(type) {
	case *box2d.B2RevoluteJoint:
		return turningRow, cs.positions[a.indexB].A - cs.positions[a.indexA].A - t.M_referenceAngle
	case *box2d.B2PrismaticJoint:
		rA, rB, gap := a.arms(cs, t.M_localAnchorA, t.M_localAnchorB)
		n := a.turned(cs, t.M_localXAxisA)
		return rowAlong(n, rA, rB), b2.Dot(n, gap)
	case *box2d.B2WheelJoint:
		rA, rB, gap := a.arms(cs, t.M_localAnchorA, t.M_localAnchorB)
		t.M_ax = a.turned(cs, t.M_localXAxisA)
		return rowAlong(t.M_ax, rA, rB), b2.Dot(t.M_ax, gap)
	case *box2d.B2DistanceJoint:
		rA, rB, gap := a.arms(cs, t.M_localAnchorA, t.M_localAnchorB)
		t.M_u = b2.Unit(gap)
		return rowAlong(t.M_u, rA, rB), b2.Length(gap)
	}
	return addedRow{}, 0
}

// arms returns the vectors from both centres of mass to the anchor of B. The vector gap goes from
// the anchor of A to the anchor of B. Both impulses act at the anchor of B, so that the total
// angular momentum does not change.
func (a *addedJoint) arms(cs *constraintSolver, anchorA, anchorB box2d.B2Vec2) (rA, rB, gap box2d.B2Vec2) {
	pA, pB := &cs.positions[a.indexA], &cs.positions[a.indexB]
	sin, cos := cs.rotations[a.indexB].sinCos(pB.A)
	rB = b2.Rotate(box2d.B2Rot{S: sin, C: cos}, box2d.B2Vec2Sub(anchorB, a.lcB))
	rA = box2d.B2Vec2Sub(box2d.B2Vec2Add(pB.C, rB), pA.C)
	return rA, rB, box2d.B2Vec2Sub(rA, a.turned(cs, box2d.B2Vec2Sub(anchorA, a.lcA)))
}

// turned rotates a vector from the frame of A into the frame of the world.
func (a *addedJoint) turned(cs *constraintSolver, v box2d.B2Vec2) box2d.B2Vec2 {
	sin, cos := cs.rotations[a.indexA].sinCos(cs.positions[a.indexA].A)
	return b2.Rotate(box2d.B2Rot{S: sin, C: cos}, v)
}

// answers returns the change of speed along one row for a unit impulse along the other row.
func (a *addedJoint) answers(r, p *addedRow) float64 {
	return (a.mA+a.mB)*(r.x*p.x+r.y*p.y) + a.iA*r.armA*p.armA + a.iB*r.armB*p.armB
}

// limit sets a row of the joint, given by its number, so that distance does not become negative.
// The row starts with the given impulse. The time step h is in s.
func (a *addedJoint) limit(which int, r addedRow, distance, impulse, h float64) {
	if k := a.answers(&r, &r); k > 0 {
		r.mass, r.bias, r.most, r.impulse = 1/k, max(distance, 0)/h, math.Inf(1), impulse
	}
	a.rows[which] = r
}

// spring sets the row of the spring, which pulls the error err to 0. The mass that swings along
// this row, while the joint holds the other two rows, is det2 / det3. These are determinants of
// the matrix of answers.
func (a *addedJoint) spring(cs *constraintSolver, r addedRow, err, h float64) {
	var p, q addedRow
	switch t := a.of.(type) {
	case *box2d.B2RevoluteJoint:
		rA, rB, _ := a.arms(cs, t.M_localAnchorA, t.M_localAnchorB)
		p, q = rowAlong(box2d.B2Vec2{X: 1}, rA, rB), rowAlong(box2d.B2Vec2{Y: 1}, rA, rB)
	case *box2d.B2PrismaticJoint:
		rA, rB, _ := a.arms(cs, t.M_localAnchorA, t.M_localAnchorB)
		p, q = rowAlong(box2d.B2Vec2{X: -r.y, Y: r.x}, rA, rB), turningRow
	}
	rr, pp, qq := a.answers(&r, &r), a.answers(&p, &p), a.answers(&q, &q)
	rp, rq, pq := a.answers(&r, &p), a.answers(&r, &q), a.answers(&p, &q)
	if !(rr > 0) {
		return
	}
	det2 := pp*qq - pq*pq
	mass := det2 / (rr*det2 - rp*(rp*qq-rq*pq) + rq*(rp*pq-rq*pp))
	if !(mass > 1/rr && mass < 1e6/rr) {
		mass = 1 / rr
	}
	omega := 2 * math.Pi * a.extra.Frequency
	k, damp := mass*omega*omega, 2*mass*a.extra.Damping*omega
	if g := h * (damp + h*k); g > 0 {
		r.gamma, r.bias = 1/g, err*h*k/g
	}
	r.mass, r.least, r.most = 1/(rr+r.gamma), math.Inf(-1), math.Inf(1)
	a.rows[springRow] = r
}

// initMotor sets the fields point and rows of a motor joint. Their first impulses are the impulses
// of the last step times ratio.
func (a *addedJoint) initMotor(cs *constraintSolver, ratio, h float64) {
	t, x := a.motor, a.extra
	rA, rB, gap := a.arms(cs, x.AnchorA, x.AnchorB)
	angle := cs.positions[a.indexB].A - cs.positions[a.indexA].A - t.M_angularOffset
	bias, turn := b2.Times(t.M_correctionFactor/h, box2d.B2Vec2Sub(gap, a.turned(cs, t.M_linearOffset))), t.M_correctionFactor/h*angle
	if x.EnableMotor {
		bias, turn = b2.Times(-1, a.turned(cs, x.LinearVelocity)), -x.AngularVelocity
	}
	a.point = addedPoint{rA: rA, rB: rB, bias: bias, most: h * t.M_maxForce, impulse: b2.Times(ratio, t.M_linearImpulse)}
	m, iA, iB := a.mA+a.mB, a.iA, a.iB
	k12 := -iA*rA.X*rA.Y - iB*rB.X*rB.Y
	k := box2d.MakeB2Mat22FromScalars(m+iA*rA.Y*rA.Y+iB*rB.Y*rB.Y, k12, k12, m+iA*rA.X*rA.X+iB*rB.X*rB.X)
	a.point.inverse = k.GetInverse()
	a.pushPoint(cs, a.point.impulse)
	if r := turningRow; iA+iB > 0 {
		r.mass, r.bias, r.most = 1/(iA+iB), turn, h*t.M_maxTorque
		r.least, r.impulse = -r.most, t.M_angularImpulse*ratio
		a.rows[angleRow] = r
		a.push(cs, &r, r.impulse)
	}
}

// solve makes one pass over the rows, and then one over the library's joint.
func (a *addedJoint) solve(cs *constraintSolver, data *box2d.B2SolverData) {
	vA, vB := &cs.velocities[a.indexA], &cs.velocities[a.indexB]
	for i := range a.rows {
		if r := &a.rows[i]; r.mass > 0 {
			speed := r.x*(vB.V.X-vA.V.X) + r.y*(vB.V.Y-vA.V.Y) + r.armB*vB.W - r.armA*vA.W
			old := r.impulse
			r.impulse = min(max(old-r.mass*(speed+r.bias+r.gamma*old), r.least), r.most)
			a.push(cs, r, r.impulse-old)
		}
	}
	if p := &a.point; p.most > 0 {
		speed := box2d.B2Vec2Sub(b2.Swing(vB.V, vB.W, p.rB), b2.Swing(vA.V, vA.W, p.rA))
		old := p.impulse
		p.impulse = box2d.B2Vec2Sub(old, box2d.B2Vec2Mat22Mul(p.inverse, box2d.B2Vec2Add(speed, p.bias)))
		if l := b2.Length(p.impulse); l > p.most {
			p.impulse = b2.Times(p.most/l, p.impulse)
		}
		a.pushPoint(cs, box2d.B2Vec2Sub(p.impulse, old))
	}
	if !a.withoutLibrary {
		a.of.SolveVelocityConstraints(*data)
	}
}

// push applies an impulse along a row to both bodies.
func (a *addedJoint) push(cs *constraintSolver, r *addedRow, impulse float64) {
	vA, vB := &cs.velocities[a.indexA], &cs.velocities[a.indexB]
	vA.V.X -= a.mA * r.x * impulse
	vA.V.Y -= a.mA * r.y * impulse
	vA.W -= a.iA * r.armA * impulse
	vB.V.X += a.mB * r.x * impulse
	vB.V.Y += a.mB * r.y * impulse
	vB.W += a.iB * r.armB * impulse
}

// pushPoint applies the impulse p at the driven point to both bodies.
func (a *addedJoint) pushPoint(cs *constraintSolver, p box2d.B2Vec2) {
	vA, vB := &cs.velocities[a.indexA], &cs.velocities[a.indexB]
	vA.V, vA.W = b2.Plus(vA.V, -a.mA, p), vA.W-a.iA*box2d.B2Vec2Cross(a.point.rA, p)
	vB.V, vB.W = b2.Plus(vB.V, a.mB, p), vB.W+a.iB*box2d.B2Vec2Cross(a.point.rB, p)
}

// store keeps the impulses for the next step.
func (a *addedJoint) store() {
	a.extra.SpringImpulse = a.rows[springRow].impulse
	a.extra.LimitImpulse = a.rows[lowerRow].impulse - a.rows[upperRow].impulse
	if a.motor != nil {
		a.motor.M_linearImpulse, a.motor.M_angularImpulse = a.point.impulse, a.rows[angleRow].impulse
	}
}

// solvePosition moves the bodies of a joint back if the joint is beyond its limits. It reports
// whether the error was already small before the call.
func (a *addedJoint) solvePosition(cs *constraintSolver, data *box2d.B2SolverData) bool {
	done := a.withoutLibrary || cs.solved(a.of).SolvePositionConstraints(*data)
	x := a.extra
	if !x.HasLimit() {
		return done
	}
	r, at := a.springRow(cs)
	off := at - min(max(at, x.Lower), x.Upper)
	k := a.answers(&r, &r)
	if off == 0 || !(k > 0) {
		return done
	}
	impulse := -min(max(off, -box2d.B2_maxLinearCorrection), box2d.B2_maxLinearCorrection) / k
	pA, pB := &cs.positions[a.indexA], &cs.positions[a.indexB]
	pA.C.X -= a.mA * r.x * impulse
	pA.C.Y -= a.mA * r.y * impulse
	pA.A -= a.iA * r.armA * impulse
	pB.C.X += a.mB * r.x * impulse
	pB.C.Y += a.mB * r.y * impulse
	pB.A += a.iB * r.armB * impulse
	return done && math.Abs(off) <= box2d.B2_linearSlop
}
