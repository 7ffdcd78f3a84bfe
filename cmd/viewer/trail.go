package main

import (
	"math"
	"time"

	"halfstep/world"
)

// trail is how long the point by which a body is held trails the pointer, on the screen:
// the distance between them along the pointer's way, divided by its speed, over about
// the last third of a second in which it moved.
type trail struct {
	at   time.Duration // of the frame before; 0: none
	to   world.Vec     // the pointer then
	far  float64       // m²/s, distance times speed
	fast float64       // m²/s², speed times speed
}

// springTrail is the part of it that is the spring's own, 45 ms: the spring slows the
// body by its speed, and not by its speed relative to the pointer.
const springTrail = 2 * dragDamping / (2 * math.Pi * dragFrequency) // s

// note takes where the pointer is and where the held point is shown.
func (t *trail) note(at time.Duration, to, held world.Vec) {
	if dt := (at - t.at).Seconds(); t.at > 0 && dt > 0 {
		vx, vy, keep := (to.X-t.to.X)/dt, (to.Y-t.to.Y)/dt, math.Exp(-3*dt)
		t.far = keep*t.far + dt*((to.X-held.X)*vx+(to.Y-held.Y)*vy)
		t.fast = keep*t.fast + dt*(vx*vx+vy*vy)
	}
	t.at, t.to = at, to
}

// text is the figure, which the HUD puts beside springTrail.
func (t *trail) text(to text) text {
	if t.fast == 0 {
		return to.str("–")
	}
	return to.ms(1e3 * t.far / t.fast)
}
