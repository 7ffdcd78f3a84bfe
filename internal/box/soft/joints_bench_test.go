package soft_test

import (
	"fmt"
	"testing"

	"halfstep/internal/box/soft"

	"github.com/ByteArena/box2d"
)

// jointScenes are worlds of about 2,000 joints of one kind. Nothing in them comes to rest.
var jointScenes = map[string]func(*yard){
	"cars": func(y *yard) { // each car has two wheels with springs, motors and distant limits
		y.box(0, 2500, -1, 2510, 1, 0)
		for i := range 1000 {
			car := y.box(2, float64(5*i), 1, 1.5, .3, 100)
			for k := range 2 {
				x := float64(5*i) + float64(2*k) - 1
				wheel := y.disc(x, .4, .4, 50)
				d := box2d.MakeB2WheelJointDef()
				d.Initialize(car, wheel, box2d.B2Vec2{X: x, Y: .4}, box2d.B2Vec2{Y: 1})
				d.FrequencyHz, d.DampingRatio, d.EnableMotor, d.MotorSpeed, d.MaxMotorTorque = 4, .7, true, -2, 400
				y.CreateJoint(&d)
			}
		}
	},
	"welds": func(y *yard) { // these are planks that stick out of a wall
		y.chains(100, 20, func(a, b *box2d.B2Body, at box2d.B2Vec2) {
			d := box2d.MakeB2WeldJointDef()
			d.Initialize(a, b, at)
			y.CreateJoint(&d)
		})
	},
	"springy welds": func(y *yard) {
		y.chains(100, 20, func(a, b *box2d.B2Body, at box2d.B2Vec2) {
			d := box2d.MakeB2WeldJointDef()
			d.Initialize(a, b, at)
			d.FrequencyHz, d.DampingRatio = 10, .1
			y.CreateJoint(&d)
		})
	},
	"sliders": func(y *yard) { // telescopes
		y.chains(200, 10, func(a, b *box2d.B2Body, at box2d.B2Vec2) {
			d := box2d.MakeB2PrismaticJointDef()
			d.Initialize(a, b, at, box2d.B2Vec2{X: 1, Y: 1})
			d.EnableLimit, d.LowerTranslation, d.UpperTranslation = true, -.2, .2
			d.EnableMotor, d.MotorSpeed, d.MaxMotorForce = true, 1, 5
			y.CreateJoint(&d)
		})
	},
	"rods": func(y *yard) { // these form a net that hangs from its upper side
		const n = 32
		var net [n][n]*box2d.B2Body
		rod := func(a, b *box2d.B2Body) {
			d := box2d.MakeB2DistanceJointDef()
			d.Initialize(a, b, a.GetPosition(), b.GetPosition())
			y.CreateJoint(&d)
		}
		for i := range n {
			for k := range n {
				b := y.disc(float64(k), -float64(i), .3, 1)
				if i == 0 {
					b.SetType(0)
				} else {
					rod(net[i-1][k], b)
				}
				if k > 0 && i > 0 {
					rod(net[i][k-1], b)
				}
				net[i][k] = b
			}
		}
	},
	"hinges": func(y *yard) {
		y.chains(100, 20, func(a, b *box2d.B2Body, at box2d.B2Vec2) {
			d := box2d.MakeB2RevoluteJointDef()
			d.Initialize(a, b, at)
			d.EnableLimit, d.LowerAngle, d.UpperAngle = true, -.3, .3
			d.EnableMotor, d.MaxMotorTorque = true, .1
			y.CreateJoint(&d)
		})
	},
}

// chains makes rows of bodies. Each body is joined to the body before, and the bodies do
// not collide.
func (y *yard) chains(rows, links int, join func(a, b *box2d.B2Body, at box2d.B2Vec2)) {
	for i := range rows {
		last := y.body(0, 0, float64(20*i))
		for k := range links {
			b := y.box(2, float64(k)+.5, float64(20*i), .45, .1, 1)
			b.M_linearDamping, b.M_angularDamping = .5, .5
			b.M_fixtureList.M_filter.MaskBits = 0
			join(last, b, box2d.B2Vec2{X: float64(k), Y: float64(20 * i)})
			last = b
		}
	}
}

func BenchmarkJoints(b *testing.B) {
	for name, make := range jointScenes {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprint(name, "/", workers), func(b *testing.B) {
				w := box2d.MakeB2World(box2d.MakeB2Vec2(0, -10))
				w.SetContactFilter(&box2d.B2ContactFilter{})
				w.SetAllowSleeping(false)
				make(&yard{B2World: &w})
				s := soft.New(&w, soft.Options{Workers: workers})
				defer s.Close()
				for range 30 {
					s.Step(1./60, 8, 3)
				}
				for b.Loop() {
					s.Step(1./60, 8, 3)
				}
			})
		}
	}
}
