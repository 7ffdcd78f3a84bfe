package soft

import "github.com/ByteArena/box2d"

// pulley is two ropes from two points of the world. The length of the first rope plus ratio
// times the length of the second rope is constant.
type pulley struct {
	jointConstraint
	fromA, fromB vec     // the vectors from those points to the centres of mass, at the start of the step
	length       float32 // length is the constant length of the two ropes.
	ratio        float32
}

func (c *pulley) prepare(b *bodies, s *stride, j *joint, of box2d.B2JointInterface) {
	t, pa, pb := of.(*box2d.B2PulleyJoint), &b.poses[j.bodyA], &b.poses[j.bodyB]
	c.anchors(b, j, t.M_localAnchorA, t.M_localAnchorB)
	c.fromA = vec{float32(pa.x - t.M_groundAnchorA.X), float32(pa.y - t.M_groundAnchorA.Y)}
	c.fromB = vec{float32(pb.x - t.M_groundAnchorB.X), float32(pb.y - t.M_groundAnchorB.Y)}
	c.length, c.ratio = float32(t.M_constant), float32(t.M_ratio)
	c.start(s, &j.pushed, t.M_impulse)
}

// ropes returns the row of both ropes, and length minus their total length.
func (c *pulley) ropes(a, b *state, rB vec) (row, float32) {
	rA := a.q.apply(c.rA)
	nA, lA := normalize(c.fromA.add(a.d).add(rA))
	nB, lB := normalize(c.fromB.add(b.d).add(rB))
	k := c.ratio
	nB = nB.times(k)
	return row{jA: vec{-nA.x, -nA.y}, jB: vec{-nB.x, -nB.y}, wA: -cross(rA, nA), wB: -cross(rB, nB)}, c.length - lA - float32(k*lB)
}

func (c *pulley) warmStart(_ pass, a, b *state, g grip) {
	r, _ := c.ropes(a, b, g.rB)
	c.push(&r, a, b, c.impulses[0])
}

func (c *pulley) solve(_ pass, a, b *state, g grip, bias bool) {
	r, short := c.ropes(a, b, g.rB)
	c.hold(0, &r, a, b, short, c.softness(bias))
}

func (c *pulley) store(a, b *state, g grip, of box2d.B2JointInterface, p impulses) {
	t := of.(*box2d.B2PulleyJoint)
	t.M_impulse = p[0]
	r, _ := c.ropes(a, b, g.rB)
	t.M_uA, t.M_uB = toB2(vec{-r.jA.x, -r.jA.y}), toB2(vec{-r.jB.x, -r.jB.y}.times(1/c.ratio))
}
