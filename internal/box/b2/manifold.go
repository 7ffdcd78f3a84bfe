package b2

import "github.com/ByteArena/box2d"

// PlaceManifold does the work of B2WorldManifold.Initialize for a contact.
func PlaceManifold(w *box2d.B2WorldManifold, c *box2d.B2Contact) {
	m := c.M_manifold
	xfA, xfB := &c.M_fixtureA.M_body.M_xf, &c.M_fixtureB.M_body.M_xf
	rA, rB := c.M_fixtureA.M_shape.GetRadius(), c.M_fixtureB.M_shape.GetRadius()
	switch {
	case m.PointCount == 0:
	case m.Type == box2d.B2Manifold_Type.E_circles:
		a, b := Transform(xfA, m.LocalPoint), Transform(xfB, m.Points[0].LocalPoint)
		w.Normal = box2d.B2Vec2{X: 1}
		if d := box2d.B2Vec2Sub(b, a); Dot(d, d) > box2d.B2_epsilon*box2d.B2_epsilon {
			w.Normal = Unit(d)
		}
		a, b = Plus(a, rA, w.Normal), Plus(b, -rB, w.Normal)
		w.Points[0] = Times(0.5, box2d.B2Vec2Add(a, b))
		w.Separations[0] = Dot(box2d.B2Vec2Sub(b, a), w.Normal)
	case m.Type == box2d.B2Manifold_Type.E_faceA:
		placeFace(w, m, xfA, rA, xfB, rB)
	default:
		placeFace(w, m, xfB, rB, xfA, rA)
		w.Normal = w.Normal.OperatorNegate()
	}
}

// placeFace places a manifold whose normal is that of a face. The normal
// points away from the shape with the face.
func placeFace(w *box2d.B2WorldManifold, m *box2d.B2Manifold, xf *box2d.B2Transform, r float64, other *box2d.B2Transform, otherR float64) {
	w.Normal = Rotate(xf.Q, m.LocalNormal)
	plane := Transform(xf, m.LocalPoint)
	for i := range m.PointCount {
		p := Transform(other, m.Points[i].LocalPoint)
		on := Plus(p, r-Dot(box2d.B2Vec2Sub(p, plane), w.Normal), w.Normal)
		off := Plus(p, -otherR, w.Normal)
		w.Points[i] = Times(0.5, box2d.B2Vec2Add(on, off))
		w.Separations[i] = Dot(box2d.B2Vec2Sub(off, on), w.Normal)
	}
}
