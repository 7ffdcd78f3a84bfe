package scene

import (
	"math"

	"halfstep/buffer/body2d"
)

// CentrePose is the shown place of a body's centre of mass, and the body's angle.
type CentrePose struct {
	X, Y  float32 // centre of mass, m
	Angle float32 // rad; may be outside [-π, π)
	Turns int32   // whole turns that must be added to Angle
}

// Unwrapped is the angle including all turns, rad.
func (p CentrePose) Unwrapped() float64 {
	return float64(p.Angle) + 2*math.Pi*float64(p.Turns)
}

// Origin is the body's origin in metres, computed from the centre of mass, which is given
// relative to the origin. The picture blends centres and computes origins from them, because a
// blend of origins would bend the path of a turning body.
func (p CentrePose) Origin(localX, localY float32) (x, y float64) {
	sin, cos := math.Sincos(float64(p.Angle))
	return p.origin(localX, localY, sin, cos)
}

// origin computes the same as Origin, with the given sine and cosine of the angle.
func (p CentrePose) origin(localX, localY float32, sin, cos float64) (x, y float64) {
	lx, ly := float64(localX), float64(localY)
	return float64(p.X) - (cos*lx - sin*ly), float64(p.Y) - (sin*lx + cos*ly)
}

// Blend returns the pose between two states of one body. t is the blend factor, 0 at p and 1 at
// c. dt is the time between the two states, s. late is View.LateVelocity. Products are converted
// to float32 before they are added, so that no compiler fuses a product and a sum. The vertex
// shader (shaders/pose.glsl) does the same operations in the same order, and a test compares
// both.
//
// A body that was teleported at c is shown at c, or with Extrapolate ahead of it. A body that is
// new at c, because its slot was empty or had another body at p, appears behind c and moves
// there along its velocity.
func Blend(p, c *body2d.State, t float32, dt float32, mode body2d.Smoothing, late bool) CentrePose {
	f := c.Flags()
	if own := f.Smoothing(); own != body2d.Inherit {
		mode = own
	}
	if mode == body2d.Extrapolate {
		return ahead(c, t, dt)
	}
	switch made := p.Flags()&body2d.Alive == 0 || p.Generation() != c.Generation(); {
	case f&body2d.Jump != 0:
		mode = body2d.Newest
	case made && mode != body2d.Newest:
		return behind(c, t, dt)
	}
	switch mode {
	case body2d.Newest:
		return CentrePose{c.X, c.Y, c.Angle, c.Turns}
	case body2d.Hermite:
		if f&body2d.Impact == 0 {
			return hermite(p, c, t, dt, late)
		}
	}
	return CentrePose{
		p.X + float32(t*(c.X-p.X)),
		p.Y + float32(t*(c.Y-p.Y)),
		p.Angle + float32(t*turned(p, c)),
		p.Turns,
	}
}

// turned is the angle from p to c, rad, including whole turns.
func turned(p, c *body2d.State) float32 {
	return (c.Angle - p.Angle) + float32(float32(c.Turns-p.Turns)*(2*math.Pi))
}

// ahead moves a state forward along its velocity.
func ahead(c *body2d.State, t, dt float32) CentrePose {
	s := t * dt
	return CentrePose{c.X + float32(s*c.VX), c.Y + float32(s*c.VY), c.Angle + float32(s*c.Omega), c.Turns}
}

// behind moves a state back along the velocity with which the body came there. After an impact
// the body has another velocity, and a disabled body has not moved.
func behind(c *body2d.State, t, dt float32) CentrePose {
	if c.Flags()&(body2d.Impact|body2d.Disabled) != 0 {
		return CentrePose{c.X, c.Y, c.Angle, c.Turns}
	}
	s := (1 - t) * dt
	return CentrePose{c.X - float32(s*c.VX), c.Y - float32(s*c.VY), c.Angle - float32(s*c.Omega), c.Turns}
}

// hermite is the cubic through both positions with the velocities there. It is computed as the
// straight line plus a correction, so that a body at rest does not move.
//
// Unless late is set, the velocity of a state belongs to the start of its step, because the step
// moves the body by it. The velocity at the end of the step to c is not known: it is
// extrapolated from those of p and c.
func hermite(p, c *body2d.State, t, dt float32, late bool) CentrePose {
	u := 1 - t
	a := float32(float32(t*u) * u) // weight of the correction at the start
	b := float32(float32(t*t) * u) // and at the end
	at := func(from, by, v0, v1 float32) float32 {
		if !late {
			v0, v1 = v1, float32(2*v1)-v0
		}
		return from + float32(t*by) + float32(a*(float32(v0*dt)-by)) - float32(b*(float32(v1*dt)-by))
	}
	return CentrePose{
		at(p.X, c.X-p.X, p.VX, c.VX),
		at(p.Y, c.Y-p.Y, p.VY, c.VY),
		at(p.Angle, turned(p, c), p.Omega, c.Omega),
		p.Turns,
	}
}

// PoseOf returns the shown pose of the body in a slot, and false if the slot has no body.
func PoseOf(v *View[body2d.State], slot int) (CentrePose, bool) {
	if slot < 0 || slot >= len(v.Cur) || v.Cur[slot].Flags()&body2d.Alive == 0 {
		return CentrePose{}, false
	}
	c, p := &v.Cur[slot], &body2d.State{} // the slot did not exist at Prev
	if slot < len(v.Prev) {
		p = &v.Prev[slot]
	}
	return Blend(p, c, v.Alpha, float32(v.Dt), v.Smoothing, v.LateVelocity), true
}
