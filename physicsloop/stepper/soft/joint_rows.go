package soft

// jointConstraint is a joint in a step. Its rows are constraints along one axis
// each; two of them may be solved at once as a point. What a row's impulse was in
// the last step is kept in the library's joint.
type jointConstraint struct {
	joint          int32
	a, b           int32 // states
	c, d           int32 // of a gear joint
	mA, mB, mC, mD mass
	kind           uint8
	motor, limit   bool

	rA, rB     vec // anchors from the centres of mass, at the start of the step
	centres    vec // from A's centre of mass to B's then
	axis       vec // of the world then, fixed to A
	angle      float32
	length     float32 // of a distance joint, of a rope, of both ropes of a pulley
	ratio      float32 // of a gear or a pulley
	correction float32 // of a motor joint: of what it is off, in a second
	lower      float32
	upper      float32
	speed      float32
	most       float32 // impulse of a sub-step of the motor
	most2      float32
	soft       softness // of the joint
	spring     softness // of its spring
	hasSpring  bool
	offset     vec

	impulses [5]float32 // of this sub-step
	total    [5]float32 // of the sub-steps
}

// sumUp ends a sub-step.
func (c *jointConstraint) sumUp() {
	t, p := &c.total, &c.impulses
	t[0] += p[0]
	t[1] += p[1]
	if c.kind != revolute || c.motor || c.limit { // most joints are pins
		t[2] += p[2]
		t[3] += p[3]
		t[4] += p[4]
	}
}

// row is an axis along which two bodies push each other.
type row struct {
	jA, jB vec
	wA, wB float32
}

// along is the row that keeps the anchors together along direction n.
func along(n, rA, rB vec) row {
	return row{vec{-n.x, -n.y}, n, -cross(rA, n), cross(rB, n)}
}

// turning is the row of the angle between two bodies.
var turning = row{wA: -1, wB: 1}

func (c *jointConstraint) effectiveMass(r *row) float32 {
	k := float32(c.mA.m*dot(r.jA, r.jA)) + float32(c.mB.m*dot(r.jB, r.jB)) +
		float32(float32(c.mA.i*r.wA)*r.wA) + float32(float32(c.mB.i*r.wB)*r.wB)
	if k > 0 {
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

// hold solves a row that holds the error at zero, softly.
func (c *jointConstraint) hold(k int, r *row, a, b *state, err float32, soft softness) {
	old := c.impulses[k]
	impulse := -float32(soft.massScale*float32(c.effectiveMass(r)*(r.speed(a, b)+float32(soft.biasRate*err)))) - float32(soft.impulseScale*old)
	c.impulses[k] = old + impulse
	c.push(r, a, b, impulse)
}

// stop solves a row whose distance may not become negative.
func (c *jointConstraint) stop(k int, r *row, a, b *state, distance, invH float32, soft softness) {
	bias, ms, is := float32(soft.biasRate*distance), soft.massScale, soft.impulseScale
	if distance > 0 {
		bias, ms, is = float32(distance*invH), 1, 0
	}
	old := c.impulses[k]
	impulse := -float32(ms*float32(c.effectiveMass(r)*(r.speed(a, b)+bias))) - float32(is*old)
	next := greater(old+impulse, 0)
	c.impulses[k] = next
	c.push(r, a, b, next-old)
}

// drive solves a row that is driven at a speed by a bounded impulse.
func (c *jointConstraint) drive(k int, r *row, a, b *state, speed, most float32) {
	old := c.impulses[k]
	next := clamp(old-float32(c.effectiveMass(r)*(r.speed(a, b)-speed)), -most, most)
	c.impulses[k] = next
	c.push(r, a, b, next-old)
}

func (r *row) flipped() row {
	return row{vec{-r.jA.x, -r.jA.y}, vec{-r.jB.x, -r.jB.y}, -r.wA, -r.wB}
}

// point keeps two anchors together, or moves them at a bounded impulse if most
// is positive. It uses the impulses k and k+1.
func (c *jointConstraint) point(k int, a, b *state, rA, rB, err vec, soft softness, most float32) {
	cdot := b.v.add(left(b.w, rB)).sub(a.v.add(left(a.w, rA)))
	m, iA, iB := c.mA.m+c.mB.m, c.mA.i, c.mB.i
	k11 := m + float32(float32(rA.y*rA.y)*iA) + float32(float32(rB.y*rB.y)*iB)
	k12 := -float32(float32(rA.y*rA.x)*iA) - float32(float32(rB.y*rB.x)*iB)
	k22 := m + float32(float32(rA.x*rA.x)*iA) + float32(float32(rB.x*rB.x)*iB)
	det := float32(k11*k22) - float32(k12*k12)
	if det != 0 {
		det = 1 / det
	}
	x, y := cdot.x+float32(soft.biasRate*err.x), cdot.y+float32(soft.biasRate*err.y)
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
	c.pushPoint(a, b, rA, rB, next.sub(old))
}

func (c *jointConstraint) pushPoint(a, b *state, rA, rB, p vec) {
	a.v = a.v.plus(-c.mA.m, p)
	a.w -= float32(c.mA.i * cross(rA, p))
	b.v = b.v.plus(c.mB.m, p)
	b.w += float32(c.mB.i * cross(rB, p))
}
