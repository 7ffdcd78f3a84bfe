package worldgen

import (
	"math/rand/v2"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
)

// Extend gives all joints of the world, and all later ones, features that the library's
// joints do not have: springs, limits, velocities and soft constraints. The library's
// step ignores these features.
func (p *Player) Extend() {
	p.extends = true
	for _, j := range p.joints {
		Extend(p.rng, j)
	}
}

// Extend gives a joint some of the features in box.JointExtra, in the joint's user
// data.
func Extend(r *rand.Rand, j box2d.B2JointInterface) {
	x := new(box.JointExtra)
	j.SetUserData(x)
	some := r.IntN(4) > 0
	switch t := j.(type) {
	case *box2d.B2RevoluteJoint, *box2d.B2PrismaticJoint:
		if some {
			x.Frequency, x.Damping, x.SpringTarget = .5+5*r.Float64(), r.Float64(), r.NormFloat64()
		}
	case *box2d.B2DistanceJoint:
		x.EnableLimit, x.Lower, x.Upper = some, t.M_length*r.Float64(), t.M_length*(1+r.Float64())
	case *box2d.B2WheelJoint:
		x.EnableLimit, x.Lower, x.Upper = some, -r.Float64(), r.Float64()
	case *box2d.B2MotorJoint:
		x.EnableMotor, x.LinearVelocity, x.AngularVelocity = some, box2d.B2Vec2{X: r.NormFloat64(), Y: r.NormFloat64()}, r.NormFloat64()
		x.AnchorA, x.AnchorB = box2d.B2Vec2{X: r.NormFloat64()}, box2d.B2Vec2{Y: r.NormFloat64()}
	}
	if r.IntN(4) == 0 {
		x.ConstraintFrequency, x.ConstraintDamping = 2+30*r.Float64(), r.Float64()
	}
}
