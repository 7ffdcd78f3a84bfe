package stepper

import (
	"math"

	"github.com/ByteArena/box2d"
)

// islandJoint is a joint with its bodies' places in the island. Revolute
// joints without limit and motor are solved here, on flat data; all others by
// the library, on the same arrays.
type islandJoint struct {
	j    box2d.B2JointInterface
	rev  *box2d.B2RevoluteJoint // nil: the library's
	a, b int32

	mA, iA, mB, iB         float64
	lAx, lAy, lBx, lBy     float64 // anchors from the centres of mass, in the bodies' frames
	rAx, rAy, rBx, rBy     float64 // the same in the world's
	a11, a12, a22, inverse float64 // effective mass: matrix and inverse determinant
	impulseX, impulseY     float64
}

// classify reports whether the joint is solved here.
func (j *islandJoint) classify() bool {
	if r, ok := j.j.(*box2d.B2RevoluteJoint); ok && !r.M_enableLimit && !r.M_enableMotor {
		j.rev = r
	}
	return j.rev != nil
}

// prepare computes what depends on where the bodies are and applies the
// impulse of the last step.
func (j *islandJoint) prepare(cs *constraints, data *box2d.B2SolverData) {
	r := j.rev
	if r == nil {
		j.j.InitVelocityConstraints(*data)
		return
	}
	bA, bB := r.M_bodyA, r.M_bodyB
	mA, iA, mB, iB := bA.M_invMass, bA.M_invI, bB.M_invMass, bB.M_invI
	j.mA, j.iA, j.mB, j.iB = mA, iA, mB, iB
	j.lAx, j.lAy = r.M_localAnchorA.X-bA.M_sweep.LocalCenter.X, r.M_localAnchorA.Y-bA.M_sweep.LocalCenter.Y
	j.lBx, j.lBy = r.M_localAnchorB.X-bB.M_sweep.LocalCenter.X, r.M_localAnchorB.Y-bB.M_sweep.LocalCenter.Y
	sA, kA := cs.turns[j.a].rotation(cs.positions[j.a].A)
	sB, kB := cs.turns[j.b].rotation(cs.positions[j.b].A)
	rAx, rAy := kA*j.lAx-sA*j.lAy, sA*j.lAx+kA*j.lAy
	rBx, rBy := kB*j.lBx-sB*j.lBy, sB*j.lBx+kB*j.lBy
	j.rAx, j.rAy, j.rBx, j.rBy = rAx, rAy, rBx, rBy

	j.a11 = mA + mB + rAy*rAy*iA + rBy*rBy*iB
	j.a12 = -rAy*rAx*iA - rBy*rBx*iB
	j.a22 = mA + mB + rAx*rAx*iA + rBx*rBx*iB
	j.inverse = j.a11*j.a22 - j.a12*j.a12
	if j.inverse != 0 {
		j.inverse = 1 / j.inverse
	}

	r.M_motorImpulse = 0
	r.M_limitState = 1 // inactive
	if !data.Step.WarmStarting {
		r.M_impulse = box2d.B2Vec3{}
		j.impulseX, j.impulseY = 0, 0
		return
	}
	ratio := data.Step.DtRatio
	r.M_impulse.X *= ratio
	r.M_impulse.Y *= ratio
	r.M_impulse.Z *= ratio
	r.M_motorImpulse *= ratio
	px, py, turning := r.M_impulse.X, r.M_impulse.Y, r.M_impulse.Z
	j.impulseX, j.impulseY = px, py

	a, b := &cs.velocities[j.a], &cs.velocities[j.b]
	vA, wA, vB, wB := a.V, a.W, b.V, b.W
	vA.X -= mA * px
	vA.Y -= mA * py
	wA -= iA * ((rAx*py - rAy*px) + r.M_motorImpulse + turning)
	vB.X += mB * px
	vB.Y += mB * py
	wB += iB * ((rBx*py - rBy*px) + r.M_motorImpulse + turning)
	a.V, a.W = vA, wA
	b.V, b.W = vB, wB
}

// solveVelocity holds the anchors' velocities together.
func (j *islandJoint) solveVelocity(cs *constraints, data *box2d.B2SolverData) {
	if j.rev == nil {
		j.j.SolveVelocityConstraints(*data)
		return
	}
	a, b := &cs.velocities[j.a], &cs.velocities[j.b]
	vAx, vAy, wA := a.V.X, a.V.Y, a.W
	vBx, vBy, wB := b.V.X, b.V.Y, b.W
	rAx, rAy, rBx, rBy := j.rAx, j.rAy, j.rBx, j.rBy
	x := -(((vBx + -wB*rBy) - vAx) - -wA*rAy)
	y := -(((vBy + wB*rBx) - vAy) - wA*rAx)
	ix := j.inverse * (j.a22*x - j.a12*y)
	iy := j.inverse * (j.a11*y - j.a12*x)
	j.impulseX += ix
	j.impulseY += iy
	a.V.X = vAx - j.mA*ix
	a.V.Y = vAy - j.mA*iy
	a.W = wA - j.iA*(rAx*iy-rAy*ix)
	b.V.X = vBx + j.mB*ix
	b.V.Y = vBy + j.mB*iy
	b.W = wB + j.iB*(rBx*iy-rBy*ix)
}

// store keeps the impulse for the next step.
func (j *islandJoint) store() {
	if j.rev != nil {
		j.rev.M_impulse.X, j.rev.M_impulse.Y = j.impulseX, j.impulseY
	}
}

// solvePosition pulls the anchors together and reports whether they were
// close.
func (j *islandJoint) solvePosition(cs *constraints, data *box2d.B2SolverData) bool {
	if j.rev == nil {
		return j.j.SolvePositionConstraints(*data)
	}
	a, b := &cs.positions[j.a], &cs.positions[j.b]
	sA, kA := cs.turns[j.a].rotation(a.A)
	sB, kB := cs.turns[j.b].rotation(b.A)
	rAx, rAy := kA*j.lAx-sA*j.lAy, sA*j.lAx+kA*j.lAy
	rBx, rBy := kB*j.lBx-sB*j.lBy, sB*j.lBx+kB*j.lBy
	x := ((b.C.X + rBx) - a.C.X) - rAx
	y := ((b.C.Y + rBy) - a.C.Y) - rAy
	off := math.Sqrt(x*x + y*y)

	mA, iA, mB, iB := j.mA, j.iA, j.mB, j.iB
	a11 := mA + mB + iA*rAy*rAy + iB*rBy*rBy
	a12 := -iA*rAx*rAy - iB*rBx*rBy
	a22 := mA + mB + iA*rAx*rAx + iB*rBx*rBx
	det := a11*a22 - a12*a12
	if det != 0 {
		det = 1 / det
	}
	ix := -(det * (a22*x - a12*y))
	iy := -(det * (a11*y - a12*x))

	cA, aA, cB, aB := a.C, a.A, b.C, b.A
	cA.X -= mA * ix
	cA.Y -= mA * iy
	aA -= iA * (rAx*iy - rAy*ix)
	cB.X += mB * ix
	cB.Y += mB * iy
	aB += iB * (rBx*iy - rBy*ix)
	a.C, a.A = cA, aA
	b.C, b.A = cB, aB
	return off <= box2d.B2_linearSlop
}
