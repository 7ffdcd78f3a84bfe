package soft

import (
	"math"

	"halfstep/internal/box"
)

// freeAxis acts on one row with a motor, two limits and a spring: on the one that a revolute or
// prismatic joint leaves free, and along the axis of a wheel or a rod. Limits that are off are infinitely far, a motor that is off has no force,
// and a spring that is off scales everything by zero, so that all rows are solved alike.
type freeAxis struct {
	lower, upper float32
	speed        float32 // of the motor, m/s or rad/s
	most         float32 // greatest impulse of the motor in a sub-step
	target       float32 // where the spring is at rest
	spring       softness
}

// freeImpulses are the impulses of the motor, the lower limit, the upper limit and the spring.
type freeImpulses [4]float32

// sum is the impulse along the row.
func (p *freeImpulses) sum() float32 { return (p[0] + p[1]) - p[2] + p[3] }

// held is the impulse along the row of a joint without a motor.
func (p *freeImpulses) held() float32 { return (p[1] - p[2]) + p[3] }

// axisOf has the fields of the library's joint for its free axis.
type axisOf struct {
	limit, motor                bool // are they enabled
	lower, upper                float64
	speed, most                 float64 // of the motor
	top                         float32 // the greatest speed of a body
	motorImpulse, limitsImpulse float64 // limitsImpulse: positive from the lower limit, negative from the upper one
}

// freeAxis returns the free axis of a joint with the extras x, and the impulses that it starts
// with; was has those of the last step. Places along the axis are relative to there.
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

// extraLimits sets the limits that the extras x of a joint have, if any, and the impulses that they
// start with.
func (s *stride) extraLimits(f *freeAxis, p *freeImpulses, x *box.JointExtra, was *pushed) {
	f.lower, f.upper = float32(math.Inf(-1)), float32(math.Inf(1))
	if x.HasLimit() {
		f.lower, f.upper = float32(x.Lower), float32(x.Upper)
		p[1], p[2] = s.startWith(was, ofLower, max(x.LimitImpulse, 0)), s.startWith(was, ofUpper, max(-x.LimitImpulse, 0))
	}
}

// reachable is the motor's speed at a place, reduced to one that just reaches a limit in this
// sub-step. A limit gives way softly, so a motor that pushed against it would win; this way
// the motor of a joint at its limit pushes only as hard as it takes to stay there.
func (f *freeAxis) reachable(at, invH float32) float32 {
	down, up := float32(lesser(f.lower-at, 0)*invH), float32(greater(f.upper-at, 0)*invH)
	return greater(down, lesser(f.speed, up))
}

// takesAlone reports whether the row is to be solved with the joint's two other rows held. speed is
// what reachable has returned. A door turns about its hinge, and not about its centre of mass: that
// inertia is what a spring, or a motor at a limit, has to move. Rows solved one after the other
// would undo each other.
func (f *freeAxis) takesAlone(speed float32) bool {
	return f.spring.massScale > 0 || speed != f.speed
}

// solve solves spring, motor and limits of a joint at a place. speed is what reachable has returned.
func (f *freeAxis) solve(r *solved, p *freeImpulses, at, speed, invH float32, soft softness) {
	// At a limit, the parts of the motor's and the limit's impulses that cancel are taken out. A
	// limit lets go of a part of its impulse in each pass, and so would give way to the motor.
	if speed != f.speed {
		down, up := lesser(greater(0-p[0], 0), p[1]), lesser(greater(p[0], 0), p[2])
		p[0], p[1], p[2] = p[0]+(down-up), p[1]-down, p[2]-up
	}
	r.spring(&p[3], at-f.target, f.spring)
	r.drive(&p[0], speed, f.most)
	f.stops(r, p, at, invH, soft)
}

// stops solves the two limits.
func (f *freeAxis) stops(r *solved, p *freeImpulses, at, invH float32, soft softness) {
	r.takes(&p[1], stopped(p[1], at-f.lower, r.v, r.mass, invH, soft))
	upper := stopped(p[2], f.upper-at, 0-r.v, r.mass, invH, soft)
	r.sum -= upper - p[2]
	p[2] = upper
}

// stopped returns the new impulse of a limit, at least 0. The joint is at a distance from the
// limit, which changes at v.
func stopped(old, distance, v, mass, invH float32, soft softness) float32 {
	bias, ms, is := soft.bias(distance), soft.massScale, soft.impulseScale
	if distance > 0 {
		bias, ms, is = float32(distance*invH), 1, 0
	}
	return greater((old-float32(ms*float32(mass*(v+bias))))-float32(is*old), 0)
}

// solved is an axis whose impulses are solved one after the other.
type solved struct {
	v, k, mass float32 // its speed, by how much an impulse of one changes that, and 1/k
	sum        float32 // by how much the impulses have changed
}

// takes changes an impulse.
func (r *solved) takes(p *float32, next float32) {
	more := next - *p
	*p = next
	r.sum += more
	r.v += float32(r.k * more)
}

// spring solves a soft row that is off by err.
func (r *solved) spring(p *float32, err float32, soft softness) {
	r.takes(p, softened(*p, float32(r.mass*(r.v+soft.bias(err))), soft))
}

// drive solves a row that is driven at a speed by an impulse of at most most.
func (r *solved) drive(p *float32, speed, most float32) {
	r.takes(p, greater(0-most, lesser(*p-float32(r.mass*(r.v-speed)), most)))
}
