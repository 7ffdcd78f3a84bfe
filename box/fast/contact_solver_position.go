package fast

import "github.com/ByteArena/box2d"

// solvePositionConstraints makes one pass over the contacts. It moves overlapping bodies apart, by
// a fraction of each overlap. It reports whether the overlaps were small enough before. If atTOI
// is true, only bodies 0 and 1 move, which are the two bodies of the event.
func (cs *constraintSolver) solvePositionConstraints(atTOI bool) bool {
	baumgarte := box2d.B2_baumgarte
	if atTOI {
		baumgarte = box2d.B2_toiBaugarte
	}
	minSeparation := 0.0
	for i := range cs.positionConstraints {
		pc := &cs.positionConstraints[i]
		indexA, indexB := pc.indexA, pc.indexB
		pA, pB := &cs.positions[indexA], &cs.positions[indexB]
		rotA, rotB := &cs.rotations[indexA], &cs.rotations[indexB]
		mA, iA, mB, iB := pc.mA, pc.iA, pc.mB, pc.iB
		if atTOI && indexA > 1 {
			mA, iA = 0, 0
		}
		if atTOI && indexB > 1 {
			mB, iB = 0, 0
		}
		cAx, cAy, aA := pA.C.X, pA.C.Y, pA.A
		cBx, cBy, aB := pB.C.X, pB.C.Y, pB.A
		for j := 0; j < int(pc.pointCount); j++ {
			sA, kA := rotA.sinCos(aA)
			sB, kB := rotB.sinCos(aB)
			xAx := cAx - (kA*pc.localCenterA.X - sA*pc.localCenterA.Y)
			xAy := cAy - (sA*pc.localCenterA.X + kA*pc.localCenterA.Y)
			xBx := cBx - (kB*pc.localCenterB.X - sB*pc.localCenterB.Y)
			xBy := cBy - (sB*pc.localCenterB.X + kB*pc.localCenterB.Y)

			var nx, ny, px, py, separation float64
			switch pc.manifoldType {
			case faceAManifold:
				l, o, q := &pc.localNormal, &pc.localPoint, &pc.localPoints[j]
				nx, ny = kA*l.X-sA*l.Y, sA*l.X+kA*l.Y
				ox, oy := (kA*o.X-sA*o.Y)+xAx, (sA*o.X+kA*o.Y)+xAy
				px, py = (kB*q.X-sB*q.Y)+xBx, (sB*q.X+kB*q.Y)+xBy
				separation = (px-ox)*nx + (py-oy)*ny - pc.radiusA - pc.radiusB
			case faceBManifold:
				l, o, q := &pc.localNormal, &pc.localPoint, &pc.localPoints[j]
				nx, ny = kB*l.X-sB*l.Y, sB*l.X+kB*l.Y
				ox, oy := (kB*o.X-sB*o.Y)+xBx, (sB*o.X+kB*o.Y)+xBy
				px, py = (kA*q.X-sA*q.Y)+xAx, (sA*q.X+kA*q.Y)+xAy
				separation = (px-ox)*nx + (py-oy)*ny - pc.radiusA - pc.radiusB
				nx, ny = -nx, -ny
			case circlesManifold:
				o, q := &pc.localPoint, &pc.localPoints[0]
				ox, oy := (kA*o.X-sA*o.Y)+xAx, (sA*o.X+kA*o.Y)+xAy
				qx, qy := (kB*q.X-sB*q.Y)+xBx, (sB*q.X+kB*q.Y)+xBy
				n := box2d.B2Vec2{X: qx - ox, Y: qy - oy}
				n.Normalize()
				nx, ny = n.X, n.Y
				px, py = 0.5*(ox+qx), 0.5*(oy+qy)
				separation = (qx-ox)*nx + (qy-oy)*ny - pc.radiusA - pc.radiusB
			}
			if !(separation >= minSeparation) {
				minSeparation = min(minSeparation, separation)
			}

			// limit the correction, and leave some overlap so that the contact persists
			c := baumgarte * (separation + box2d.B2_linearSlop)
			if !(c > -box2d.B2_maxLinearCorrection && c < 0) {
				c = max(-box2d.B2_maxLinearCorrection, min(c, 0.0))
			}
			rAx, rAy := px-cAx, py-cAy
			rBx, rBy := px-cBx, py-cBy
			rnA, rnB := rAx*ny-rAy*nx, rBx*ny-rBy*nx
			k := mA + mB + iA*rnA*rnA + iB*rnB*rnB
			impulse := 0.0
			if k > 0 {
				impulse = -c / k
			}
			ix, iy := impulse*nx, impulse*ny
			cAx -= mA * ix
			cAy -= mA * iy
			aA -= iA * (rAx*iy - rAy*ix)
			cBx += mB * ix
			cBy += mB * iy
			aB += iB * (rBx*iy - rBy*ix)
		}
		pA.C.X, pA.C.Y, pA.A = cAx, cAy, aA
		pB.C.X, pB.C.Y, pB.A = cBx, cBy, aB
	}
	if atTOI {
		return minSeparation >= -1.5*box2d.B2_linearSlop
	}
	return minSeparation >= -3.0*box2d.B2_linearSlop
}
