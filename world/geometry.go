package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
)

// geometries yields what is drawn of a fixture: one geometry, or several that
// overlap by one point where a chain is longer than a geometry. Box2D's skin
// of 1 cm around polygons and edges is not part of the picture.
func geometries(f *box2d.B2Fixture, yield func(body2d.Geometry)) {
	g := body2d.Geometry{Sensor: f.M_isSensor}
	switch s := f.M_shape.(type) {
	case *box2d.B2CircleShape:
		g.Kind, g.Radius = body2d.Disc, float32(s.M_radius)
		put(&g, s.M_p)
		yield(g)
	case *box2d.B2PolygonShape:
		g.Kind = body2d.Convex
		put(&g, s.M_vertices[:s.M_count]...)
		yield(g)
	case *box2d.B2EdgeShape:
		g.Kind = body2d.Polyline
		put(&g, s.M_vertex1, s.M_vertex2)
		yield(g)
	case *box2d.B2ChainShape:
		g.Kind = body2d.Polyline
		for vs := s.M_vertices[:s.M_count]; len(vs) > 1; {
			n := min(len(vs), body2d.MaxPoints)
			part := g
			put(&part, vs[:n]...)
			yield(part)
			vs = vs[n-1:]
		}
	}
}

func put(g *body2d.Geometry, vs ...box2d.B2Vec2) {
	for _, v := range vs {
		g.Points[g.N] = xy(v)
		g.N++
	}
}

func xy(v box2d.B2Vec2) [2]float32 { return [2]float32{float32(v.X), float32(v.Y)} }

func (w *World) jointGeometry(j *joint) body2d.JointGeometry {
	d := w.defOf(j) // the anchors of a motor joint are the origins
	g := body2d.JointGeometry{
		SlotA: slotOf(j.j.GetBodyA()), SlotB: slotOf(j.j.GetBodyB()), Hidden: j.kind == GearJoint,
		A: xy(b2vec(d.AnchorA)), B: xy(b2vec(d.AnchorB)),
	}
	switch j.kind {
	case PulleyJoint:
		g.Via, g.HasVia = [2][2]float32{xy(b2vec(d.GroundA)), xy(b2vec(d.GroundB))}, true
	case MouseJoint:
		g.SlotA, g.A = -1, xy(b2vec(d.Target))
	}
	return g
}
