package fast

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// sleepIsland counts for how long each body of an island has been slow. If all bodies have been slow
// for long enough, it puts the bodies that are not static to sleep.
func (s *Stepper) sleepIsland(isl *island) {
	isl.asleep = false
	if !s.world.M_allowSleep {
		return
	}
	const linear = box2d.B2_linearSleepTolerance * box2d.B2_linearSleepTolerance
	const angular = box2d.B2_angularSleepTolerance * box2d.B2_angularSleepTolerance
	minSleepTime := box2d.B2_maxFloat
	speeds := s.mirror.owner.Rules.RestSpeeds // the greatest speeds of a body at rest; 0 means the library's speeds
	bodies := s.islands.bodies[isl.bodies:isl.bodiesEnd]
	for _, b := range bodies {
		if b.M_type == b2.StaticBody {
			continue
		}
		v, w := b.M_linearVelocity, b.M_angularVelocity
		linear, angular := linear, angular
		if speeds != nil {
			speed, spin := speeds(b)
			if speed > 0 {
				linear = speed * speed
			}
			if spin > 0 {
				angular = spin * spin
			}
		}
		if b.M_flags&b2.BodyAutoSleep == 0 || w*w > angular || v.X*v.X+v.Y*v.Y > linear {
			b.M_sleepTime = 0
			minSleepTime = 0
		} else {
			b.M_sleepTime += s.step.Dt
			minSleepTime = min(minSleepTime, b.M_sleepTime)
		}
	}
	if minSleepTime >= box2d.B2_timeToSleep && isl.positionSolved {
		isl.asleep = true
		for _, b := range bodies {
			if b.M_type != b2.StaticBody {
				b.SetAwake(false)
			}
		}
	}
}

// sleepStatic puts the static bodies of a sleeping island to sleep. It runs on the goroutine of Step,
// because several islands may share a static body.
func (s *Stepper) sleepStatic(isl *island) {
	if !isl.asleep {
		return
	}
	s.mirror.owner.Bodies.AnySlept()
	for _, b := range s.islands.bodies[isl.bodies:isl.bodiesEnd] {
		if b.M_type == b2.StaticBody {
			b.SetAwake(false)
		}
	}
}
