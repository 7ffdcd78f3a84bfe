package scenes

import (
	"math"

	"halfstep/engine"
	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "ragdolls",
		Description: "dolls of capsules fall through mills: hinges with limits bend no further than limbs do, and friction stiffens them",
		Config: func() engine.Config {
			// with the fast stepper, light limbs need more iterations than usual to stay at their
			// limits
			return engine.Config{World: world.Config{Stepper: world.SoftStep, VelocityIterations: 16, PositionIterations: 8}, Setup: build(ragdolls)}
		},
		View:     View{Y: -1, Width: 25.5, Height: 22},
		Track:    "torso",
		Category: Machines,
		Params:   []Param{jointFriction, millTurns},
	})
}

var (
	jointFriction = Param{Name: "joint friction", Unit: "N·m", Max: 5, Default: .3, Step: .1}
	millTurns     = Param{Name: "mill speed", Unit: "rad/s", Min: -6, Max: 6, Default: 1.5, Step: .5}
)

// bone is a capsule of a doll, or its head. The field hinge is the index of the bone
// from which the bone hangs, and where is the position of the hinge. The fields at and
// where are in the frame of the doll.
type bone struct {
	at           vec
	hx, hy       float64 // half the width and half the height; if hy is 0 the bone is a circle
	hinge        int
	where        vec
	lower, upper float64 // rad
}

// skeleton is a doll that stands with its arms stretched out. Its hips are at (0, 0).
var skeleton = []bone{
	{at: vec{Y: .42}, hx: .24, hy: .30},
	{at: vec{}, hx: .21, hy: .13, hinge: 0, where: vec{Y: .12}, lower: -.5, upper: .5},
	{at: vec{Y: .94}, hx: .21, hinge: 0, where: vec{Y: .73}, lower: -.5, upper: .5},
	{at: vec{X: -.44, Y: .62}, hx: .22, hy: .09, hinge: 0, where: vec{X: -.24, Y: .62}, lower: -1.5, upper: 1.3},
	{at: vec{X: -.85, Y: .62}, hx: .22, hy: .07, hinge: 3, where: vec{X: -.65, Y: .62}, lower: -.1, upper: 2.2},
	{at: vec{X: .44, Y: .62}, hx: .22, hy: .09, hinge: 0, where: vec{X: .24, Y: .62}, lower: -1.3, upper: 1.5},
	{at: vec{X: .85, Y: .62}, hx: .22, hy: .07, hinge: 5, where: vec{X: .65, Y: .62}, lower: -2.2, upper: .1},
	{at: vec{X: -.12, Y: -.35}, hx: .10, hy: .27, hinge: 1, where: vec{X: -.12, Y: -.1}, lower: -.9, upper: .3},
	{at: vec{X: -.12, Y: -.84}, hx: .08, hy: .27, hinge: 7, where: vec{X: -.12, Y: -.6}, lower: -.1, upper: 2},
	{at: vec{X: .12, Y: -.35}, hx: .10, hy: .27, hinge: 1, where: vec{X: .12, Y: -.1}, lower: -.3, upper: .9},
	{at: vec{X: .12, Y: -.84}, hx: .08, hy: .27, hinge: 9, where: vec{X: .12, Y: -.6}, lower: -2, upper: .1},
}

const (
	millTorque = 12    // N·m
	dollFloor  = -11.5 // dollFloor is the height in m below which a doll is lifted.
	dollTop    = 10.5  // dollTop is the height in m to which a doll is lifted.
)

func ragdolls(b *builder) {
	walls := b.static("walls", boxAt(-12.2, -6, .2, 5.5, 0), boxAt(12.2, -1.5, .2, 10, 0), boxAt(-8.7, 1.6, 4.4, .2, .6))
	var mills []world.Joint
	for i, at := range [...]vec{{X: -2.6, Y: 4.4}, {X: 3, Y: 4.4}, {X: 8.6, Y: 4.4},
		{X: -5.4, Y: -.2}, {X: .2, Y: -.2}, {X: 5.8, Y: -.2}, {X: -8.4, Y: -4.8}, {X: -2.6, Y: -4.8}, {X: 3, Y: -4.8}, {X: 8.6, Y: -4.8}} {
		n := b.body(world.BodyDef{Name: "mill", Kind: world.Dynamic, Position: at, Colour: rgb(0x64748b), NoSleep: true,
			Shapes: []world.ShapeDef{dense(boxAt(0, 0, 1.5, .1, 0), 3), dense(boxAt(0, 0, .1, 1.5, 0), 3)}})
		mills = append(mills, b.at(at, world.JointDef{Kind: world.RevoluteJoint, A: walls, B: n,
			EnableMotor: true, MotorSpeed: millTurns.Default * float64(1-2*(i%2)), MaxMotorForce: millTorque}))
	}
	b.param(millTurns, func(w *world.World, turns float64) {
		for i, j := range mills {
			w.SetMotor(j, true, turns*float64(1-2*(i%2)), millTorque)
		}
	})

	var dolls [][]world.Body
	var hinges []world.Joint
	for i := range 6 {
		bones, joints := doll(b, i, dollPlace(i))
		dolls, hinges = append(dolls, bones), append(hinges, joints...)
	}
	b.param(jointFriction, func(w *world.World, friction float64) {
		for _, j := range hinges {
			w.SetMotor(j, true, 0, friction)
		}
	})
	b.control(func(w *world.World, _ float64) {
		for i, bones := range dolls {
			if hips, err := w.Body(bones[0]); err == nil && hips.Position.Y < dollFloor {
				lift(w, bones, hips.Position, vec{X: dollPlace(i).X, Y: dollTop})
			}
		}
	})
}

func dollPlace(i int) vec { return vec{X: -3.2 + 2.6*float64(i), Y: 8 + 2.4*float64(i*2%3)} }

// doll makes a doll with its hips at a given position. The bones do not collide with
// each other.
func doll(b *builder, i int, hips vec) (bones []world.Body, hinges []world.Joint) {
	colour := rgb([...]uint32{0xef476f, 0xffd166, 0x06d6a0, 0x4cc9f0, 0xb388eb, 0xff9f68}[i])
	for k, s := range skeleton {
		shape := world.Circle(s.hx)
		switch end := s.hx - s.hy; {
		case s.hy == 0:
		case end > 0:
			shape = world.Capsule(vec{X: -end}, vec{X: end}, s.hy)
		default:
			shape = world.Capsule(vec{Y: end}, vec{Y: -end}, s.hx)
		}
		shape = rough(shape, .3)
		shape.Filter = world.Filter{Group: -1 - int16(i)}
		name := "bone"
		if k == 0 {
			name = "torso"
		}
		at := plus(hips, s.at.X, s.at.Y)
		n := b.body(world.BodyDef{Name: name, Kind: world.Dynamic, Position: at, Colour: colour, AngularDamping: .5,
			Shapes: []world.ShapeDef{shape}})
		bones = append(bones, n)
		if k > 0 {
			hinges = append(hinges, b.at(plus(hips, s.where.X, s.where.Y), world.JointDef{Kind: world.RevoluteJoint, A: bones[s.hinge], B: n,
				EnableLimit: true, Lower: s.lower, Upper: s.upper,
				EnableMotor: true, MaxMotorForce: jointFriction.Default}))
		}
	}
	return bones, hinges
}

// lift moves the bodies of a group by the vector from one point to another, and slows
// them down.
func lift(w *world.World, group []world.Body, from, to vec) {
	for _, n := range group {
		b, err := w.Body(n)
		if err != nil {
			continue
		}
		w.Teleport(n, plus(to, b.Position.X-from.X, b.Position.Y-from.Y), b.Angle)
		w.SetVelocity(n, vec{Y: -1})
		w.SetAngularVelocity(n, math.Max(-3, math.Min(3, b.AngularVelocity)))
	}
}
