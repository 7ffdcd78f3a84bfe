package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
)

// stride is the present step: its duration, and the values that depend on the duration and are the
// same for all bodies, contacts and joints.
type stride struct {
	subSteps    int
	dt, h, invH float32  // dt is the step in s, h is a sub-step in s, and invH is 1/h
	topSpeed    float32  // topSpeed is the greatest speed of a body in m/s. It is 2 m in a step, as in the library.
	topSpin     float32  // topSpin is the greatest spin in rad/s. It is a quarter turn in a step.
	lastH       float32  // lastH is the value of h in the last step, in s.
	warmScale   float32  // warmScale is the factor for the initial impulses of contacts and joints.
	contactSoft softness // contactSoft is for contacts between dynamic bodies.
	staticSoft  softness // staticSoft is for all other contacts.
	jointSoft   softness
	gravity     box2d.B2Vec2
}

// begin sets the values that depend on dt, in seconds, and on the world.
func (s *stride) begin(w *box2d.B2World, dt float64) {
	s.gravity = w.M_gravity
	s.dt = float32(dt)
	s.h = float32(dt / float64(s.subSteps))
	s.topSpeed, s.topSpin = box2d.B2_maxTranslation/s.dt, float32(box2d.B2_maxRotation)/s.dt
	s.invH = 0
	if dt > 0 {
		s.invH = float32(float64(s.subSteps) / dt)
	}
	hertz := lesser(contactHertz, 0.125*s.invH)
	s.contactSoft = soften(hertz, contactDamping, s.h)
	s.staticSoft = soften(2*hertz, contactDamping, s.h)
	s.jointSoft = s.soften(lesser(jointHertz, 0.25*s.invH), jointDamping)
	s.warmScale = 0
	if w.M_warmStarting {
		s.warmScale = 1
		if s.lastH != 0 && s.lastH != s.h {
			s.warmScale = s.h / s.lastH
		}
	}
}

func (s *stride) end() { s.lastH = s.h }

// startWith does the work of start for impulse i. If the library's joint still has the impulse
// that the stepper wrote, the step starts with the impulse of the last sub-step.
func (s *stride) startWith(was *pushed, i int, p float64) float32 {
	if p == float64(was.told[i]) {
		return float32(was.last[i] * s.warmScale)
	}
	return float32(p * float64(s.warmScale) / float64(s.subSteps))
}

// softnessOf returns the softness of a joint with the extras x. The second result reports whether
// the extras set the softness.
func (s *stride) softnessOf(x *box.JointExtra) (soft softness, set bool) {
	if x == nil || !(x.ConstraintFrequency > 0) {
		return s.jointSoft, false
	}
	return s.soften(lesser(float32(x.ConstraintFrequency), 0.25*s.invH), float32(x.ConstraintDamping)), true
}

// softness has the factors of a soft constraint in a sub-step.
type softness struct {
	biasRate, massScale, impulseScale float32
	most                              float32 // most is the greatest speed at which a joint corrects an error, in m/s or rad/s.
}

// rigid is the softness of a constraint that is not soft.
var rigid = softness{massScale: 1}

// bias returns the speed at which a joint corrects the error err. The error is in m or rad.
func (s *softness) bias(err float32) float32 {
	return clamp(float32(s.biasRate*err), 0-s.most, s.most)
}

// soften returns the softness of a spring for sub-steps of h seconds. The spring has a frequency
// in Hz and a damping ratio.
func soften(hertz, damping, h float32) softness {
	if hertz == 0 {
		return softness{}
	}
	omega := float32(2 * 3.14159265 * hertz)
	turn := float32(h * omega)
	a := damping + damping + turn
	ha := float32(turn * a)
	scale := 1 / (1 + ha)
	return softness{biasRate: omega / a, massScale: float32(ha * scale), impulseScale: scale}
}

// mostReturn is the greatest part of an error that a joint corrects in a step, in m or rad.
// Without a limit the speed of one body could be reduced more than that of the other, and the two
// bodies would gain momentum.
const mostReturn = 0.5

// soften returns the softness of a joint. The joint has a frequency in Hz and a damping ratio.
func (s *stride) soften(hertz, damping float32) softness {
	of := soften(hertz, damping, s.h)
	return of.within(mostReturn / s.dt)
}

// within limits the speed at which a joint corrects its error in a sub-step.
func (s softness) within(most float32) softness {
	if s.massScale > 0 {
		s.most = most / s.massScale
	}
	return s
}

const (
	contactHertz   = 30
	contactDamping = 10
	jointHertz     = 60
	jointDamping   = 2
)

// mostTurnOf returns the greatest angle by which a hammer may turn in this step. Two spins can
// cause it: the present spin w, and the greatest spin that a body can give the hammer by hitting
// its handle at the velocity v.
func (s *stride) mostTurnOf(m mass, v vec, w float32) float32 {
	hit := float32(0.5 * sqrt(float32(dot(v, v)*m.i)/m.m))
	return lesser(float32(s.dt*(abs(w)+hit)), mostTurn)
}
