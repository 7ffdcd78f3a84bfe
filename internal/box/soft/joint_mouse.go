package soft

import "github.com/ByteArena/box2d"

// mouse pulls an anchor of B to a target in the world. It does not act on body A.
type mouse struct {
	jointConstraint
	spring   softness
	target   vec     // target is the vector from the target to B's centre of mass, at the start of the step.
	mostPush float32 // mostPush is the greatest impulse in a sub-step.
}

func (c *mouse) prepare(b *bodies, s *stride, j *joint, of box2d.B2JointInterface) {
	t, pb := of.(*box2d.B2MouseJoint), &b.poses[j.bodyB]
	c.rB = b.local(j.bodyB, t.M_localAnchorB)
	c.mA = mass{}
	c.target = vec{float32(pb.x - t.M_targetA.X), float32(pb.y - t.M_targetA.Y)}
	c.mostPush = s.h * float32(t.M_maxForce)
	c.spring = s.soften(float32(t.M_frequencyHz), float32(t.M_dampingRatio))
	c.start(s, &j.pushed, t.M_impulse.X, t.M_impulse.Y)
	c.dropForce(c.mostPush)
}

func (c *mouse) warmStart(_ pass, a, b *state, g grip) {
	c.pushPoint(a, b, g, vec{c.impulses[0], c.impulses[1]})
}

func (c *mouse) solve(_ pass, a, b *state, g grip, _ bool) {
	if c.mostPush > 0 {
		c.point(0, a, b, g, b.d.add(c.target).add(g.rB), c.spring, c.mostPush)
	}
}

func (c *mouse) store(_, _ *state, _ grip, of box2d.B2JointInterface, p impulses) {
	of.(*box2d.B2MouseJoint).M_impulse = box2d.B2Vec2{X: p[0], Y: p[1]}
}
