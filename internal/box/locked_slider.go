package box

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// If the limits of a slider are less than 1 cm apart, the library locks it where its anchors meet,
// whatever the limits are (bullet3 2606). So a step moves the anchor of A to the lower limit, makes the
// limits begin at 0, and then restores the settings.

// LockedSlider is a slider with its settings, which Lock changes for the library's solver.
type LockedSlider struct {
	j            *box2d.B2PrismaticJoint
	anchor       box2d.B2Vec2
	lower, upper float64
}

// IsLocked reports whether the library would move a slider out of its limits.
func IsLocked(j *box2d.B2PrismaticJoint) bool {
	lower, upper := j.M_lowerTranslation, j.M_upperTranslation
	return j.M_enableLimit && math.Abs(upper-lower) < 2*box2d.B2_linearSlop && (lower > 0 || upper < 0)
}

// Lock changes the settings of a locked slider for the library.
func Lock(j *box2d.B2PrismaticJoint) LockedSlider {
	s := LockedSlider{j, j.M_localAnchorA, j.M_lowerTranslation, j.M_upperTranslation}
	j.M_localAnchorA = b2.Plus(s.anchor, s.lower, j.M_localXAxisA)
	j.M_lowerTranslation, j.M_upperTranslation = 0, s.upper-s.lower
	return s
}

// Unlock restores the settings.
func (s LockedSlider) Unlock() {
	s.j.M_localAnchorA, s.j.M_lowerTranslation, s.j.M_upperTranslation = s.anchor, s.lower, s.upper
}

// LockSliders locks the sliders of the world for the library's own step. The result unlocks them.
func (s *World) LockSliders() (unlock func()) {
	var locked []LockedSlider
	for j := s.world.M_jointList; j != nil; j = j.GetNext() {
		if t, ok := j.(*box2d.B2PrismaticJoint); ok && IsLocked(t) {
			locked = append(locked, Lock(t))
		}
	}
	return func() {
		for _, l := range locked {
			l.Unlock()
		}
	}
}
