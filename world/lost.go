package world

import (
	"fmt"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// Two joints may contradict each other, or a spring may be far too stiff. A solver cannot satisfy such
// constraints, and throws bodies farther in every step. In the end numbers overflow to NaN, which spreads to
// all bodies in contact. So a body is disabled as soon as it leaves the range of positions.

// isLost reports whether a body's state is out of range or not a number. It is false for a disabled body,
// which may have been put back already with its centre of mass out of range.
func isLost(b *box2d.B2Body) bool {
	return b.M_flags&b2.BodyActive != 0 &&
		!(within(b.M_sweep.C.X, maxPosition) && within(b.M_sweep.C.Y, maxPosition) && within(b.M_sweep.A, maxPosition) &&
			within(b.M_linearVelocity.X, maxValue) && within(b.M_linearVelocity.Y, maxValue) && within(b.M_angularVelocity, maxValue))
}

// remove puts a lost body back to its place before the step, at rest and disabled, and makes
// a BodyLost event.
func (a *aftermath) remove(s *slot) {
	b := s.b
	a.box.Relax(b) // the impulses of its joints may be NaN
	if x := b.M_sweep.C.X + b.M_sweep.C.Y; x != x && b.M_type != box2d.B2BodyType.B2_dynamicBody {
		// The position of a body may be NaN although no force pushes it. If the body was joined to a lost body, its
		// inverse mass of 0 times NaN is NaN.
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

// dropGears destroys the gears on joints that have b as their first body. The body b will be disabled, and
// gears must not use a disabled body.
func (k *links) dropGears(b *box2d.B2Body) {
	for e := b.M_jointList; e != nil; {
		if j := jointOf(e.Joint); j != nil && len(j.gears) > 0 && e.Joint.GetBodyA() == b {
			k.destroyJoint(j.gears[0].j)
			e = b.M_jointList // the list has changed
		} else {
			e = e.Next
		}
	}
}
