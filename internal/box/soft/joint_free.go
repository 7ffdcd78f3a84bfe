package soft

import (
	"math"

	"halfstep/internal/box"
)

// freeAxis has one row with a motor, two limits and a spring. It is for the motion that a revolute
// or prismatic joint leaves free, and for motion along the axis of a wheel or a rod. If a limit is
// off, it is infinitely far away. If the motor is off, it has no force. If the spring is off, its
// factors are zero. All rows are therefore solved in the same way.
type freeAxis struct {
	lower, upper float32
	speed        float32 // speed is the speed of the motor in m/s or rad/s.
	most         float32 // most is the greatest impulse of the motor in a sub-step.
	target       float32 // target is the position at which the spring is at rest.
	spring       softness
}

// freeImpulses are the impulses of the motor, the lower limit, the upper limit, and the spring.
type freeImpulses [4]float32

// axisOf has the values that the library's joint has for its free axis.
type axisOf struct {
	limit, motor                bool // whether limits and motor are enabled
	lower, upper                float64
	speed, most                 float64 // the speed and the greatest impulse of the motor
	top                         float32 // top is the greatest speed of a body.
	motorImpulse, limitsImpulse float64 // limitsImpulse is positive if it comes from the lower limit, and negative if it comes from the upper limit
}

// freeAxis returns the free axis of a joint with the extras x, and the initial impulses of the
// axis. The parameter was has the impulses of the last step. Positions along the axis are relative
// to the position `there`.
func (s *stride) freeAxis(of axisOf, there float64, x *box.JointExtra, was *pushed) (f freeAxis, p freeImpulses) {
	f.lower, f.upper = float32(math.Inf(-1)), float32(math.Inf(1))
	if of.motor {
		f.speed, f.most = clamp(float32(of.speed), -of.top, of.top), s.h*float32(of.most)
		p[0] = s.startWith(was, ofMotor, of.motorImpulse)
	}
	if of.limit {
		f.lower, f.upper = float32(of.lower-there), float32(of.upper-there)
		p[1], p[2] = s.startWith(was, ofLower, max(of.limitsImpulse, 0)), s.startWith(was, ofUpper, max(-of.limitsImpulse, 0))
	}
	if x.HasSpring() {
		f.spring, f.target = s.soften(float32(x.Frequency), float32(x.Damping)), float32(x.SpringTarget-there)
		p[3] = s.startWith(was, ofSpring, x.SpringImpulse)
	}
	return f, p
}

// extraLimits sets the limits that a joint's extras x have, if there are any, and their initial
// impulses.
func (s *stride) extraLimits(f *freeAxis, p *freeImpulses, x *box.JointExtra, was *pushed) {
	f.lower, f.upper = float32(math.Inf(-1)), float32(math.Inf(1))
	if x.HasLimit() {
		f.lower, f.upper = float32(x.Lower), float32(x.Upper)
		p[1], p[2] = s.startWith(was, ofLower, max(x.LimitImpulse, 0)), s.startWith(was, ofUpper, max(-x.LimitImpulse, 0))
	}
}

// freeBatch has the free axes of a batch of joints.
type freeBatch struct {
	lower, upper lane8
	speed, most  lane8
	target       lane8
	spring       softness8
	soft         [2]softness8 // the softness of the limits and of the other rows: first in solve passes, and then in relax passes
	free, total  [4]lane8     // the freeImpulses of this sub-step, and of all sub-steps
}

// softness8 has the softness of each of eight joints.
type softness8 struct{ biasRate, massScale, impulseScale, most lane8 }

func (s *softness8) set(k int, to softness) {
	s.biasRate[k], s.massScale[k], s.impulseScale[k], s.most[k] = to.biasRate, to.massScale, to.impulseScale, to.most
}

func (s *softness8) at(k int) softness {
	return softness{s.biasRate[k], s.massScale[k], s.impulseScale[k], s.most[k]}
}

// put sets lane k.
func (b *freeBatch) put(k int, f *freeAxis, p freeImpulses, soft [2]softness) {
	k &= lanes - 1
	b.lower[k], b.upper[k], b.speed[k], b.most[k], b.target[k] = f.lower, f.upper, f.speed, f.most, f.target
	b.spring.set(k, f.spring)
	b.soft[0].set(k, soft[0])
	b.soft[1].set(k, soft[1])
	for i := range p {
		b.free[i][k], b.total[i][k] = p[i], 0
	}
}

func (b *freeBatch) sumUp(k int) {
	k &= lanes - 1
	for i := range b.free {
		b.total[i][k] += b.free[i][k]
	}
}

// allFree returns the sum of the impulses along the row. The function heldFree returns the sum
// without the motor's impulse.
func (b *freeBatch) allFree(k int) float32 {
	k &= lanes - 1
	return (b.free[0][k] + b.free[1][k]) - b.free[2][k] + b.free[3][k]
}

func (b *freeBatch) heldFree(k int) float32 {
	k &= lanes - 1
	return (b.free[1][k] - b.free[2][k]) + b.free[3][k]
}

// reachable returns the motor's speed at a position. Near a limit it returns a lower speed, which
// just reaches the limit in this sub-step. A limit yields softly, so that a motor that pushed
// against it would win. With the reduced speed the motor of a joint at its limit pushes only as
// hard as is necessary to stay there.
func (b *freeBatch) reachable(k int, at, invH float32) float32 {
	k &= lanes - 1
	down, up := float32(lesser(b.lower[k]-at, 0)*invH), float32(greater(b.upper[k]-at, 0)*invH)
	return greater(down, lesser(b.speed[k], up))
}

// takesAlone reports whether the row is solved while the joint's two other rows are held. The
// parameter speed is the result of reachable. A door turns about its hinge, and not about its
// centre of mass. A spring, or a motor at a limit, must therefore move the inertia about the hinge.
// Rows that are solved one after the other would undo each other.
func (b *freeBatch) takesAlone(k int, speed float32) bool {
	k &= lanes - 1
	return b.spring.massScale[k] > 0 || speed != b.speed[k]
}

// solveFree solves the spring, the motor and the limits at a position. The parameter speed is the
// result of reachable.
func (b *freeBatch) solveFree(k int, r *solved, at, speed, invH float32, soft *softness) {
	k &= lanes - 1
	// At a limit, remove the parts of the motor's and the limit's impulses that cancel each other. A
	// limit loses a part of its impulse in each pass, and would therefore yield to the motor.
	if motor, lower, upper := &b.free[0][k], &b.free[1][k], &b.free[2][k]; speed != b.speed[k] {
		down, up := lesser(greater(0-*motor, 0), *lower), lesser(greater(*motor, 0), *upper)
		*motor, *lower, *upper = *motor+(down-up), *lower-down, *upper-up
	}
	spring := b.spring.at(k)
	r.spring(&b.free[3][k], at-b.target[k], &spring)
	r.drive(&b.free[0][k], speed, b.most[k])
	b.stops(k, r, at, invH, soft)
}

// stops solves the two limits. If both limits are off it does nothing, unless the position is
// infinite as well: the kernel computes with an infinite position.
func (b *freeBatch) stops(k int, r *solved, at, invH float32, soft *softness) {
	k &= lanes - 1
	if !(b.lower[k] > -math.MaxFloat32) && !(b.upper[k] < math.MaxFloat32) && at-at == 0 {
		return
	}
	lower, upper := &b.free[1][k], &b.free[2][k]
	r.takes(lower, stopped(*lower, at-b.lower[k], r.v, r.mass, invH, soft))
	next := stopped(*upper, b.upper[k]-at, 0-r.v, r.mass, invH, soft)
	r.sum -= next - *upper
	*upper = next
}

// stopped returns the new impulse of a limit, which is at least 0. The joint has a distance from
// the limit. This distance changes at the speed v.
func stopped(old, distance, v, mass, invH float32, soft *softness) float32 {
	bias, ms, is := soft.bias(distance), soft.massScale, soft.impulseScale
	if distance > 0 {
		bias, ms, is = float32(distance*invH), 1, 0
	}
	return greater((old-float32(ms*float32(mass*(v+bias))))-float32(is*old), 0)
}

// solved is an axis with several impulses, which are solved one after the other.
type solved struct {
	v, k, mass float32 // v is the speed along the axis, k is the change of the speed by a unit impulse, and mass is 1/k
	sum        float32 // sum is the change of the impulses so far.
}

// takes sets the impulse p to next, and adds the change to sum and v.
func (r *solved) takes(p *float32, next float32) {
	more := next - *p
	*p = next
	r.sum += more
	r.v += float32(r.k * more)
}

// spring solves a soft row with the error err.
func (r *solved) spring(p *float32, err float32, soft *softness) {
	r.takes(p, softened(*p, float32(r.mass*(r.v+soft.bias(err))), soft))
}

// drive solves a row with a motor. The motor has a speed and a greatest impulse, most.
func (r *solved) drive(p *float32, speed, most float32) {
	if most == 0 && *p == 0 { // most joints have no motor, and end here
		*p = 0
		return
	}
	r.takes(p, greater(0-most, lesser(*p-float32(r.mass*(r.v-speed)), most)))
}
