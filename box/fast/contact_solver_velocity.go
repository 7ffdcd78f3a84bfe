package fast

import (
	"math"

	"github.com/ByteArena/box2d"
)

// warmStart applies the impulses of the last step.
func (cs *constraintSolver) warmStart() {
	for i := range cs.velocityConstraints {
		vc := &cs.velocityConstraints[i]
		a, b := &cs.velocities[vc.indexA], &cs.velocities[vc.indexB]
		vAx, vAy, wA := a.V.X, a.V.Y, a.W
		vBx, vBy, wB := b.V.X, b.V.Y, b.W
		nx, ny := vc.nx, vc.ny
		tx, ty := ny, -nx
		for j := 0; j < vc.pointCount; j++ {
			p := &vc.points[j]
			px := p.normalImpulse*nx + p.tangentImpulse*tx
			py := p.normalImpulse*ny + p.tangentImpulse*ty
			wA -= vc.iA * (p.rAx*py - p.rAy*px)
			vAx -= vc.mA * px
			vAy -= vc.mA * py
			wB += vc.iB * (p.rBx*py - p.rBy*px)
			vBx += vc.mB * px
			vBy += vc.mB * py
		}
		a.V.X, a.V.Y, a.W = vAx, vAy, wA
		b.V.X, b.V.Y, b.W = vBx, vBy, wB
	}
}

// clamp limits x to the range from -limit to limit. If limit is negative, the
// result is -limit. A zero has the same sign as in the library's nested minimum
// and maximum.
func clamp(x, limit float64) float64 {
	if math.Abs(x) < limit {
		return x
	}
	return max(-limit, min(x, limit))
}

// solveVelocityConstraints makes one pass of sequential impulses over the contacts. For each
// contact it solves the tangent constraints, and then the normal constraints. If a contact has two
// points, the block solver solves both normal constraints together.
//
// Every sum has the library's order of terms.
func (cs *constraintSolver) solveVelocityConstraints() {
	velocities := cs.velocities
	for i := range cs.velocityConstraints {
		vc := &cs.velocityConstraints[i]
		a, b := &velocities[vc.indexA], &velocities[vc.indexB]
		vAx, vAy, wA := a.V.X, a.V.Y, a.W
		vBx, vBy, wB := b.V.X, b.V.Y, b.W
		p := &vc.points[0]
		{
			nx, ny := vc.nx, vc.ny
			nw := -wB
			dx := vBx + ((nw*p.rBy - vAx) + wA*p.rAy)
			dy := vBy + ((wB*p.rBx - vAy) - wA*p.rAx)
			vt := (dx*ny - dy*nx) - vc.tangentSpeed
			old := p.tangentImpulse
			lambda := clamp(old-p.tangentMass*vt, vc.friction*p.normalImpulse)
			p.tangentImpulse = lambda
			lambda -= old
			px, py := lambda*ny, lambda*-nx
			vAx -= vc.mA * px
			vAy -= vc.mA * py
			wA -= vc.iA * (p.rAx*py - p.rAy*px)
			vBx += vc.mB * px
			vBy += vc.mB * py
			wB += vc.iB * (p.rBx*py - p.rBy*px)
		}

		if vc.pointCount != 2 {
			nx, ny := vc.nx, vc.ny
			dx := vBx + ((-wB*p.rBy - vAx) + wA*p.rAy)
			dy := vBy + ((wB*p.rBx - vAy) - wA*p.rAx)
			vn := dx*nx + dy*ny
			old := p.normalImpulse
			lambda := old - p.normalMass*(vn-p.velocityBias)
			if lambda <= 0 {
				lambda = 0
			}
			p.normalImpulse = lambda
			lambda -= old
			px, py := lambda*nx, lambda*ny
			a.V.X = vAx - vc.mA*px
			a.V.Y = vAy - vc.mA*py
			a.W = wA - vc.iA*(p.rAx*py-p.rAy*px)
			b.V.X = vBx + vc.mB*px
			b.V.Y = vBy + vc.mB*py
			b.W = wB + vc.iB*(p.rBx*py-p.rBy*px)
			continue
		}

		q := &vc.points[1]
		{
			nx, ny := vc.nx, vc.ny
			nw := -wB
			dx := vBx + ((nw*q.rBy - vAx) + wA*q.rAy)
			dy := vBy + ((wB*q.rBx - vAy) - wA*q.rAx)
			vt := (dx*ny - dy*nx) - vc.tangentSpeed
			old := q.tangentImpulse
			lambda := clamp(old-q.tangentMass*vt, vc.friction*q.normalImpulse)
			q.tangentImpulse = lambda
			lambda -= old
			px, py := lambda*ny, lambda*-nx
			vAx -= vc.mA * px
			vAy -= vc.mA * py
			wA -= vc.iA * (q.rAx*py - q.rAy*px)
			vBx += vc.mB * px
			vBy += vc.mB * py
			wB += vc.iB * (q.rBx*py - q.rBy*px)
		}

		// The block solver has four cases. Use the first case in which both velocities and both impulses
		// are >= 0, and at each point the velocity or the impulse is 0.
		nx, ny := vc.nx, vc.ny
		a1, a2 := p.normalImpulse, q.normalImpulse
		if !(a1 >= 0 && a2 >= 0) {
			box2d.B2Assert(false)
		}
		nw := -wB
		d1x := vBx + ((nw*p.rBy - vAx) + wA*p.rAy)
		d1y := vBy + ((wB*p.rBx - vAy) - wA*p.rAx)
		d2x := vBx + ((nw*q.rBy - vAx) + wA*q.rAy)
		d2y := vBy + ((wB*q.rBx - vAy) - wA*q.rAx)
		b1 := ((d1x*nx + d1y*ny) - p.velocityBias) - (vc.k11*a1 + vc.k12*a2)
		b2 := ((d2x*nx + d2y*ny) - q.velocityBias) - (vc.k12*a1 + vc.k22*a2)

		m12 := vc.invDet * vc.k12
		x1 := -(vc.invDet*vc.k22*b1 - m12*b2)
		x2 := -(vc.invDet*vc.k11*b2 - m12*b1)
		if !(x1 >= 0 && x2 >= 0) {
			x1, x2 = -p.normalMass*b1, 0
			if !(x1 >= 0 && vc.k12*x1+b2 >= 0) {
				x1, x2 = 0, -q.normalMass*b2
				if !(x2 >= 0 && vc.k12*x2+b1 >= 0) {
					x1, x2 = 0, 0
					if !(b1 >= 0 && b2 >= 0) {
						a.V.X, a.V.Y, a.W = vAx, vAy, wA
						b.V.X, b.V.Y, b.W = vBx, vBy, wB
						continue
					}
				}
			}
		}
		p.normalImpulse, q.normalImpulse = x1, x2
		d1, d2 := x1-a1, x2-a2
		p1x, p1y := d1*nx, d1*ny
		p2x, p2y := d2*nx, d2*ny
		sx, sy := p1x+p2x, p1y+p2y
		a.V.X = vAx - vc.mA*sx
		a.V.Y = vAy - vc.mA*sy
		a.W = wA - vc.iA*((p.rAx*p1y-p.rAy*p1x)+(q.rAx*p2y-q.rAy*p2x))
		b.V.X = vBx + vc.mB*sx
		b.V.Y = vBy + vc.mB*sy
		b.W = wB + vc.iB*((p.rBx*p1y-p.rBy*p1x)+(q.rBx*p2y-q.rBy*p2x))
	}
}
