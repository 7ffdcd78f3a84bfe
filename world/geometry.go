package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
	"halfstep/internal/box/b2"
)

// geometries yields the drawn geometry of a shape. A long chain, or a chain of several materials, has
// several geometries that overlap by one point. The skin of 1 cm that Box2D puts around polygons and edges
// is not drawn.
func geometries(s *shape, yield func(body2d.Geometry)) {
	f, kind := s.fix, body2d.Polyline
	switch f.M_shape.(type) {
	case *box2d.B2CircleShape:
		kind = body2d.Disc
	case *box2d.B2PolygonShape, *b2.RoundPolygon:
		kind = body2d.Convex
	}
	vs, _ := outline(f.M_shape, new([2]box2d.B2Vec2))
	for first := 0; first < len(vs); {
		of := materialOf(f, first)
		g := body2d.Geometry{Kind: kind, Sensor: f.M_isSensor, Material: uint16(of), Radius: float32(roundness(f.M_shape))}
		at := first
		for at < len(vs) && g.N < body2d.MaxPoints && (g.N < 2 || materialOf(f, at-1) == of) {
			g.Points[g.N] = xy(vs[at])
			g.N++
			at++
		}
		yield(g)
		if at == len(vs) {
			break
		}
		first = at - 1
	}
}

func xy(v box2d.B2Vec2) [2]float32 { return [2]float32{float32(v.X), float32(v.Y)} }

// geometry returns the drawn geometry of a joint.
func (j *joint) geometry() body2d.JointGeometry {
	d := j.def()
	g := body2d.JointGeometry{
		SlotA: slotOf(j.j.GetBodyA()), SlotB: slotOf(j.j.GetBodyB()), Hidden: j.kind == GearJoint, Kind: uint8(j.kind),
		A: xy(b2vec(d.AnchorA)), B: xy(b2vec(d.AnchorB)),
		Arms: j.kind == RevoluteJoint || j.kind == WeldJoint,
	}
	switch j.kind {
	case PulleyJoint:
		g.Via, g.HasVia = [2][2]float32{xy(b2vec(d.GroundA)), xy(b2vec(d.GroundB))}, true
	case MouseJoint:
		g.SlotA, g.A = -1, xy(b2vec(d.Target))
	}
	return g
}
