package engine_test

import (
	"math"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/world"
)

// bevy_transform_interpolation PR 4 brought Hermite curves to another engine. A turning
// body must be shown on its circle with every stepper. Depending on the stepper, a
// velocity belongs to the start or to the end of its step.
func TestHermiteShowsWhatTurnsOnItsCircle(t *testing.T) {
	norace.Only(t)
	pivot := world.Vec{Y: 20}
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		off := func(mode body2d.Smoothing) float64 {
			least, most := math.Inf(1), 0.0 // the least and greatest distance from the pivot; a joint of the soft step yields a little
			e := start(t, engine.Config{
				World: world.Config{Stepper: stepper}, Time: engine.Time{Sync: renderloop.Lockstep, Smoothing: mode},
				Setup: func(w *world.World) error {
					post, err := w.CreateBody(world.BodyDef{Position: pivot})
					if err != nil {
						return err
					}
					arm, err := w.CreateBody(world.BodyDef{
						Name: "arm", Kind: world.Dynamic, Position: world.Vec{X: 2.5, Y: 20}, NoSleep: true,
						Shapes: []world.ShapeDef{world.Box(2.5, .1)},
					})
					if err != nil {
						return err
					}
					_, err = w.CreateJoint(world.JointDef{
						Kind: world.RevoluteJoint, A: post, B: arm, AnchorB: world.Vec{X: -2.5}, EnableMotor: true, MotorSpeed: 10, MaxMotorForce: 1e7,
					})
					return err
				},
			})
			for f := range 480 {
				e.Advance(time.Second / 240)
				arm, _ := e.Find("arm")
				p, ok := e.Pose(arm)
				if !ok || f < 240 {
					continue
				}
				tip := world.Vec{X: p.CentreX + 2.5*math.Cos(p.Angle), Y: p.CentreY + 2.5*math.Sin(p.Angle)}
				r := math.Hypot(tip.X-pivot.X, tip.Y-pivot.Y)
				least, most = min(least, r), max(most, r)
			}
			return most - least
		}
		line, curve := off(body2d.Interpolate), off(body2d.Hermite)
		t.Logf("%v: %.2f mm off the circle on a straight line, %.2f with Hermite", stepper, 1e3*line, 1e3*curve)
		if curve > 1.2e-3 || curve > line/7 {
			t.Errorf("%v: %.2f mm off the circle, %.2f on a straight line", stepper, 1e3*curve, 1e3*line)
		}
	}
}

// Bodies that fly, roll, slide and bounce are shown no farther from their paths than
// with straight lines, except by invisible amounts.
func TestHermiteIsNotWorseThanALineWhereNothingTurns(t *testing.T) {
	norace.Only(t)
	bouncy := world.Circle(.5)
	bouncy.Restitution = .8
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		for name, d := range map[string]world.BodyDef{
			"a box that flies":    {Position: world.Vec{Y: 300}, Velocity: world.Vec{X: 10, Y: 20}, AngularVelocity: 5, Shapes: []world.ShapeDef{world.Box(.5, .5)}},
			"a wheel that rolls":  {Position: world.Vec{X: -50, Y: .5}, Velocity: world.Vec{X: 10}, AngularVelocity: -20, Shapes: []world.ShapeDef{world.Circle(.5)}},
			"a box that slides":   {Position: world.Vec{X: -50, Y: .5}, Velocity: world.Vec{X: 10}, Shapes: []world.ShapeDef{world.Box(.5, .5)}},
			"a box that lies":     {Position: world.Vec{Y: .5}, NoSleep: true, Shapes: []world.ShapeDef{world.Box(.5, .5)}},
			"a ball that bounces": {Position: world.Vec{Y: 3}, Shapes: []world.ShapeDef{bouncy}},
		} {
			off := func(mode body2d.Smoothing) (most float64) {
				e := start(t, engine.Config{
					World: world.Config{Stepper: stepper}, Time: engine.Time{Sync: renderloop.Lockstep, Smoothing: mode},
					Setup: func(w *world.World) error {
						_, err := w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Edge(world.Vec{X: -500}, world.Vec{X: 500})}})
						if err == nil {
							d.Name, d.Kind = "it", world.Dynamic
							_, err = w.CreateBody(d)
						}
						return err
					},
				})
				// The reference path between two ticks is the cubic curve through them and their
				// neighbours.
				var at []engine.Pose
				for range 8 * 150 {
					e.Advance(time.Second / 480)
					it, _ := e.Find("it")
					p, _ := e.Pose(it)
					at = append(at, p)
				}
				for i := 8*30 - 1; i+16 < len(at); i += 8 { // at ticks
					y0, y1, y2, y3 := at[i-8].CentreY, at[i].CentreY, at[i+8].CentreY, at[i+16].CentreY
					if bend := 2 * 10. / 3600; math.Abs(y0-2*y1+y2) > bend || math.Abs(y1-2*y2+y3) > bend {
						continue // a bounce
					}
					for j := 1; j < 8; j++ {
						s := float64(j) / 8
						path := -s*(s-1)*(s-2)/6*y0 + (s+1)*(s-1)*(s-2)/2*y1 - (s+1)*s*(s-2)/2*y2 + (s+1)*s*(s-1)/6*y3
						most = max(most, math.Abs(at[i+j].CentreY-path))
					}
				}
				return most
			}
			line, curve := off(body2d.Interpolate), off(body2d.Hermite)
			t.Logf("%v, %s: %.3f mm on straight lines, %.3f with Hermite", stepper, name, 1e3*line, 1e3*curve)
			// in the soft step a wheel that rolls fast has a downward velocity
			if curve > line && curve > .25e-3 {
				t.Errorf("%v, %s: %.3f mm, and on straight lines %.3f", stepper, name, 1e3*curve, 1e3*line)
			}
		}
	}
}
