package world_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/test/attack"
	"halfstep/world"
)

// Referees of contacts know physics, and no other stepper: nothing acts through solid
// bodies, touching bodies that spin freely keep their momentum, and events have the
// impulses that act.
func TestAttackContacts(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		way := []world.Stepper{world.FastStep, world.SoftStep}[r.IntN(2)]
		shootAtAWall(a, r, way)
		spinFreely(a, r, world.SoftStep)
		hitAndTell(a, r, way)
		a.Count("walls, clusters and hits", 1)
	}
}

// hull is a box, a disc, a triangle or a capsule of about the given size, m.
func hull(r *rand.Rand, size float64) world.ShapeDef {
	switch r.IntN(4) {
	case 0:
		return world.Circle(size)
	case 1:
		return world.Polygon(world.Vec{X: -size, Y: -.6 * size}, world.Vec{X: size, Y: -.6 * size}, world.Vec{Y: size})
	case 2:
		return world.Capsule(world.Vec{X: -.6 * size}, world.Vec{X: .6 * size}, .4*size)
	}
	return world.Box(size, size*(.5+r.Float64()))
}

// shootAtAWall shoots one or several bodies at a wall, behind which others stand. However
// thin the wall is, nothing touches the bodies behind it.
func shootAtAWall(t testing.TB, r *rand.Rand, way world.Stepper) {
	t.Helper()
	x := newSituation(t, world.Config{Stepper: way, NoGravity: true, NoSleep: true, Workers: 1 + r.IntN(2)})
	defer x.sim.Close()
	x.rate = []float64{30, 60, 240}[r.IntN(3)]
	half, turn := .02+.2*r.Float64(), .4*r.NormFloat64()*float64(r.IntN(2))
	wall := world.BodyDef{Kind: world.BodyKind(r.IntN(2)), Angle: turn, Shapes: []world.ShapeDef{world.Box(half, 6)}}
	if r.IntN(4) == 0 {
		half = 0
		wall.Kind, wall.Shapes = world.Static, []world.ShapeDef{world.Chain(world.Vec{Y: -6}, world.Vec{Y: 1}, world.Vec{Y: 6})}
	}
	cos, sin := math.Cos(turn), math.Sin(turn)
	at := func(across, along float64) world.Vec {
		return world.Vec{X: across*cos - along*sin, Y: across*sin + along*cos}
	}
	x.made(wall)
	// The library's outlines extend farther, by a skin. So do those of the bodies behind the
	// wall.
	gap := .045 + .5*r.Float64()*r.Float64()
	if r.IntN(2) == 0 {
		x.SetPreSolve(func(*world.World, *world.PreSolveContact) {})
	}
	behind := map[world.Body]bool{}
	for i := range 1 + r.IntN(3) {
		size := .1 + .3*r.Float64()
		b := x.made(world.BodyDef{Kind: world.Dynamic, Angle: turn, Position: at(half+gap+1.2*size, 2.5*float64(i)-2.5), Shapes: []world.ShapeDef{hull(r, size)}})
		behind[b] = true
	}
	fastest := 5 + 105*r.Float64()
	for range 1 + r.IntN(2) {
		size := .05 + .3*r.Float64()
		speed := fastest * (.3 + .7*r.Float64())
		x.made(world.BodyDef{
			Kind: world.Dynamic, Bullet: r.IntN(4) == 0, Position: at(-half-2*size-.1-3*r.Float64(), 5*r.Float64()-2.5),
			Velocity: at(speed, speed*.3*r.NormFloat64()*float64(r.IntN(2))), AngularVelocity: 3 * r.NormFloat64() * float64(r.IntN(2)),
			Shapes: []world.ShapeDef{hull(r, size)},
		})
	}
	x.steps(20)
	for _, e := range x.events {
		if behind[e.Contact.A] != behind[e.Contact.B] {
			t.Errorf("%v: at %.0f Hz and up to %.0f m/s, through a %v wall of %.3f m and a gap of %.3f m: %v", way, x.rate, fastest, wall.Kind, 2*half, gap, e)
			return
		}
	}
	for b := range behind {
		if i := x.info(b); i.Velocity != (world.Vec{}) || i.AngularVelocity != 0 {
			t.Errorf("%v: at %.0f Hz and up to %.0f m/s, through a %v wall of %.3f m and a gap of %.3f m: what is behind moves at %v", way, x.rate, fastest, wall.Kind, 2*half, gap, i.Velocity)
			return
		}
	}
}

func slab(x, y, hx, hy float64) world.ShapeDef {
	return world.Polygon(world.Vec{X: x - hx, Y: y - hy}, world.Vec{X: x + hx, Y: y - hy}, world.Vec{X: x + hx, Y: y + hy}, world.Vec{X: x - hx, Y: y + hy})
}

// closed has the quantities that a closed system conserves, about the origin.
type closed struct {
	mass, spin, energy float64
	momentum           world.Vec
}

func (x *situation) closed(bodies []world.Body) (c closed) {
	for _, b := range bodies {
		i := x.info(b)
		p, v := i.Centre, i.Velocity
		c.mass += i.Mass
		c.momentum.X += i.Mass * v.X
		c.momentum.Y += i.Mass * v.Y
		c.spin += i.Mass*(p.X*v.Y-p.Y*v.X) + i.Inertia*i.AngularVelocity
		c.energy += i.KineticEnergy()
	}
	return c
}

// spinFreely spins a drum with loose bodies in it, or a pack of welded boxes, in free
// space. The bodies keep their momentum, and gain no energy.
func spinFreely(t testing.TB, r *rand.Rand, way world.Stepper) {
	t.Helper()
	x := newSituation(t, world.Config{Stepper: way, NoGravity: true, NoSleep: true, Workers: 1})
	defer x.sim.Close()
	spin := (.3 + 3*r.Float64()) * float64(1-2*r.IntN(2))
	friction := float64(r.IntN(2)) * r.Float64()
	var bodies []world.Body
	add := func(at world.Vec, angle float64, shapes ...world.ShapeDef) {
		for i := range shapes {
			shapes[i].Friction = friction
		}
		// each body moves like a part of a rigid body that spins about the origin
		bodies = append(bodies, x.made(world.BodyDef{
			Kind: world.Dynamic, Position: at, Angle: angle, Velocity: world.Vec{X: -spin * at.Y, Y: spin * at.X}, AngularVelocity: spin, Shapes: shapes,
		}))
	}
	wide := 1.5 + r.Float64()
	add(world.Vec{}, 0, slab(wide, 0, .1, wide), slab(-wide, 0, .1, wide), slab(0, wide, wide, .1), slab(0, -wide, wide, .1))
	for i := range 1 + r.IntN(4) {
		add(world.Vec{X: -.9 + .6*float64(i), Y: .3 * r.NormFloat64()}, r.Float64(), hull(r, .1+.1*r.Float64()))
	}
	was := x.closed(bodies)
	radius := wide * math.Sqrt2
	for i := range 300 {
		x.steps(1)
		c := x.closed(bodies)
		lost := math.Abs(c.spin-was.spin) / math.Abs(was.spin)
		drift := math.Hypot(c.momentum.X-was.momentum.X, c.momentum.Y-was.momentum.Y) / (was.mass * math.Abs(spin) * radius)
		if lost > .005 || drift > 1e-4 || c.energy > 1.02*was.energy {
			t.Errorf("%v: after %d steps, a drum of %.1f m with %d bodies that spins at %.1f rad/s (friction %.2f) has lost %.2f %% of its spin and %.4f %% of its momentum, and has %.2f %% of its energy",
				way, i+1, 2*wide, len(bodies)-1, spin, friction, 100*lost, 100*drift, 100*c.energy/was.energy)
			return
		}
	}
}

// hitAndTell throws a body at a wall. Each ContactBegin must have the impulse of its
// impact, and the impulses of the events must add up to the momentum that the body loses.
func hitAndTell(t testing.TB, r *rand.Rand, way world.Stepper) {
	t.Helper()
	x := newSituation(t, world.Config{Stepper: way, NoGravity: true, NoSleep: true, Workers: 1})
	defer x.sim.Close()
	x.rate = []float64{30, 60, 240}[r.IntN(3)]
	speed, at := .2+5*r.Float64()*r.Float64(), 1+r.Float64()
	shape := hull(r, .2)
	shape.Friction, shape.Restitution = 0, float64(r.IntN(2))*r.Float64()
	b := x.made(world.BodyDef{Kind: world.Dynamic, FixedRotation: true, Velocity: world.Vec{X: speed}, Shapes: []world.ShapeDef{shape}})
	x.body(world.Static, world.Vec{X: at}, world.Box(.2, 3))
	mass := x.info(b).Mass
	for range int(1.5 * at / speed * x.rate) {
		x.steps(1)
		lost := mass * (speed - x.info(b).Velocity.X)
		if begins := x.told(world.ContactBegin); begins > 0 {
			e := x.events[0]
			if math.Abs(e.Contact.TotalImpulse-lost) > .01*mass*speed+1e-6 || e.Contact.Impulse > e.Contact.TotalImpulse+1e-9 || !(e.Contact.Impulse > 0) {
				t.Errorf("%v: at %.0f Hz a body at %.2f m/s is told to hit with %.4f N·s, %.4f in all, and has lost %.4f", way, x.rate, speed, e.Contact.Impulse, e.Contact.TotalImpulse, lost)
			}
			return
		}
		if lost > 1e-6 {
			t.Errorf("%v: at %.0f Hz a body at %.2f m/s was stopped by %.4f N·s, and nothing was told", way, x.rate, speed, lost)
			return
		}
	}
	t.Errorf("%v: at %.0f Hz a body at %.2f m/s hits no wall", way, x.rate, speed)
}
