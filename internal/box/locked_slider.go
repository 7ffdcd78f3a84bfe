package box

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// If the limits of a slider are less than 1 cm apart, the library locks the slider where its anchors
// meet, which may be outside the limits (bullet3 issue 2606). So before a step the World moves the
// anchor of A to the lower limit, and lets the limits begin at 0. After the step it restores the
// settings.

// LockedSlider has the settings of a slider from before a call of Lock.
type LockedSlider struct {
	j            *box2d.B2PrismaticJoint
	anchor       box2d.B2Vec2
	lower, upper float64
}

// IsLocked reports whether the library would lock a slider at a place outside its limits.
func IsLocked(j *box2d.B2PrismaticJoint) bool {
	lower, upper := j.M_lowerTranslation, j.M_upperTranslation
	return j.M_enableLimit && math.Abs(upper-lower) < 2*box2d.B2_linearSlop && (lower > 0 || upper < 0)
}

// Lock changes the settings of a slider so that the library locks it inside its limits.
func Lock(j *box2d.B2PrismaticJoint) LockedSlider {
	s := LockedSlider{j, j.M_localAnchorA, j.M_lowerTranslation, j.M_upperTranslation}
	j.M_localAnchorA = b2.Plus(s.anchor, s.lower, j.M_localXAxisA)
	j.M_lowerTranslation, j.M_upperTranslation = 0, s.upper-s.lower
	return s
}

// Unlock restores the settings of the slider.
func (s LockedSlider) Unlock() {
	s.j.M_localAnchorA, s.j.M_lowerTranslation, s.j.M_upperTranslation = s.anchor, s.lower, s.upper
}

// LockSliders calls Lock for the sliders of the world, before the library's own step. The result is a
// function that undoes the changes.
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
