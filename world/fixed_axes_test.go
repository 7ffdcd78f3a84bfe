package world

import (
	"math"
	"testing"
)

func TestABodyOfWhichAnAxisIsFixedKeepsItToTheBitAndCarriesWhatFallsOnIt(t *testing.T) {
	for _, stepper := range bothSteppers {
		for _, late := range []bool{false, true} {
			r := newRig(t, Config{Stepper: stepper, Gravity: Vec{Y: -10}})
			def := BodyDef{Kind: Dynamic, Position: Vec{Y: 2}, FixedRotation: true, FixedY: !late, Shapes: []ShapeDef{Box(2, .25)}}
			plank := r.body(def)
			if late {
				check(t, r.SetFixedAxes(plank, false, true))
			}
			crate := r.body(BodyDef{Kind: Dynamic, Position: Vec{Y: 6}, Shapes: []ShapeDef{Box(.5, .5)}})
			r.start()
			for range 180 {
				r.run(1)
				if y := r.at(plank).Y; y != 2 {
					t.Fatalf("%v, late %v: the plank is at %v", stepper, late, y)
				}
			}
			if y := r.at(crate).Y; math.Abs(y-2.75) > .02 {
				t.Errorf("%v, late %v: the crate lies at %v", stepper, late, y)
			}
			// The plank can still move along the other axis, with the crate.
			r.apply(Command{Op: opVelocity, Body: plank, V: Vec{X: 2, Y: 5}})
			r.run(60)
			if at := r.at(plank); at.Y != 2 || at.X < .5 || r.at(crate).X < .5 {
				t.Errorf("%v, late %v: the plank is at %v and the crate at %v", stepper, late, at, r.at(crate))
			}
			r.apply(Command{Op: opSetFixedAxes, Body: plank})
			r.run(60)
			if at := r.at(plank); at.Y > -2 {
				t.Errorf("%v, late %v: let go, the plank is at %v", stepper, late, at)
			}
		}
	}
}

func TestNothingPushesABodyOffAnAxisThatIsFixed(t *testing.T) {
	for _, stepper := range bothSteppers {
		r := newRig(t, Config{Stepper: stepper, Gravity: Vec{Y: -10}})
		r.body(BodyDef{Shapes: []ShapeDef{Edge(Vec{X: -9, Y: 9}, Vec{X: 9, Y: -9})}})
		slides := r.body(BodyDef{Kind: Dynamic, Position: Vec{Y: 8}, FixedX: true, Bullet: true, Shapes: []ShapeDef{Circle(.5)}})
		hangs := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 5, Y: 5}, FixedX: true, Shapes: []ShapeDef{Circle(.5)}})
		swings := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 7, Y: 5}, Velocity: Vec{Y: 3}, Shapes: []ShapeDef{Circle(.5)}})
		r.joint(JointDef{Kind: DistanceJoint, A: hangs, B: swings, Length: 2})
		r.start()
		for i := range 240 {
			if i == 30 {
				r.body(BodyDef{Kind: Dynamic, Position: Vec{X: -8, Y: 1}, Velocity: Vec{X: 90}, Bullet: true, Shapes: []ShapeDef{Circle(.3)}})
			}
			r.apply(Command{Op: opForce, Body: slides, V: Vec{X: 50}})
			r.run(1)
			if a, b := r.at(slides).X, r.at(hangs).X; a != 0 || b != 5 {
				t.Fatalf("%v, step %d: they are at %v and %v", stepper, i, a, b)
			}
		}
		// The box lies on the slope, and does not slide down.
		if y := r.at(slides).Y; math.Abs(y-.5*math.Sqrt2) > .03 {
			t.Errorf("%v: it lies at %v", stepper, y)
		}
	}
}

func TestABallBouncesOffABodyOfFixedAxesAsOffAWall(t *testing.T) {
	for _, stepper := range bothSteppers {
		r := newRig(t, Config{Stepper: stepper, NoGravity: true})
		wall, ball := Box(.5, 2), Circle(.5)
		ball.Restitution = 1
		r.body(BodyDef{Kind: Dynamic, FixedX: true, FixedY: true, FixedRotation: true, Shapes: []ShapeDef{wall}})
		b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: -3, Y: 0}, Velocity: Vec{X: 4}, Shapes: []ShapeDef{ball}})
		r.start()
		r.run(90)
		if v := r.info(b).Velocity; math.Abs(v.X+4) > .04 {
			t.Errorf("%v: it comes back at %v", stepper, v)
		}
	}
}

func TestNothingTurnsABodyOfFixedRotation(t *testing.T) {
	for _, stepper := range bothSteppers {
		r := newRig(t, Config{Stepper: stepper, Gravity: Vec{Y: -10}})
		r.body(BodyDef{Kind: Kinematic, AngularVelocity: 3, Shapes: []ShapeDef{Box(5, .1)}})
		var falls []Body
		for i := range 20 {
			falls = append(falls, r.body(BodyDef{Kind: Dynamic, Position: Vec{X: float64(i-10) / 3, Y: 4 + float64(i)}, Velocity: Vec{Y: -20}, FixedRotation: true, Shapes: []ShapeDef{Box(.1, .05)}}))
		}
		r.start()
		for step := range 120 {
			r.run(1)
			for i, b := range falls {
				if a := r.info(b).Angle; a != 0 {
					t.Fatalf("%v, step %d: body %d is turned by %v", stepper, step, i, a)
				}
			}
		}
	}
}

func TestABodyThatWasPutToSleepAsItMovedIsNotPutBackAlongAFixedAxis(t *testing.T) {
	for _, stepper := range bothSteppers {
		r := newRig(t, Config{Stepper: stepper, NoGravity: true})
		b := r.body(BodyDef{Kind: Dynamic, Velocity: Vec{X: 2, Y: 3}, Shapes: []ShapeDef{Box(.5, .5)}})
		bullet := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: .85}, Velocity: Vec{X: 2, Y: 3}, Bullet: true, Shapes: []ShapeDef{Circle(.2)}})
		r.start()
		r.run(5)
		check(t, r.SetFixedAxes(b, true, true))
		check(t, r.SetAwake(b, false))
		check(t, r.SetVelocity(bullet, Vec{X: -90}))
		was := r.at(b)
		for range 10 {
			if r.run(1); r.at(b) != was {
				t.Fatalf("%v: it was at %v and is at %v", stepper, was, r.at(b))
			}
		}
		if !r.isAwake(b) {
			t.Errorf("%v: nothing has hit it", stepper)
		}
	}
}
