package world_test

import (
	"fmt"
	"math"
	"testing"

	"halfstep/world"
)

func bouncy(d world.ShapeDef, restitution, friction float64) world.ShapeDef {
	d.Restitution, d.Friction = restitution, friction
	return d
}

// matter-js issue 330: a box with a restitution of 0.3 did not come straight back up from a
// static ground, and its path depended on the width of the ground.
func TestABoxThatLandsFlatBouncesStraightUp(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, half := range []float64{.3, 1, 50} {
			x := newSituation(t, world.Config{Stepper: s})
			x.body(world.Static, world.Vec{Y: -1}, world.Box(half, 1))
			b := x.body(world.Dynamic, world.Vec{Y: 3.5}, bouncy(world.Box(.5, .5), .3, .2))
			x.steps(44) // the box falls for 0.775 s
			top := 0.
			for range 40 {
				x.steps(1)
				top = math.Max(top, x.info(b).Position.Y-.5)
				x.between("x", x.info(b).Position.X, -.005, .005)
				x.between("its angle", x.info(b).Angle, -.01, .01)
			}
			x.between("the height of its bounce", top, .2, .36) // 3 m times 0.3²
		}
	})
}

// planck.js issue 223 and rapier issue 97: a ball with a restitution of 1 bounced higher and
// higher, depending on the place of the floor and on the gravity.
func TestABallThatLosesNothingNeverBouncesHigher(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, floor := range []float64{-1, 0, .37, 200} {
			for _, g := range []float64{-10, -9.81, -1.62, -30} {
				x := newSituation(t, world.Config{Stepper: s, Gravity: world.Vec{Y: g}})
				x.body(world.Static, world.Vec{Y: floor - 1}, world.Box(20, 1))
				b := x.body(world.Dynamic, world.Vec{Y: floor + 4.5}, bouncy(world.Circle(.5), 1, 0))
				x.steps(30)
				top := 0.
				for range 1200 {
					x.steps(1)
					if i := x.info(b); i.Velocity.Y < 0 {
						continue
					} else {
						top = math.Max(top, i.Position.Y-floor-.5)
					}
				}
				x.between(fmt.Sprintf("the greatest height over a floor at %g m with %g m/s²", floor, g), top, 2, 4.2)
			}
		}
	})
}

// p2.js issue 138: a box without restitution touched the floor twice.
func TestABoxWithoutRestitutionTouchesOnce(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for h := .2; h < 6; h += .37 {
			x := newSituation(t, world.Config{Stepper: s})
			x.body(world.Static, world.Vec{Y: -1}, world.Box(20, 1))
			x.body(world.Dynamic, world.Vec{Y: .5 + h}, world.Box(.5, .5))
			x.steps(240)
			x.between(fmt.Sprintf("how often it touched from %.2f m", h), float64(x.told(world.ContactBegin)), 1, 1)
		}
	})
}

// kaplay issue 958: a small ball lies on a large one, and both fall. By momentum and
// restitution the small ball must fly up nearly three times as fast, and so nine times as
// high.
func TestASmallBallOnALargeOneIsThrownUp(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s})
		x.body(world.Static, world.Vec{Y: -1}, bouncy(world.Box(20, 1), 1, 0))
		large := bouncy(world.Circle(.5), 1, 0)
		large.Density = 10
		x.body(world.Dynamic, world.Vec{Y: 1.5}, large)
		small := x.body(world.Dynamic, world.Vec{Y: 2.4}, bouncy(world.Circle(.1), 1, 0))
		top := 0.
		for range 150 {
			x.steps(1)
			top = math.Max(top, x.info(small).Position.Y-1.1)
		}
		x.between("how high the small ball comes, fallen from 1.3 m", top, 5, 12)
	})
}

// matter-js issues 21 and 928: with no friction and a restitution of 1 a disc lost speed at
// each wall.
func TestADiscInARoomKeepsItsSpeed(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s, NoGravity: true})
		x.body(world.Static, world.Vec{}, world.ClosedChain(world.Vec{X: -4, Y: -3}, world.Vec{X: 4, Y: -3}, world.Vec{X: 4, Y: 3}, world.Vec{X: -4, Y: 3}))
		b := x.made(world.BodyDef{Kind: world.Dynamic, Velocity: world.Vec{X: 5, Y: 3.3}, Shapes: []world.ShapeDef{bouncy(world.Circle(.5), 1, 0)}})
		for range 30 {
			x.steps(60)
			v := x.info(b).Velocity
			x.between("its speed", math.Hypot(v.X, v.Y), .99*math.Hypot(5, 3.3), 1.01*math.Hypot(5, 3.3))
		}
	})
}

// solver2d issue 19: two equal balls that touch already and move against each other stopped.
// With a restitution of 1 they exchange their velocities.
func TestBallsThatTouchAlreadyBounceOff(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s, NoGravity: true})
		make := func(at, v float64) world.Body {
			return x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: at}, Velocity: world.Vec{X: v}, Shapes: []world.ShapeDef{bouncy(world.Circle(.5), 1, 0)}})
		}
		a, b := make(-.5, 2), make(.5, -2)
		x.steps(10)
		x.between("the left one's velocity", x.info(a).Velocity.X, -2.02, -1.98)
		x.between("the right one's velocity", x.info(b).Velocity.X, 1.98, 2.02)
	})
}

// box2d issue 497: a ball that a strong gravity pulls onto a static box, 120 steps a second
// and with a high restitution, hit with an impulse of 0.
func TestAHitTellsTheImpulseThatTurnedTheBallRound(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, g := range []float64{-10, -100} {
			for h := 1.; h < 3; h += .113 {
				x := newSituation(t, world.Config{Stepper: s, Gravity: world.Vec{Y: g}})
				x.rate = 120
				x.body(world.Static, world.Vec{Y: -1}, world.Box(20, 1))
				b := x.body(world.Dynamic, world.Vec{Y: h}, bouncy(world.Circle(.2), .9, .2))
				before := 0.
				for x.told(world.ContactBegin) == 0 && x.Tick() < 200 {
					before = x.info(b).Velocity.Y
					x.steps(1)
				}
				change := x.info(b).Mass * (x.info(b).Velocity.Y - before - g/120)
				x.between(fmt.Sprintf("the impulse told, of that which acted, from %.2f m with %g m/s²", h, g), x.events[0].Impulse/change, .98, 1.02)
			}
		}
	})
}

// matter-js issue 710: a slow ball with a restitution of 1 stopped at a wall. Box2D 2.4.1
// and v3 have the limit of 1 m/s that the guide describes.
func TestABallBouncesFromOneMetreASecondOn(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for v, after := range map[float64]float64{.9: 0, 1.1: -1.1} {
			x := newSituation(t, world.Config{Stepper: s, NoGravity: true})
			x.body(world.Static, world.Vec{X: 2}, world.Box(.5, 3))
			b := x.made(world.BodyDef{Kind: world.Dynamic, Velocity: world.Vec{X: v}, Shapes: []world.ShapeDef{bouncy(world.Circle(.5), 1, 0)}})
			x.steps(180)
			x.between(fmt.Sprintf("the velocity after an impact at %g m/s", v), x.info(b).Velocity.X, after-1e-6, after+1e-6)
		}
	})
}
