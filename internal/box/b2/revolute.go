package b2

import "github.com/ByteArena/box2d"

// NewRevoluteJoint makes a revolute joint like B2World.CreateJoint, without settings
// and for bodies that may collide. The library allocates such a joint in four pieces.
func NewRevoluteJoint(w *box2d.B2World, a, b *box2d.B2Body, user any) *box2d.B2RevoluteJoint {
	whole := new(struct {
		joint        box2d.B2RevoluteJoint
		base         box2d.B2Joint
		edgeA, edgeB box2d.B2JointEdge
	})
	j, base := &whole.joint, &whole.base
	j.B2Joint, j.M_limitState = base, box2d.B2LimitState.E_inactiveLimit
	*base = box2d.B2Joint{
		M_type: box2d.B2JointType.E_revoluteJoint, M_bodyA: a, M_bodyB: b, M_edgeA: &whole.edgeA, M_edgeB: &whole.edgeB,
		M_collideConnected: true, M_userData: user, M_next: w.M_jointList,
	}
	if w.M_jointList != nil {
		w.M_jointList.SetPrev(j)
	}
	w.M_jointList = j
	w.M_jointCount++
	link := func(edge *box2d.B2JointEdge, of, other *box2d.B2Body) {
		*edge = box2d.B2JointEdge{Other: other, Joint: j, Next: of.M_jointList}
		if of.M_jointList != nil {
			of.M_jointList.Prev = edge
		}
		of.M_jointList = edge
	}
	link(base.M_edgeA, a, b)
	link(base.M_edgeB, b, a)
	return j
}
