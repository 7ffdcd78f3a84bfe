package fast

import "github.com/ByteArena/box2d"

// collidePolygons is B2CollidePolygons. It computes the manifold of two polygons by the separating
// axis test and clipping.
//
// The result has the same bits as the library's, with less work. The edge that separated the pair
// last time is tried first, because any separating edge gives the same empty manifold. An edge is
// dropped at the first vertex that proves that the edge does not have the maximum separation.
func collidePolygons(r *contactRef, m *box2d.B2Manifold, pA, pB *box2d.B2PolygonShape) {
	m.PointCount = 0
	totalRadius := pA.M_radius + pB.M_radius
	xfA, xfB := &r.bA.M_xf, &r.bB.M_xf

	if h := r.separatingEdge; h != 0 {
		var separation float64
		if h < 129 { // 1+i stands for edge i of A, 129+i for edge i of B
			separation = edgeSeparation(pA, xfA, pB, xfB, int(h-1))
		} else {
			separation = edgeSeparation(pB, xfB, pA, xfA, int(h-129))
		}
		if separation > totalRadius {
			return
		}
		r.separatingEdge = 0
	}
	edgeA, separationA := findMaxSeparation(pA, xfA, pB, xfB, int(r.hintA), totalRadius)
	if separationA > totalRadius {
		r.separatingEdge = uint8(edgeA + 1)
		return
	}
	edgeB, separationB := findMaxSeparation(pB, xfB, pA, xfA, int(r.hintB), totalRadius)
	if separationB > totalRadius {
		r.separatingEdge = uint8(edgeB + 129)
		return
	}
	r.hintA, r.hintB = uint8(edgeA), uint8(edgeB)

	const tolerance = 0.1 * box2d.B2_linearSlop
	poly1, poly2, xf1, xf2, edge1, flip := pA, pB, xfA, xfB, edgeA, false
	if separationB > separationA+tolerance {
		poly1, poly2, xf1, xf2, edge1, flip = pB, pA, xfB, xfA, edgeB, true
		m.Type = faceBManifold
	} else {
		m.Type = faceAManifold
	}
	clipIncidentEdge(m, poly1, poly2, xf1, xf2, edge1, flip, totalRadius)
}

// relativeTransform is B2TransformMulT(xf2, xf1): the inverse of xf2 times xf1.
func relativeTransform(xf1, xf2 *box2d.B2Transform) (s, c, px, py float64) {
	s1, c1 := xf1.Q.S, xf1.Q.C
	s2, c2 := xf2.Q.S, xf2.Q.C
	s = c2*s1 - s2*c1
	c = c2*c1 + s2*s1
	dx, dy := xf1.P.X-xf2.P.X, xf1.P.Y-xf2.P.Y
	px = c2*dx + s2*dy
	py = -s2*dx + c2*dy
	return
}

// edgeSeparation is the separation of p2 from one edge of p1. It is the most negative number if p1
// no longer has that edge.
func edgeSeparation(p1 *box2d.B2PolygonShape, xf1 *box2d.B2Transform, p2 *box2d.B2PolygonShape, xf2 *box2d.B2Transform, edge int) float64 {
	if edge >= p1.M_count {
		return -box2d.B2_maxFloat
	}
	s, c, px, py := relativeTransform(xf1, xf2)
	n, v := p1.M_normals[edge], p1.M_vertices[edge]
	nx, ny := c*n.X-s*n.Y, s*n.X+c*n.Y
	vx, vy := (c*v.X-s*v.Y)+px, (s*v.X+c*v.Y)+py
	separation := box2d.B2_maxFloat
	for _, w := range p2.M_vertices[:p2.M_count] {
		if d := nx*(w.X-vx) + ny*(w.Y-vy); d < separation {
			separation = d
		}
	}
	return separation
}

// findMaxSeparation is B2FindMaxSeparation. It finds the edge of p1 with the maximum separation
// from p2. If several edges have the same separation, it takes the lowest index. It tries the edge
// hint first, and stops at an edge whose separation exceeds totalRadius.
func findMaxSeparation(p1 *box2d.B2PolygonShape, xf1 *box2d.B2Transform, p2 *box2d.B2PolygonShape, xf2 *box2d.B2Transform, hint int, totalRadius float64) (int, float64) {
	s, c, px, py := relativeTransform(xf1, xf2)
	n1 := p1.M_normals[:p1.M_count]
	v1 := p1.M_vertices[:len(n1)]
	v2 := p2.M_vertices[:p2.M_count]
	bestIndex, maxSeparation := 0, -box2d.B2_maxFloat
	if hint >= len(n1) {
		hint = 0
	}
	for k := -1; k < len(n1); k++ {
		i := k
		if k < 0 {
			i = hint
		} else if k == hint {
			continue
		}
		n, v := n1[i], v1[i]
		nx, ny := c*n.X-s*n.Y, s*n.X+c*n.Y
		vx, vy := (c*v.X-s*v.Y)+px, (s*v.X+c*v.Y)+py
		si := box2d.B2_maxFloat
		for j := range v2 {
			w := &v2[j]
			if sij := nx*(w.X-vx) + ny*(w.Y-vy); sij < si {
				si = sij
				if sij < maxSeparation {
					break
				}
			}
		}
		if si > maxSeparation || si == maxSeparation && i < bestIndex {
			bestIndex, maxSeparation = i, si
			if maxSeparation > totalRadius {
				return bestIndex, maxSeparation
			}
		}
	}
	return bestIndex, maxSeparation
}

// The types of a contact feature.
const (
	vertexFeature = iota
	faceFeature
)

// clipVertex is B2ClipVertex: an end of the incident edge, and its contact id.
type clipVertex struct {
	x, y float64
	id   box2d.B2ContactID
}

// clipIncidentEdge finds the incident edge of poly2 and clips it against the sides of the
// reference edge of poly1. It writes the points below the reference edge to the manifold. flip is
// true if poly1 is polygon B.
func clipIncidentEdge(m *box2d.B2Manifold, poly1, poly2 *box2d.B2PolygonShape, xf1, xf2 *box2d.B2Transform, iv1 int, flip bool, totalRadius float64) {
	s1, c1 := xf1.Q.S, xf1.Q.C
	s2, c2 := xf2.Q.S, xf2.Q.C

	// the normal of the reference edge in poly2's frame
	refNormal := poly1.M_normals[iv1]
	wx, wy := c1*refNormal.X-s1*refNormal.Y, s1*refNormal.X+c1*refNormal.Y
	lx, ly := c2*wx+s2*wy, -s2*wx+c2*wy

	// find the incident edge, which has the normal most opposite to refNormal
	index := 0
	minDot := box2d.B2_maxFloat
	normals := poly2.M_normals[:poly2.M_count]
	for i := range normals {
		if d := lx*normals[i].X + ly*normals[i].Y; d < minDot {
			minDot, index = d, i
		}
	}
	next := 0
	if index+1 < poly2.M_count {
		next = index + 1
	}
	incident0 := makeClipVertex(&poly2.M_vertices[index], xf2, iv1, index)
	incident1 := makeClipVertex(&poly2.M_vertices[next], xf2, iv1, next)

	iv2 := 0
	if iv1+1 < poly1.M_count {
		iv2 = iv1 + 1
	}
	v11, v12 := poly1.M_vertices[iv1], poly1.M_vertices[iv2]
	tangent := box2d.B2Vec2{X: v12.X - v11.X, Y: v12.Y - v11.Y}
	tangent.Normalize()
	localNormal := box2d.B2Vec2{X: tangent.Y, Y: -tangent.X}
	planePoint := box2d.B2Vec2{X: 0.5 * (v11.X + v12.X), Y: 0.5 * (v11.Y + v12.Y)}

	tx, ty := c1*tangent.X-s1*tangent.Y, s1*tangent.X+c1*tangent.Y
	nx, ny := ty, -tx
	ax, ay := (c1*v11.X-s1*v11.Y)+xf1.P.X, (s1*v11.X+c1*v11.Y)+xf1.P.Y
	bx, by := (c1*v12.X-s1*v12.Y)+xf1.P.X, (s1*v12.X+c1*v12.Y)+xf1.P.Y
	frontOffset := nx*ax + ny*ay
	sideOffset1 := -(tx*ax + ty*ay) + totalRadius
	sideOffset2 := tx*bx + ty*by + totalRadius

	if !clipSegmentToLine(&incident0, &incident1, -tx, -ty, sideOffset1, iv1) || !clipSegmentToLine(&incident0, &incident1, tx, ty, sideOffset2, iv2) {
		return
	}

	m.LocalNormal, m.LocalPoint = localNormal, planePoint
	count := 0
	for i := 0; i < 2; i++ {
		v := &incident0
		if i == 1 {
			v = &incident1
		}
		if !(nx*v.x+ny*v.y-frontOffset <= totalRadius) {
			continue
		}
		p := &m.Points[count]
		dx, dy := v.x-xf2.P.X, v.y-xf2.P.Y
		p.LocalPoint.X = c2*dx + s2*dy
		p.LocalPoint.Y = -s2*dx + c2*dy
		p.Id = v.id
		if flip {
			p.Id = box2d.B2ContactID{IndexA: v.id.IndexB, IndexB: v.id.IndexA, TypeA: v.id.TypeB, TypeB: v.id.TypeA}
		}
		count++
	}
	m.PointCount = count
}

// makeClipVertex computes the position in the world of a vertex of the incident edge. The id of the
// result contains that vertex and the reference edge.
func makeClipVertex(v *box2d.B2Vec2, xf *box2d.B2Transform, edge1, index int) clipVertex {
	return clipVertex{
		x:  (xf.Q.C*v.X - xf.Q.S*v.Y) + xf.P.X,
		y:  (xf.Q.S*v.X + xf.Q.C*v.Y) + xf.P.Y,
		id: box2d.B2ContactID{IndexA: uint8(edge1), IndexB: uint8(index), TypeA: faceFeature, TypeB: vertexFeature},
	}
}

// clipSegmentToLine is B2ClipSegmentToLine. It reports whether two points are left.
func clipSegmentToLine(v0, v1 *clipVertex, nx, ny, offset float64, vertexIndexA int) bool {
	d0 := nx*v0.x + ny*v0.y - offset
	d1 := nx*v1.x + ny*v1.y - offset
	keep0, keep1 := d0 <= 0, d1 <= 0
	if keep0 && keep1 {
		return !(d0*d1 < 0)
	}
	if !(d0*d1 < 0) {
		return false
	}
	t := d0 / (d0 - d1)
	cut := clipVertex{
		x:  v0.x + t*(v1.x-v0.x),
		y:  v0.y + t*(v1.y-v0.y),
		id: box2d.B2ContactID{IndexA: uint8(vertexIndexA), IndexB: v0.id.IndexB, TypeA: vertexFeature, TypeB: faceFeature},
	}
	if keep0 {
		*v1 = cut
	} else if keep1 {
		*v0, *v1 = *v1, cut
	} else {
		return false
	}
	return true
}
