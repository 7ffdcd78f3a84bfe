package stepper

import "github.com/ByteArena/box2d"

// warmStart applies the impulses of the last step.
func (cs *constraints) warmStart() {
	for i := range cs.velocity {
		vc := &cs.velocity[i]
		a, b := &cs.velocities[vc.a], &cs.velocities[vc.b]
		vAx, vAy, wA := a.V.X, a.V.Y, a.W
		vBx, vBy, wB := b.V.X, b.V.Y, b.W
		nx, ny := vc.nx, vc.ny
		tx, ty := ny, -nx
		for j := 0; j < int(vc.count); j++ {
			p := &vc.p[j]
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

// clamp holds x within [-limit, limit]. A negative limit gives -limit, and
// zeros keep the signs that the library's nested minimum and maximum give.
func clamp(x, limit float64) float64 {
	if x > -limit && x < limit {
		return x
	}
	return max(-limit, min(x, limit))
}

// solveVelocities is one pass of sequential impulses over the contacts:
// friction point by point, then the normal impulses, of two points together.
//
// All state of a contact is read once and kept in locals; the order of every
// sum is the library's.
func (cs *constraints) solveVelocities() {
	velocities := cs.velocities
	for i := range cs.velocity {
		vc := &cs.velocity[i]
		a, b := &velocities[vc.a], &velocities[vc.b]
		vAx, vAy, wA := a.V.X, a.V.Y, a.W
		vBx, vBy, wB := b.V.X, b.V.Y, b.W
		nx, ny := vc.nx, vc.ny
		mA, iA, mB, iB := vc.mA, vc.iA, vc.mB, vc.iB
		p := &vc.p[0]

		{
			dx := vBx + ((-wB*p.rBy - vAx) + wA*p.rAy)
			dy := vBy + ((wB*p.rBx - vAy) - wA*p.rAx)
			vt := (dx*ny + dy*-nx) - vc.tangentSpeed
			lambda := clamp(p.tangentImpulse+p.tangentMass*-vt, vc.friction*p.normalImpulse)
			old := p.tangentImpulse
			p.tangentImpulse = lambda
			lambda -= old
			px, py := lambda*ny, lambda*-nx
			vAx -= mA * px
			vAy -= mA * py
			wA -= iA * (p.rAx*py - p.rAy*px)
			vBx += mB * px
			vBy += mB * py
			wB += iB * (p.rBx*py - p.rBy*px)
		}

		if vc.count != 2 {
			dx := vBx + ((-wB*p.rBy - vAx) + wA*p.rAy)
			dy := vBy + ((wB*p.rBx - vAy) - wA*p.rAx)
			vn := dx*nx + dy*ny
			lambda := p.normalImpulse + -p.normalMass*(vn-p.bias)
			if lambda <= 0 {
				lambda = 0
			}
			old := p.normalImpulse
			p.normalImpulse = lambda
			lambda -= old
			px, py := lambda*nx, lambda*ny
			a.V.X = vAx - mA*px
			a.V.Y = vAy - mA*py
			a.W = wA - iA*(p.rAx*py-p.rAy*px)
			b.V.X = vBx + mB*px
			b.V.Y = vBy + mB*py
			b.W = wB + iB*(p.rBx*py-p.rBy*px)
			continue
		}

		q := &vc.p[1]
		{
			dx := vBx + ((-wB*q.rBy - vAx) + wA*q.rAy)
			dy := vBy + ((wB*q.rBx - vAy) - wA*q.rAx)
			vt := (dx*ny + dy*-nx) - vc.tangentSpeed
			lambda := clamp(q.tangentImpulse+q.tangentMass*-vt, vc.friction*q.normalImpulse)
			old := q.tangentImpulse
			q.tangentImpulse = lambda
			lambda -= old
			px, py := lambda*ny, lambda*-nx
			vAx -= mA * px
			vAy -= mA * py
			wA -= iA * (q.rAx*py - q.rAy*px)
			vBx += mB * px
			vBy += mB * py
			wB += iB * (q.rBx*py - q.rBy*px)
		}

		// Both normal impulses at once: the first of the four ways to satisfy
		// velocity >= 0, impulse >= 0 and one of them zero at each point.
		a1, a2 := p.normalImpulse, q.normalImpulse
		if !(a1 >= 0 && a2 >= 0) {
			box2d.B2Assert(false)
		}
		d1x := vBx + ((-wB*p.rBy - vAx) + wA*p.rAy)
		d1y := vBy + ((wB*p.rBx - vAy) - wA*p.rAx)
		d2x := vBx + ((-wB*q.rBy - vAx) + wA*q.rAy)
		d2y := vBy + ((wB*q.rBx - vAy) - wA*q.rAx)
		k12 := vc.k12
		b1 := ((d1x*nx + d1y*ny) - p.bias) - (vc.k11*a1 + k12*a2)
		b2 := ((d2x*nx + d2y*ny) - q.bias) - (k12*a1 + vc.k22*a2)

		x1 := -(vc.m11*b1 + vc.m12*b2)
		x2 := -(vc.m12*b1 + vc.m22*b2)
		if !(x1 >= 0 && x2 >= 0) {
			x1, x2 = -p.normalMass*b1, 0
			if !(x1 >= 0 && k12*x1+b2 >= 0) {
				x1, x2 = 0, -q.normalMass*b2
				if !(x2 >= 0 && k12*x2+b1 >= 0) {
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
		a.V.X = vAx - mA*sx
		a.V.Y = vAy - mA*sy
		a.W = wA - iA*((p.rAx*p1y-p.rAy*p1x)+(q.rAx*p2y-q.rAy*p2x))
		b.V.X = vBx + mB*sx
		b.V.Y = vBy + mB*sy
		b.W = wB + iB*((p.rBx*p1y-p.rBy*p1x)+(q.rBx*p2y-q.rBy*p2x))
	}
}
