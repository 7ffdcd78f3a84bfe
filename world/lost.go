package world

import (
	"fmt"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// A solver that is asked for the impossible (joints that contradict each other,
// a spring far too stiff) throws bodies out of the world, further every step,
// until numbers overflow to NaN; and NaN spreads to all that it touches. A body
// is therefore taken out as soon as it leaves the range of positions.

// isLost reports whether a body's state is out of range or not a number. A disabled body goes
// nowhere: it may have been taken out, and put back where its centre of mass is out of range.
func isLost(b *box2d.B2Body) bool {
	return b.M_flags&b2.BodyActive != 0 &&
		!(within(b.M_sweep.C.X, maxPosition) && within(b.M_sweep.C.Y, maxPosition) && within(b.M_sweep.A, maxPosition) &&
			within(b.M_linearVelocity.X, maxValue) && within(b.M_linearVelocity.Y, maxValue) && within(b.M_angularVelocity, maxValue))
}

// remove puts a lost body back where it was a step before, at rest and disabled, and makes a
// BodyLost event.
func (a *aftermath) remove(s *slot) {
	b := s.b
	a.box.Relax(b) // the impulses of its joints may be NaN
	if x := b.M_sweep.C.X + b.M_sweep.C.Y; x != x && b.M_type != box2d.B2BodyType.B2_dynamicBody {
		// Its position is NaN though nothing can push it: it was joined to a body that is
		// lost, and its inverse mass of 0 times NaN is NaN.
		a.box.PutBack(b, s.origin, s.angle, box2d.B2Vec2{X: s.vx, Y: s.vy}, s.omega)
		return
	}
	e := a.news.event(BodyLost)
	e.A, e.NameA = s.rec.handle, s.rec.name
	e.Err = fmt.Errorf("world: %v left the world at (%.3g, %.3g) and was disabled", s.rec.handle, b.M_sweep.C.X, b.M_sweep.C.Y)
	a.links.dropGears(b)
	a.box.Disable(b)
	a.box.PutBack(b, s.origin, s.angle, box2d.B2Vec2{}, 0)
	s.vx, s.vy, s.omega = 0, 0, 0
	s.jump = jumpPending
}

// dropGears destroys the gears that read b as the first body of a joint, which
// they must not do while it is disabled.
func (k *links) dropGears(b *box2d.B2Body) {
	for e := b.M_jointList; e != nil; {
		if j := jointOf(e.Joint); j != nil && len(j.gears) > 0 && e.Joint.GetBodyA() == b {
			k.destroyJoint(j.gears[0].j)
			e = b.M_jointList // the list is another one now
		} else {
			e = e.Next
		}
	}
}
