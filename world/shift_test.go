package world_test

import (
	"math"
	"testing"

	"halfstep/world"
)

// A shift of the origin moves every body. If all touching bodies move together, no
// contact ends or begins, and no body jumps. Sleepers wake.
func TestAStackThatIsShiftedAsOneStaysAsItIs(t *testing.T) {
	withEach(t, func(t *testing.T, stepper world.Stepper) {
		for _, sleeps := range []bool{false, true} {
			build := func() (*situation, []world.Body) {
				x := newSituation(t, world.Config{Stepper: stepper})
				bodies := []world.Body{x.body(world.Static, world.Vec{Y: -.5}, world.Box(10, .5))}
				for i := range 6 {
					bodies = append(bodies, x.made(world.BodyDef{
						Kind: world.Dynamic, Position: world.Vec{Y: .5 + float64(i)}, NoSleep: !sleeps, Shapes: []world.ShapeDef{world.Box(.5, .5)},
					}))
				}
				a := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 4, Y: .5}, NoSleep: !sleeps, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
				b := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 5.5, Y: .5}, NoSleep: !sleeps, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
				x.joint(world.JointDef{Kind: world.RevoluteJoint, A: a, B: b, AnchorA: world.Vec{X: .75}, AnchorB: world.Vec{X: -.75}})
				bodies = append(bodies, a, b)
				x.steps(300)
				x.events = nil
				return x, bodies
			}
			stays, at := build()
			moves, bodies := build()
			for i, b := range bodies {
				_ = stays.SetAwake(at[i], true)
				if err := moves.Shift(b, world.Vec{X: 100}); err != nil {
					t.Fatal(err)
				}
			}
			for step := range 30 {
				stays.steps(1)
				moves.steps(1)
				for i, b := range bodies {
					is, _ := moves.Body(b)
					was, _ := stays.Body(at[i])
					if off := math.Hypot(is.Position.X-100-was.Position.X, is.Position.Y-was.Position.Y); off > 1e-4 {
						t.Fatalf("asleep %v, step %d: body %d is %v m off", sleeps, step, i, off)
					}
				}
			}
			for _, e := range moves.events {
				if e.Kind == world.ContactBegin || e.Kind == world.ContactEnd {
					t.Errorf("asleep %v: %v", sleeps, e.Kind)
				}
			}
		}
	})
}
