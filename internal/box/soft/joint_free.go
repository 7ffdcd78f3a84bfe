package soft

import (
	"math"

	"halfstep/internal/box"
)

// freeAxis is what moves the one row that a revolute or a prismatic leaves free: a motor, two
// limits and a spring. What is off has limits that are infinitely far, a motor without force,
// and a spring that scales everything by zero, so that all rows are solved alike.
type freeAxis struct {
	lower, upper float32
	speed        float32 // of the motor, in a second
	most         float32 // impulse of the motor in a sub-step
	target       float32 // of the spring
	spring       softness
}

// freeImpulses are those of the motor, the lower limit, the upper one and the spring.
type freeImpulses [4]float32

// sum is the impulse along the row.
func (p *freeImpulses) sum() float32 { return (p[0] + p[1]) - p[2] + p[3] }

// axisOf is what the library's joint has of its free axis.
type axisOf struct {
	limit, motor                bool
	lower, upper                float64
	speed, most                 float64
	motorImpulse, limitsImpulse float64 // the second one is up, or down if it is negative
}

// freeAxis returns the axis of a joint with those extras, with places as the way from
// there, and the impulses that it starts with.
func (s *Stepper) freeAxis(of axisOf, there float64, x *box.JointExtra, was *pushed) (f freeAxis, p freeImpulses) {
	f.lower, f.upper = float32(math.Inf(-1)), float32(math.Inf(1))
	if of.motor {
		f.speed, f.most = float32(of.speed), s.h*float32(of.most)
		p[0] = s.startWith(was, ofMotor, of.motorImpulse)
	}
	if of.limit {
		f.lower, f.upper = float32(of.lower-there), float32(of.upper-there)
		p[1], p[2] = s.startWith(was, ofLower, max(of.limitsImpulse, 0)), s.startWith(was, ofUpper, max(-of.limitsImpulse, 0))
	}
	if x.HasSpring() {
		f.spring, f.target = soften(float32(x.Frequency), float32(x.Damping), s.h), float32(x.SpringTarget-there)
		p[3] = s.startWith(was, ofSpring, x.SpringImpulse)
	}
	return f, p
}

// reachable is the motor's speed at a place, or that at which it reaches a limit in this
// sub-step: a limit gives way softly, and a motor that pushes against it would win. So the
// motor of a joint at its limit pushes with what it takes to stay there.
func (f *freeAxis) reachable(at, invH float32) float32 {
	down, up := float32(lesser(f.lower-at, 0)*invH), float32(greater(f.upper-at, 0)*invH)
	return greater(down, lesser(f.speed, up))
}

// takesAlone reports whether the row is solved as it is while the joint holds the two others;
// see jointConstraint.alone. speed is reachable.
func (f *freeAxis) takesAlone(speed float32) bool {
	return f.spring.massScale > 0 || speed != f.speed
}

// solve solves spring, motor and limits of a joint that is at a place, and returns the impulse
// along the row. The row moves at v, and an impulse of one changes that by k. speed is
// reachable.
func (f *freeAxis) solve(p *freeImpulses, at, v, k, speed, invH float32, soft softness) (sum float32) {
	// What a motor and a limit push against each other is taken out. A limit lets go of a part
	// of its impulse in each pass, so that it would give way to a motor that only leans on it.
	var down, up float32
	if speed != f.speed {
		down, up = lesser(greater(0-p[0], 0), p[1]), lesser(greater(p[0], 0), p[2])
	}
	motor, lower, upper, spring := p[0]+(down-up), p[1]-down, p[2]-up, p[3]
	mass := float32(0)
	if k > 0 {
		mass = 1 / k
	}
	p[3] = (spring - float32(f.spring.massScale*float32(mass*(v+float32(f.spring.biasRate*(at-f.target)))))) - float32(f.spring.impulseScale*spring)
	more := p[3] - spring
	sum += more
	v += float32(k * more)

	p[0] = greater(0-f.most, lesser(motor-float32(mass*(v-speed)), f.most))
	more = p[0] - motor
	sum += more
	v += float32(k * more)

	p[1] = stopped(lower, at-f.lower, v, mass, invH, soft)
	more = p[1] - lower
	sum += more
	v += float32(k * more)

	p[2] = stopped(upper, f.upper-at, 0-v, mass, invH, soft)
	return sum - (p[2] - upper)
}

// stopped returns the impulse of a limit that is at a distance which changes at v. It may not
// become negative.
func stopped(old, distance, v, mass, invH float32, soft softness) float32 {
	bias, ms, is := float32(soft.biasRate*distance), soft.massScale, soft.impulseScale
	if distance > 0 {
		bias, ms, is = float32(distance*invH), 1, 0
	}
	return greater((old-float32(ms*float32(mass*(v+bias))))-float32(is*old), 0)
}
