package forces

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/trig"
	"halfstep/world"
)

// Wind pushes dynamic bodies. It acts on circles and on every edge that faces the wind, with
// the dynamic pressure: Density/2 times the square of the air's velocity across the edge.
// Bodies do not shelter each other.
//
// A Wind that is added with AddController goes back in time with its world, except for the
// variables of Gust.
type Wind struct {
	Velocity world.Vec // Velocity is the velocity of the air in m/s.
	Density  float64   // density of the air, kg/m²; for a good look, at most a tenth of the density of the bodies

	// Gust, if it is not nil, returns an additional velocity of the air, m/s, at a place, m, and
	// a time, s. Its result must depend only on these.
	Gust    func(at world.Vec, seconds float64) world.Vec
	Seconds float64 // the time for Gust; BeforeStep advances it

	Bodies []world.Body // the wind acts only on these; nil means all
	Wakes  bool         // the wind wakes sleeping bodies, and keeps them awake

	outline []box2d.B2Vec2 // corners of the current polygon, in the world
}

// BeforeStep acts on the bodies for one step of dt seconds. A Wind with a number that is not
// finite, or a negative Density, does nothing.
func (a *Wind) BeforeStep(w *world.World, dt float64) {
	a.Seconds += dt
	if !finite(a.Velocity.X, a.Velocity.Y, a.Seconds) || !positive(a.Density) {
		return
	}
	each(w, a.Bodies, func(b world.Body, raw *box2d.B2Body) {
		if !a.Wakes && !raw.IsAwake() {
			return
		}
		for f := raw.M_fixtureList; f != nil; f = f.M_next {
			if f.M_isSensor {
				continue
			}
			switch s := f.M_shape.(type) {
			case *box2d.B2CircleShape:
				a.blowCircle(w, b, raw, s, dt)
			case *box2d.B2PolygonShape:
				a.outline = a.outline[:0]
				for _, v := range s.M_vertices[:s.M_count] {
					a.outline = append(a.outline, b2.Transform(&raw.M_xf, v))
				}
				a.blowOutline(w, b, raw, dt)
			case *b2.RoundPolygon:
				a.outline = s.Outline(a.outline[:0], &raw.M_xf)
				a.blowOutline(w, b, raw, dt)
			}
		}
	})
}

// against is the velocity of the air at a point, relative to the body, m/s.
func (a *Wind) against(raw *box2d.B2Body, at box2d.B2Vec2) box2d.B2Vec2 {
	air := a.Velocity
	if a.Gust != nil {
		gust := a.Gust(world.Vec{X: at.X, Y: at.Y}, a.Seconds)
		air.X += gust.X
		air.Y += gust.Y
	}
	v := b2.VelocityAt(raw, at)
	return box2d.B2Vec2{X: air.X - v.X, Y: air.Y - v.Y}
}

// blowOutline pushes each edge of the current polygon that faces the wind.
func (a *Wind) blowOutline(w *world.World, b world.Body, raw *box2d.B2Body, dt float64) {
	last := a.outline[len(a.outline)-1]
	for _, p := range a.outline {
		middle := b2.Times(.5, box2d.B2Vec2Add(last, p))
		out := box2d.B2Vec2{X: p.Y - last.Y, Y: last.X - p.X}
		length := b2.Length(out)
		out = b2.Unit(out)
		if u := -b2.Dot(a.against(raw, middle), out); u > 0 {
			j := min(a.Density/2*u*u*length*dt, most(raw, u))
			press(w, b, dt, world.Vec{X: -j * out.X, Y: -j * out.Y}, world.Vec{X: middle.X, Y: middle.Y}, 0)
		}
		last = p
	}
}

// blowCircle pushes a circle with the integral of the pressure over the half of the circle
// that faces the wind: 2/3 of the density times the radius times the square of the velocity.
func (a *Wind) blowCircle(w *world.World, b world.Body, raw *box2d.B2Body, s *box2d.B2CircleShape, dt float64) {
	middle := b2.Transform(&raw.M_xf, s.M_p)
	u := a.against(raw, middle)
	speed := trig.Hypot(u.X, u.Y)
	if !(speed > 0) {
		return
	}
	j := min(2./3*a.Density*s.M_radius*speed*speed*dt, most(raw, speed)) / speed
	press(w, b, dt, world.Vec{X: j * u.X, Y: j * u.Y}, world.Vec{X: middle.X, Y: middle.Y}, 0)
}

// most is the greatest impulse on a body. With more, a light body would become faster than
// the air.
func most(raw *box2d.B2Body, speed float64) float64 { return .3 * raw.M_mass * speed }
