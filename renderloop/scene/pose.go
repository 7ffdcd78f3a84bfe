package scene

import (
	"math"

	"halfstep/buffer/body2d"
)

// CentrePose is the shown place of a body's centre of mass, and the body's angle.
type CentrePose struct {
	X, Y  float32 // the centre of mass, in m
	Angle float32 // in rad, without Turns; not always from -π to π
	Turns int32   // whole turns in addition to Angle
}

// Unwrapped returns the angle including all turns, in rad.
func (p CentrePose) Unwrapped() float64 {
	return float64(p.Angle) + 2*math.Pi*float64(p.Turns)
}

// Origin returns the body's origin, in m. The parameters localX, localY are the centre of mass
// relative to the origin, in m. The picture blends centres of mass and not origins, because the
// origin of a turning body does not move on a straight line.
func (p CentrePose) Origin(localX, localY float32) (x, y float64) {
	sin, cos := math.Sincos(float64(p.Angle))
	return p.origin(localX, localY, sin, cos)
}

// origin returns the same as Origin, from the sine and the cosine of the angle.
func (p CentrePose) origin(localX, localY float32, sin, cos float64) (x, y float64) {
	lx, ly := float64(localX), float64(localY)
	return float64(p.X) - (cos*lx - sin*ly), float64(p.Y) - (sin*lx + cos*ly)
}

// Blend returns the pose of a body between the previous state p and the current state c. The
// parameter t is the blend factor, 0 at p and 1 at c; dt is the time between the two states, in s;
// late is View.LateVelocity. Products are converted to float32 before they are added, so that no
// compiler fuses a product and a sum. The vertex shader (shaders/pose.glsl) does the same
// operations in the same order, and a test compares both.
//
// A body that was teleported at c is shown at c, or with Extrapolate ahead of c. A body that was
// created at c is first shown behind c, and moves to c along its velocity.
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

// turned returns the angle from p to c including whole turns, in rad.
func turned(p, c *body2d.State) float32 {
	return (c.Angle - p.Angle) + float32(float32(c.Turns-p.Turns)*(2*math.Pi))
}

// ahead moves a state forward along its velocity.
func ahead(c *body2d.State, t, dt float32) CentrePose {
	s := t * dt
	return CentrePose{c.X + float32(s*c.VX), c.Y + float32(s*c.VY), c.Angle + float32(s*c.Omega), c.Turns}
}

// behind moves a state back along its velocity. It does not move the state of a disabled body, or
// of a body with an impact, whose velocity has changed.
func behind(c *body2d.State, t, dt float32) CentrePose {
	if c.Flags()&(body2d.Impact|body2d.Disabled) != 0 {
		return CentrePose{c.X, c.Y, c.Angle, c.Turns}
	}
	s := (1 - t) * dt
	return CentrePose{c.X - float32(s*c.VX), c.Y - float32(s*c.VY), c.Angle - float32(s*c.Omega), c.Turns}
}

// hermite returns the pose on a cubic curve from the positions and velocities of both states. The
// curve is computed as a straight line plus a correction, so that a body at rest does not move.
//
// Unless late is set, the velocity of a state belongs to the start of its step, because the step
// moves the body by it. The velocity at the end of the step to c is not known, so hermite
// extrapolates it from the velocities of p and c.
func hermite(p, c *body2d.State, t, dt float32, late bool) CentrePose {
	u := 1 - t
	a := float32(float32(t*u) * u) // the weight of the correction at the start
	b := float32(float32(t*t) * u) // the weight of the correction at the end
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

// PoseOf returns the shown pose of the body in a slot. It returns false if the slot has no body.
func PoseOf(v *View[body2d.State], slot int) (CentrePose, bool) {
	if slot < 0 || slot >= len(v.Cur) || v.Cur[slot].Flags()&body2d.Alive == 0 {
		return CentrePose{}, false
	}
	c, p := &v.Cur[slot], &body2d.State{} // if Prev does not have the slot
	if slot < len(v.Prev) {
		p = &v.Prev[slot]
	}
	return Blend(p, c, v.Alpha, float32(v.Dt), v.Smoothing, v.LateVelocity), true
}
