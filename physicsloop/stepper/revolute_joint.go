package stepper

import (
	"math"

	"github.com/ByteArena/box2d"
)

// islandJoint is a joint with its bodies' places in the island. Revolute
// joints without limit and motor are solved here, on flat data; all others by
// the library, on the same arrays.
type islandJoint struct {
	ref  int32 // index into mirror.joints
	a, b int32
	flat bool // solved here

	lAx, lAy, lBx, lBy float64 // anchors from the centres of mass, in the bodies' frames
}

// revolute is what every velocity iteration needs of such a joint.
type revolute struct {
	mA, iA, mB, iB         float64
	rAx, rAy, rBx, rBy     float64 // anchors from the centres of mass
	a11, a12, a22, inverse float64 // effective mass: matrix and inverse determinant
	impulseX, impulseY     float64
	a, b                   int32
}

// flat reports whether the joint is solved here.
func (j *jointRef) flat() bool {
	return j.rev != nil && !j.rev.M_enableLimit && !j.rev.M_enableMotor
}

// prepareJoints computes what depends on where the bodies are and applies the
// impulses of the last step. It reports whether all joints are solved here.
func (cs *constraints) prepareJoints(joints []islandJoint, bodies []*box2d.B2Body, data *box2d.B2SolverData) bool {
	flat := true
	for i := range joints {
		j := &joints[i]
		if j.flat {
			j.prepare(cs.jointRefs[j.ref].rev, cs, &cs.revolutes[i], bodies, data)
		} else {
			flat = false
			cs.jointRefs[j.ref].j.InitVelocityConstraints(*data)
		}
	}
	return flat
}

func (j *islandJoint) prepare(r *box2d.B2RevoluteJoint, cs *constraints, f *revolute, bodies []*box2d.B2Body, data *box2d.B2SolverData) {
	f.a, f.b = j.a, j.b
	bA, bB := bodies[j.a], bodies[j.b]
	mA, iA, mB, iB := bA.M_invMass, bA.M_invI, bB.M_invMass, bB.M_invI
	f.mA, f.iA, f.mB, f.iB = mA, iA, mB, iB
	j.lAx, j.lAy = r.M_localAnchorA.X-bA.M_sweep.LocalCenter.X, r.M_localAnchorA.Y-bA.M_sweep.LocalCenter.Y
	j.lBx, j.lBy = r.M_localAnchorB.X-bB.M_sweep.LocalCenter.X, r.M_localAnchorB.Y-bB.M_sweep.LocalCenter.Y
	sA, kA := cs.turns[j.a].rotation(cs.positions[j.a].A)
	sB, kB := cs.turns[j.b].rotation(cs.positions[j.b].A)
	rAx, rAy := kA*j.lAx-sA*j.lAy, sA*j.lAx+kA*j.lAy
	rBx, rBy := kB*j.lBx-sB*j.lBy, sB*j.lBx+kB*j.lBy
	f.rAx, f.rAy, f.rBx, f.rBy = rAx, rAy, rBx, rBy

	f.a11 = mA + mB + rAy*rAy*iA + rBy*rBy*iB
	f.a12 = -rAy*rAx*iA - rBy*rBx*iB
	f.a22 = mA + mB + rAx*rAx*iA + rBx*rBx*iB
	f.inverse = f.a11*f.a22 - f.a12*f.a12
	if f.inverse != 0 {
		f.inverse = 1 / f.inverse
	}

	r.M_motorImpulse = 0
	r.M_limitState = 1 // inactive
	if !data.Step.WarmStarting {
		r.M_impulse = box2d.B2Vec3{}
		f.impulseX, f.impulseY = 0, 0
		return
	}
	ratio := data.Step.DtRatio
	r.M_impulse.X *= ratio
	r.M_impulse.Y *= ratio
	r.M_impulse.Z *= ratio
	r.M_motorImpulse *= ratio
	px, py, turning := r.M_impulse.X, r.M_impulse.Y, r.M_impulse.Z
	f.impulseX, f.impulseY = px, py

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

// solveJointVelocities is one pass over joints of all kinds.
func (cs *constraints) solveJointVelocities(joints []islandJoint, data *box2d.B2SolverData) {
	for i := range joints {
		if joints[i].flat {
			cs.solveRevolutes(i, i+1)
		} else {
			cs.jointRefs[joints[i].ref].j.SolveVelocityConstraints(*data)
		}
	}
}

// solveRevolutes holds the anchors' velocities together.
func (cs *constraints) solveRevolutes(from, to int) {
	velocities := cs.velocities
	revolutes := cs.revolutes[from:to]
	for i := range revolutes {
		f := &revolutes[i]
		a, b := &velocities[f.a], &velocities[f.b]
		vAx, vAy, wA := a.V.X, a.V.Y, a.W
		vBx, vBy, wB := b.V.X, b.V.Y, b.W
		rAx, rAy, rBx, rBy := f.rAx, f.rAy, f.rBx, f.rBy
		x := ((vBx - wB*rBy) - vAx) + wA*rAy
		y := ((vBy + wB*rBx) - vAy) - wA*rAx
		ix := f.inverse * (f.a12*y - f.a22*x)
		iy := f.inverse * (f.a12*x - f.a11*y)
		f.impulseX += ix
		f.impulseY += iy
		a.V.X = vAx - f.mA*ix
		a.V.Y = vAy - f.mA*iy
		a.W = wA - f.iA*(rAx*iy-rAy*ix)
		b.V.X = vBx + f.mB*ix
		b.V.Y = vBy + f.mB*iy
		b.W = wB + f.iB*(rBx*iy-rBy*ix)
	}
}

// storeJoints keeps the impulses for the next step.
func (cs *constraints) storeJoints(joints []islandJoint) {
	for i := range joints {
		if joints[i].flat {
			r := cs.jointRefs[joints[i].ref].rev
			r.M_impulse.X, r.M_impulse.Y = cs.revolutes[i].impulseX, cs.revolutes[i].impulseY
		}
	}
}

// solvePosition pulls the anchors together and reports whether they were
// close.
func (j *islandJoint) solvePosition(cs *constraints, f *revolute, data *box2d.B2SolverData) bool {
	if !j.flat {
		return cs.jointRefs[j.ref].j.SolvePositionConstraints(*data)
	}
	a, b := &cs.positions[j.a], &cs.positions[j.b]
	sA, kA := cs.turns[j.a].rotation(a.A)
	sB, kB := cs.turns[j.b].rotation(b.A)
	rAx, rAy := kA*j.lAx-sA*j.lAy, sA*j.lAx+kA*j.lAy
	rBx, rBy := kB*j.lBx-sB*j.lBy, sB*j.lBx+kB*j.lBy
	x := ((b.C.X + rBx) - a.C.X) - rAx
	y := ((b.C.Y + rBy) - a.C.Y) - rAy
	off := math.Sqrt(x*x + y*y)

	mA, iA, mB, iB := f.mA, f.iA, f.mB, f.iB
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
