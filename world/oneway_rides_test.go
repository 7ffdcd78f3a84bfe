package world_test

import (
	"fmt"
	"math"
	"testing"

	"halfstep/world"
)

// godot issues 9399, 23860 and 43229: a body on a moving one-way platform fell
// through it. This happened while the platform rose, with another body on top, or
// when another body jumped over.
func TestWhoStandsOnAOneWayLiftStaysOnIt(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, v := range []world.Vec{{Y: 3}, {Y: -2}, {X: 3}, {X: 2, Y: 2}} {
			x := newSituation(t, world.Config{Stepper: s})
			d := world.Box(4, .1)
			d.OneWay, d.Friction = world.Vec{Y: 1}, 1
			lift := x.body(world.Kinematic, world.Vec{}, d)
			low, high := x.body(world.Dynamic, world.Vec{Y: .6}, world.Box(.5, .5)), x.body(world.Dynamic, world.Vec{Y: 1.5}, world.Circle(.4))
			jumper := x.body(world.Dynamic, world.Vec{X: 1.5, Y: .6}, world.Box(.4, .5))
			must(0, x.SetFixedRotation(jumper, true))
			must(0, x.SetFixedRotation(high, true))
			x.steps(60)
			must(0, x.SetVelocity(lift, v))
			x.steps(20)
			i := x.info(jumper)
			must(0, x.SetVelocity(jumper, world.Vec{X: i.Velocity.X - 2.2, Y: i.Velocity.Y + 9}))
			x.steps(150)
			at := x.info(lift)
			for name, b := range map[string]world.Body{"who stood on it": low, "who stood on that": high, "who jumped over": jumper} {
				p := at.LocalPoint(x.info(b).Position)
				if math.Abs(p.X) < 4.5 {
					x.between(fmt.Sprintf("%s, over a lift that moves at %v", name, v), p.Y, .4, 3)
				}
			}
			x.between(fmt.Sprintf("who stood on a lift that moves at %v: y", v), at.LocalPoint(x.info(low).Position).Y, .58, .63)
		}
	})
}

// godot issue 46846: the side of a one-way platform stopped a body that fell past its
// end.
func TestTheSideOfAOneWayPlatformStopsNobody(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, vy := range []float64{0, -.5, -2} {
			x := newSituation(t, world.Config{Stepper: s, NoGravity: true})
			d := world.Box(2, .5)
			d.OneWay = world.Vec{Y: 1}
			x.body(world.Static, world.Vec{}, d)
			b := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: -4}, Velocity: world.Vec{X: 5, Y: vy}, Shapes: []world.ShapeDef{world.Circle(.3)}})
			x.steps(90)
			x.between("x", x.info(b).Position.X, 3.49, 3.51)
			x.between("y", x.info(b).Position.Y, 1.5*vy-.01, 1.5*vy+.01)
			x.between("contacts told", float64(x.told(world.ContactBegin)), 0, 0)
		}
	})
}

func TestATeleportEndsADropThrough(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		shelf := world.Box(2, .1)
		shelf.OneWay = world.Vec{Y: 1}
		for _, to := range []world.Vec{{X: 10, Y: .62}, {X: .1, Y: .61}, {X: 1.9, Y: .62}} {
			x := newSituation(t, world.Config{Stepper: s})
			x.body(world.Static, world.Vec{}, shelf)
			x.body(world.Static, world.Vec{X: 10}, shelf)
			b := x.body(world.Dynamic, world.Vec{Y: .6}, world.Box(.5, .5))
			x.steps(30)
			x.worked(x.DropThrough(b))
			x.worked(x.Teleport(b, to, 0))
			x.steps(60)
			x.between("its height on a shelf", x.info(b).Position.Y, .58, .63)
		}
	})
}

// A body comes up through a one-way shape. It comes to rest on the shape before it
// has left it. Then it lands like any other body, with an impulse.
func TestWhatPassedAndIsHeldThenTellsHowHardItLanded(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		shelf := world.Box(2, .1)
		shelf.OneWay = world.Vec{Y: 1}
		begun := 0
		for depth := .002; depth < .06; depth += .004 { // sub-steps go higher
			for _, d := range []world.ShapeDef{world.Circle(.3), world.Box(.3, .3)} {
				x := newSituation(t, world.Config{Stepper: s})
				x.body(world.Static, world.Vec{}, shelf)
				up := .1 + .3 - depth + 1
				x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: -1}, Velocity: world.Vec{Y: math.Sqrt(20*up) + 10./120}, Shapes: []world.ShapeDef{d}})
				x.steps(60)
				for _, e := range x.events {
					if e.Kind == world.ContactBegin {
						begun++
						if e.Contact.Impulse == 0 {
							t.Errorf("%v, %.3f m deep: it lands with an impulse of 0", d.Kind, depth)
						}
					}
				}
			}
		}
		if begun < 5 {
			t.Errorf("only %d have landed", begun)
		}
	})
}
