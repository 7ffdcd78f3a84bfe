package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
)

// Joints of the rarer kinds have no batches, and are solved one after the other. In a step each
// of them has a constraint.

// jointConstraint is the part that the constraints of all these kinds have in common. A
// constraint consists of rows, each along one axis. Two rows may be solved together as a point.
type jointConstraint struct {
	joint    int32 // joint is the number of the joint.
	a, b     int32 // the states of the constraint's bodies
	mA, mB   mass
	rA, rB   vec        // the vectors from the centres of mass to the anchors, at the start of the step
	centres  vec        // centres is the vector from A's centre of mass to B's, at the start of the step.
	soft     softness   // soft is the softness of all rows except springs.
	always   bool       // always says that the joint has a softness of its own, which acts in every pass.
	impulses [6]float32 // impulses are those of this sub-step.
	total    [6]float32 // total are the sums over all sub-steps.
	extra    *box.JointExtra
}

// These are indices of pushed, for joints with a motor, limits or a spring. The indices 0 and 1
// are for the impulse of the point. In other joints index 0 is the row across the axis, and index
// 1 is the angle or a spring.
const (
	ofMotor  = 2
	ofLower  = 3
	ofUpper  = 4
	ofSpring = 5
)

func (c *jointConstraint) constraint() *jointConstraint { return c }

func (c *jointConstraint) anchors(s *bodies, j *joint, a, b box2d.B2Vec2) {
	c.rA, c.rB = s.local(j.bodyA, a), s.local(j.bodyB, b)
}

// start sets the initial impulses of the constraint. The parameter impulses has the impulses of
// the library's joint in the last step, and was has the impulses that this stepper wrote to that
// joint.
func (c *jointConstraint) start(s *stride, was *pushed, impulses ...float64) {
	for i, p := range impulses {
		c.impulses[i] = s.startWith(was, i, p)
	}
}

// dropForce sets the impulse of the point to 0 if its limit, most, is not positive.
func (c *jointConstraint) dropForce(most float32) {
	if !(most > 0) {
		c.impulses[0], c.impulses[1] = 0, 0
	}
}

func (c *jointConstraint) sumUp() {
	for i, p := range c.impulses {
		c.total[i] += p
	}
}

// softness returns the softness of a pass. The parameter bias says whether the pass corrects
// errors of position.
func (c *jointConstraint) softness(bias bool) softness {
	if bias || c.always {
		return c.soft
	}
	return rigid
}

// grip is the point at which a joint holds both bodies: the anchor of B. Because the two forces act
// at one point, their torques cancel, even if the anchors are far apart.
type grip struct {
	rA, rB vec // the vectors from the centres of mass to the point
	gap    vec // gap is the vector from the anchor of A to the point.
}

func (c *jointConstraint) grip(a, b *state) (g grip) {
	g.rB = b.q.apply(c.rB)
	g.rA = b.d.sub(a.d).add(g.rB).add(c.centres)
	g.gap = g.rA.sub(a.q.apply(c.rA))
	return g
}

// speed returns the velocity of B relative to A at the grip.
func (g *grip) speed(a, b *state) vec {
	return b.v.add(left(b.w, g.rB)).sub(a.v.add(left(a.w, g.rA)))
}

// slide returns the rows across and along an axis that turns with A.
func slide(a *state, g grip, axis vec) (acrossAxis, alongAxis row) {
	n := a.q.apply(axis)
	return along(vec{-n.y, n.x}, g.rA, g.rB), along(n, g.rA, g.rB)
}

// span returns the row from anchor to anchor, and the distance between the anchors.
func (c *jointConstraint) span(g grip) (row, float32) {
	n, l := normalize(g.gap)
	return along(n, g.rA, g.rB), l
}

// warmStart is for joints that have the impulses of a point and of an angle.
func (c *jointConstraint) warmStart(_ pass, a, b *state, g grip) {
	c.pushPoint(a, b, g, vec{c.impulses[0], c.impulses[1]})
	c.push(&turning, a, b, c.impulses[2])
}

// row is an axis along which two bodies push each other: the Jacobian of a constraint. A unit
// impulse changes the momentum of a body by j, and the angular momentum by w.
type row struct {
	jA, jB vec
	wA, wB float32
}

// along returns the row along the direction n.
func along(n, rA, rB vec) row {
	return row{jA: vec{-n.x, -n.y}, jB: n, wA: -cross(rA, n), wB: cross(rB, n)}
}

// turning is the row of the relative angle of two bodies.
var turning = row{wA: -1, wB: 1}

// yields returns the change of the speed along a row that a unit impulse along the row causes.
func (c *jointConstraint) yields(r *row) float32 {
	return float32(c.mA.m*dot(r.jA, r.jA)) + float32(c.mB.m*dot(r.jB, r.jB)) +
		float32(float32(c.mA.i*r.wA)*r.wA) + float32(float32(c.mB.i*r.wB)*r.wB)
}

func (c *jointConstraint) effectiveMass(r *row) float32 {
	if k := c.yields(r); k > 0 {
		return 1 / k
	}
	return 0
}

func (r *row) speed(a, b *state) float32 {
	return dot(r.jA, a.v) + dot(r.jB, b.v) + float32(r.wA*a.w) + float32(r.wB*b.w)
}

func (c *jointConstraint) push(r *row, a, b *state, impulse float32) {
	a.v = a.v.plus(float32(c.mA.m*impulse), r.jA)
	a.w += float32(float32(c.mA.i*impulse) * r.wA)
	b.v = b.v.plus(float32(c.mB.m*impulse), r.jB)
	b.w += float32(float32(c.mB.i*impulse) * r.wB)
}

// hold softly solves row r. The error of the row should become zero, and k is the index of its
// impulse.
func (c *jointConstraint) hold(k int, r *row, a, b *state, err float32, soft softness) {
	old := c.impulses[k]
	impulse := -float32(soft.massScale*float32(c.effectiveMass(r)*(r.speed(a, b)+soft.bias(err)))) - float32(soft.impulseScale*old)
	c.impulses[k] = old + impulse
	c.push(r, a, b, impulse)
}

// stop solves a row whose distance must not become negative. The parameter k is the index of its
// impulse.
func (c *jointConstraint) stop(k int, r *row, a, b *state, distance, invH float32, soft softness) {
	bias, ms, is := soft.bias(distance), soft.massScale, soft.impulseScale
	if distance > 0 {
		bias, ms, is = float32(distance*invH), 1, 0
	}
	old := c.impulses[k]
	impulse := -float32(ms*float32(c.effectiveMass(r)*(r.speed(a, b)+bias))) - float32(is*old)
	next := greater(old+impulse, 0)
	if next == old {
		return // most joints are far from their limits, and end here
	}
	c.impulses[k] = next
	c.push(r, a, b, next-old)
}

// drive solves a row with a motor. The motor has a speed and a greatest impulse, most.
func (c *jointConstraint) drive(k int, r *row, a, b *state, speed, most float32) {
	old := c.impulses[k]
	next := clamp(old-float32(c.effectiveMass(r)*(r.speed(a, b)-speed)), -most, most)
	c.impulses[k] = next
	c.push(r, a, b, next-old)
}

func (r *row) flipped() row {
	return row{vec{-r.jA.x, -r.jA.y}, vec{-r.jB.x, -r.jB.y}, -r.wA, -r.wB}
}

// point keeps two anchors together. The vector between them is err. If most is positive, it
// limits the impulse. The impulses have the indices k and k+1.
func (c *jointConstraint) point(k int, a, b *state, g grip, err vec, soft softness, most float32) {
	rA, rB, cdot := g.rA, g.rB, g.speed(a, b)
	m, iA, iB := c.mA.m+c.mB.m, c.mA.i, c.mB.i
	k11 := m + float32(float32(rA.y*rA.y)*iA) + float32(float32(rB.y*rB.y)*iB)
	k12 := -float32(float32(rA.y*rA.x)*iA) - float32(float32(rB.y*rB.x)*iB)
	k22 := m + float32(float32(rA.x*rA.x)*iA) + float32(float32(rB.x*rB.x)*iB)
	det := float32(k11*k22) - float32(k12*k12)
	if det != 0 {
		det = 1 / det
	}
	x, y := cdot.x+soft.bias(err.x), cdot.y+soft.bias(err.y)
	sx := det * (float32(k22*x) - float32(k12*y))
	sy := det * (float32(k11*y) - float32(k12*x))
	old := vec{c.impulses[k], c.impulses[k+1]}
	next := vec{
		old.x - float32(soft.massScale*sx) - float32(soft.impulseScale*old.x),
		old.y - float32(soft.massScale*sy) - float32(soft.impulseScale*old.y),
	}
	if most > 0 {
		if l2 := dot(next, next); l2 > most*most {
			next = next.times(most / sqrt(l2))
		}
	}
	c.impulses[k], c.impulses[k+1] = next.x, next.y
	c.pushPoint(a, b, g, next.sub(old))
}

func (c *jointConstraint) pushPoint(a, b *state, g grip, p vec) {
	a.v = a.v.plus(-c.mA.m, p)
	a.w -= float32(c.mA.i * cross(g.rA, p))
	b.v = b.v.plus(c.mB.m, p)
	b.w += float32(c.mB.i * cross(g.rB, p))
}

// kindOfJoint is the constraint of a joint in a step. Each of the library's kinds of joints
// without batches has its own type. The methods for passes get the states of the two bodies, and
// the grip on them.
type kindOfJoint interface {
	constraint() *jointConstraint // constraint returns the part that all kinds have in common.
	// prepare copies the data of the library's joint that the step needs, and sets the initial
	// impulses.
	prepare(b *bodies, s *stride, j *joint, of box2d.B2JointInterface)
	// warmStart applies the impulses of the last sub-step.
	warmStart(in pass, a, b *state, g grip)
	// solve makes one pass over the joint. With bias it also corrects errors of position.
	solve(in pass, a, b *state, g grip, bias bool)
	// store writes the impulses of the step to the library's joint.
	store(a, b *state, g grip, of box2d.B2JointInterface, p impulses)
}

// pass has the data of a pass over joints: the states, and 1/h of the stride.
type pass struct {
	states []state
	invH   float32
}

// impulses are the sums over a whole step. The third is for the motor or the angle. The fourth is
// for the limits; it is positive from the lower limit and negative from the upper.
type impulses [4]float64
