package fast

import (
	"math"

	"github.com/ByteArena/box2d"
)

// islandJoint is a joint with its bodies' indices in the island. This package solves simple revolute
// joints, which have no limit, motor or spring. The library solves all other joints on the same
// positions and velocities. If a joint uses a feature that the library lacks, an addedJoint solves
// that part.
type islandJoint struct {
	joint          int32 // index in mirror.joints
	indexA, indexB int32
	added          int32 // 1 + the index of the joint's addedJoint; 0 for none; or simpleRevoluteJoint

	lAx, lAy, lBx, lBy float64 // anchors relative to the centres of mass, in the frames of the bodies
}

const simpleRevoluteJoint = -1

func (j *islandJoint) simple() bool { return j.added == simpleRevoluteJoint }

// simpleRevolute has the data that each velocity iteration needs for a simple revolute
// joint.
type simpleRevolute struct {
	mA, iA, mB, iB        float64
	rAx, rAy, rBx, rBy    float64 // anchors relative to the centres of mass
	k11, k12, k22, invDet float64 // the matrix K, and 1 / its determinant
	impulseX, impulseY    float64
	indexA, indexB        int32
}

// isSimpleRevolute reports whether this package itself solves the joint.
func (j *jointRef) isSimpleRevolute() bool {
	return j.revolute != nil && !j.revolute.M_enableLimit && !j.revolute.M_enableMotor && !j.extra.HasSpring()
}

// initJointVelocityConstraints computes the values that depend on positions, and applies the impulses
// of the last step. It reports whether this package solves all joints of the island.
func (cs *constraintSolver) initJointVelocityConstraints(joints []islandJoint, bodies []*box2d.B2Body, data *box2d.B2SolverData) bool {
	allSimple := true
	for i := range joints {
		j := &joints[i]
		if j.simple() {
			j.initVelocityConstraint(cs.jointRefs[j.joint].revolute, cs, &cs.revolutes[i], bodies, data)
		} else {
			allSimple = false
			if j.added > 0 {
				cs.added[j.added-1].init(cs, bodies, data)
				continue
			}
			cs.solved(cs.jointRefs[j.joint].j).InitVelocityConstraints(*data)
		}
	}
	return allSimple
}

// initVelocityConstraint does the work of initJointVelocityConstraints for a simple revolute joint.
func (j *islandJoint) initVelocityConstraint(r *box2d.B2RevoluteJoint, cs *constraintSolver, rc *simpleRevolute, bodies []*box2d.B2Body, data *box2d.B2SolverData) {
	rc.indexA, rc.indexB = j.indexA, j.indexB
	bA, bB := bodies[j.indexA], bodies[j.indexB]
	mA, iA, mB, iB := bA.M_invMass, bA.M_invI, bB.M_invMass, bB.M_invI
	rc.mA, rc.iA, rc.mB, rc.iB = mA, iA, mB, iB
	j.lAx, j.lAy = r.M_localAnchorA.X-bA.M_sweep.LocalCenter.X, r.M_localAnchorA.Y-bA.M_sweep.LocalCenter.Y
	j.lBx, j.lBy = r.M_localAnchorB.X-bB.M_sweep.LocalCenter.X, r.M_localAnchorB.Y-bB.M_sweep.LocalCenter.Y
	sA, kA := cs.rotations[j.indexA].sinCos(cs.positions[j.indexA].A)
	sB, kB := cs.rotations[j.indexB].sinCos(cs.positions[j.indexB].A)
	rAx, rAy := kA*j.lAx-sA*j.lAy, sA*j.lAx+kA*j.lAy
	rBx, rBy := kB*j.lBx-sB*j.lBy, sB*j.lBx+kB*j.lBy
	rc.rAx, rc.rAy, rc.rBx, rc.rBy = rAx, rAy, rBx, rBy

	rc.k11 = mA + mB + rAy*rAy*iA + rBy*rBy*iB
	rc.k12 = -rAy*rAx*iA - rBy*rBx*iB
	rc.k22 = mA + mB + rAx*rAx*iA + rBx*rBx*iB
	rc.invDet = rc.k11*rc.k22 - rc.k12*rc.k12
	if rc.invDet != 0 {
		rc.invDet = 1 / rc.invDet
	}

	r.M_motorImpulse = 0
	r.M_limitState = 1 // inactive
	if !data.Step.WarmStarting {
		r.M_impulse = box2d.B2Vec3{}
		rc.impulseX, rc.impulseY = 0, 0
		return
	}
	ratio := data.Step.DtRatio
	r.M_impulse.X *= ratio
	r.M_impulse.Y *= ratio
	r.M_impulse.Z *= ratio
	r.M_motorImpulse *= ratio
	px, py, pz := r.M_impulse.X, r.M_impulse.Y, r.M_impulse.Z
	rc.impulseX, rc.impulseY = px, py

	a, b := &cs.velocities[j.indexA], &cs.velocities[j.indexB]
	vA, wA, vB, wB := a.V, a.W, b.V, b.W
	vA.X -= mA * px
	vA.Y -= mA * py
	wA -= iA * ((rAx*py - rAy*px) + r.M_motorImpulse + pz)
	vB.X += mB * px
	vB.Y += mB * py
	wB += iB * ((rBx*py - rBy*px) + r.M_motorImpulse + pz)
	a.V, a.W = vA, wA
	b.V, b.W = vB, wB
}

// solveJointVelocityConstraints makes one pass over the joints of all kinds.
func (cs *constraintSolver) solveJointVelocityConstraints(joints []islandJoint, data *box2d.B2SolverData) {
	for i := range joints {
		switch j := &joints[i]; {
		case j.simple():
			cs.solveRevoluteVelocityConstraints(i, i+1)
		case j.added > 0:
			cs.added[j.added-1].solve(cs, data)
		default:
			cs.jointRefs[j.joint].j.SolveVelocityConstraints(*data)
		}
	}
}

// solveRevoluteVelocityConstraints makes one pass over a range of joints of the island. All joints of
// the range must be simple revolute joints.
func (cs *constraintSolver) solveRevoluteVelocityConstraints(from, to int) {
	velocities := cs.velocities
	revolutes := cs.revolutes[from:to]
	for i := range revolutes {
		rc := &revolutes[i]
		a, b := &velocities[rc.indexA], &velocities[rc.indexB]
		vAx, vAy, wA := a.V.X, a.V.Y, a.W
		vBx, vBy, wB := b.V.X, b.V.Y, b.W
		rAx, rAy, rBx, rBy := rc.rAx, rc.rAy, rc.rBx, rc.rBy
		x := ((vBx - wB*rBy) - vAx) + wA*rAy
		y := ((vBy + wB*rBx) - vAy) - wA*rAx
		ix := rc.invDet * (rc.k12*y - rc.k22*x)
		iy := rc.invDet * (rc.k12*x - rc.k11*y)
		rc.impulseX += ix
		rc.impulseY += iy
		a.V.X = vAx - rc.mA*ix
		a.V.Y = vAy - rc.mA*iy
		a.W = wA - rc.iA*(rAx*iy-rAy*ix)
		b.V.X = vBx + rc.mB*ix
		b.V.Y = vBy + rc.mB*iy
		b.W = wB + rc.iB*(rBx*iy-rBy*ix)
	}
}

// storeJointImpulses stores the impulses for the next step.
func (cs *constraintSolver) storeJointImpulses(joints []islandJoint) {
	for i := range joints {
		if j := &joints[i]; j.simple() {
			r := cs.jointRefs[j.joint].revolute
			r.M_impulse.X, r.M_impulse.Y = cs.revolutes[i].impulseX, cs.revolutes[i].impulseY
		} else if j.added > 0 {
			cs.added[j.added-1].store()
		}
	}
}

// solvePositionConstraint moves the two anchors of the joint together. It reports whether they were
// close enough before the call.
func (j *islandJoint) solvePositionConstraint(cs *constraintSolver, rc *simpleRevolute, data *box2d.B2SolverData) bool {
	switch {
	case j.added > 0:
		return cs.added[j.added-1].solvePosition(cs, data)
	case !j.simple():
		return cs.solved(cs.jointRefs[j.joint].j).SolvePositionConstraints(*data)
	}
	a, b := &cs.positions[j.indexA], &cs.positions[j.indexB]
	sA, kA := cs.rotations[j.indexA].sinCos(a.A)
	sB, kB := cs.rotations[j.indexB].sinCos(b.A)
	rAx, rAy := kA*j.lAx-sA*j.lAy, sA*j.lAx+kA*j.lAy
	rBx, rBy := kB*j.lBx-sB*j.lBy, sB*j.lBx+kB*j.lBy
	x := ((b.C.X + rBx) - a.C.X) - rAx
	y := ((b.C.Y + rBy) - a.C.Y) - rAy
	positionError := math.Sqrt(x*x + y*y)

	mA, iA, mB, iB := rc.mA, rc.iA, rc.mB, rc.iB
	a11 := mA + mB + iA*rAy*rAy + iB*rBy*rBy
	a12 := -iA*rAx*rAy - iB*rBx*rBy
	a22 := mA + mB + iA*rAx*rAx + iB*rBx*rBx
	invDet := a11*a22 - a12*a12
	if invDet != 0 {
		invDet = 1 / invDet
	}
	ix := -(invDet * (a22*x - a12*y))
	iy := -(invDet * (a11*y - a12*x))

	cA, aA, cB, aB := a.C, a.A, b.C, b.A
	cA.X -= mA * ix
	cA.Y -= mA * iy
	aA -= iA * (rAx*iy - rAy*ix)
	cB.X += mB * ix
	cB.Y += mB * iy
	aB += iB * (rBx*iy - rBy*ix)
	a.C, a.A = cA, aA
	b.C, b.A = cB, aB
	return positionError <= box2d.B2_linearSlop
}
