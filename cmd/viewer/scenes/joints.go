package scenes

import (
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "joints",
		Description: "each of Box2D's eleven joints at work; the bodies are named after them",
		Config:      config(joints),
		View:        View{X: 9, Y: 6.2, Width: 25, Height: 19.6},
		Labels:      jointLabels(),
		Track:       "revolute",
		Category:    Machines,
		Params:      []Param{millSpeed, springRate},
	})
}

var (
	millSpeed  = Param{Name: "mill speed", Unit: "rad/s", Min: -8, Max: 8, Default: 2, Step: .5}
	springRate = Param{Name: "spring", Unit: "Hz", Min: .3, Max: 6, Default: .9, Step: .1}
)

// joints shows each kind of joint in a bay of its own. There are four bays in a row. The
// wall is static, and is the first body of most joints.
func joints(b *builder) {
	wall := b.static("wall")
	exhibits := []func(b *builder, wall world.Body, at vec){
		revoluteBay, prismaticBay, distanceBay, pulleyBay,
		mouseBay, gearBay, wheelBay, weldBay,
		frictionBay, ropeBay, motorBay,
	}
	for i, show := range exhibits {
		show(b, wall, bay(i))
	}
}

// bay returns the middle of the bay of the i-th joint.
func bay(i int) vec { return vec{X: 6 * float64(i%4), Y: 13 - 6.5*float64(i/4)} }

func jointLabels() (all []Label) {
	for i, text := range [...]string{"revolute", "prismatic", "distance", "pulley",
		"mouse", "gear", "wheel", "weld", "friction", "rope", "motor"} {
		at := bay(i)
		all = append(all, Label{at.X, at.Y - 2.9, text})
	}
	return all
}

// peg draws the point of the wall to which a joint is attached.
func peg(b *builder, wall world.Body, at vec) {
	b.shape(wall, world.ShapeDef{Points: []vec{at}, Radius: .12, Filter: world.Filter{Category: 1 << 15}})
}

func shelf(b *builder, wall world.Body, x, y, hx float64) {
	b.shape(wall, rough(boxAt(x, y, hx, .1, 0), .6))
}

func plus(at vec, x, y float64) vec { return vec{X: at.X + x, Y: at.Y + y} }

func revoluteBay(b *builder, wall world.Body, at vec) {
	peg(b, wall, at)
	mill := b.dynamic("revolute", at, boxAt(0, 0, 1.9, .15, 0), boxAt(0, 0, .15, 1.9, 0))
	j := b.at(at, world.JointDef{Kind: world.RevoluteJoint, A: wall, B: mill,
		EnableMotor: true, MotorSpeed: 2, MaxMotorForce: 200, Name: "revolute"})
	b.param(millSpeed, func(w *world.World, speed float64) { w.SetMotor(j, true, speed, 200) })
}

func prismaticBay(b *builder, wall world.Body, at vec) {
	peg(b, wall, plus(at, 0, 2))
	lift := b.dynamic("prismatic", plus(at, 0, -1.8), rough(world.Box(1.3, .2), .6))
	b.dynamic("load", plus(at, -.4, -1.1), rough(world.Box(.4, .4), .6))
	b.dynamic("load", plus(at, .5, -1.2), rough(world.Box(.3, .3), .6))
	j := b.at(plus(at, 0, -1.8), world.JointDef{Kind: world.PrismaticJoint, A: wall, B: lift, AxisA: vec{Y: 1},
		EnableLimit: true, Upper: 2.6, EnableMotor: true, MaxMotorForce: 200, Name: "prismatic"})
	b.every(2, func(w *world.World, n int) { w.SetMotor(j, true, [...]float64{1.6, -1.6}[n%2], 200) })
}

// distanceBay has a weight on a soft spring, and a weight on a rigid rod. From time to time
// the first weight is kicked.
func distanceBay(b *builder, wall world.Body, at vec) {
	for i, x := range [...]float64{-1.2, 1.2} {
		from := plus(at, x, 2)
		peg(b, wall, from)
		d := world.JointDef{Kind: world.DistanceJoint, A: wall, Length: 2.2, Name: "distance"}
		if i == 0 {
			d.B = b.dynamic("distance", plus(at, x, -.9), world.Box(.45, .45))
			d.Frequency = .9
			b.every(4, func(w *world.World, n int) { kick(w, d.B, 0, -4) })
		} else {
			d.B = b.dynamic("rod", plus(at, x+1.1, .1), world.Box(.35, .35))
		}
		d.AnchorA = from
		if j := b.joint(d); i == 0 {
			b.param(springRate, func(w *world.World, rate float64) { w.SetSpring(j, rate, 0) })
		}
	}
}

// pulleyBay has two weights that hang over two wheels. The left weight is pulled down and
// released.
func pulleyBay(b *builder, wall world.Body, at vec) {
	left := b.dynamic("pulley", plus(at, -1.3, -.6), world.Box(.5, .5))
	right := b.dynamic("counterweight", plus(at, 1.3, -.6), world.Box(.5, .5))
	over := [...]vec{plus(at, -1.3, 2), plus(at, 1.3, 2)}
	peg(b, wall, over[0])
	peg(b, wall, over[1])
	b.joint(world.JointDef{Kind: world.PulleyJoint, A: left, B: right,
		AnchorA: vec{Y: .5}, AnchorB: vec{Y: .5}, GroundA: over[0], GroundB: over[1], Name: "pulley"})
	t := 0.0
	b.w.Keep(&t)
	b.control(func(w *world.World, dt float64) {
		t += dt
		w.Force(left, vec{Y: -3.2 * math.Cos(2*math.Pi*t/4)})
	})
}

func mouseBay(b *builder, _ world.Body, at vec) {
	corner := func(n int) vec {
		return plus(at, [...]float64{-1.3, 1.3, 1.3, -1.3}[n%4], [...]float64{-1, -1, 1.4, 1.4}[n%4])
	}
	n := b.dynamic("mouse", corner(0), world.Box(.6, .35))
	j := b.joint(world.JointDef{Kind: world.MouseJoint, B: n, Target: plus(corner(0), .45, .2),
		MaxForce: 200, Frequency: 2, Damping: .5, Name: "mouse"})
	b.every(1.5, func(w *world.World, n int) { w.SetTarget(j, plus(corner(n), .45, .2)) })
}

// gearBay has a wheel that drives a rack and a wheel of half its size.
func gearBay(b *builder, wall world.Body, at vec) {
	const r = 1.0
	alone := world.Filter{Category: 1 << 1, Mask: 1 << 2} // this shape collides with no other shape of the scene
	disc := func(name string, at vec, radius float64) (world.Body, world.Joint) {
		peg(b, wall, at)
		s := world.Circle(radius)
		s.Filter = alone
		n := b.dynamic(name, at, s)
		return n, b.at(at, world.JointDef{Kind: world.RevoluteJoint, A: wall, B: n})
	}
	_, turn1 := disc("gear", at, r)
	_, turn2 := disc("pinion", plus(at, 1.5*r, 0), r/2)
	bar := world.Box(1.4, .12)
	bar.Filter = alone
	rack := b.dynamic("rack", plus(at, 0, -r-.12), bar)
	slide := b.at(plus(at, 0, -r-.12), world.JointDef{Kind: world.PrismaticJoint, A: wall, B: rack,
		EnableLimit: true, Lower: -1.2, Upper: 1.2})
	// Both rims move at the same speed, because a gear keeps coordinate 1 + Ratio ×
	// coordinate 2 constant.
	b.joint(world.JointDef{Kind: world.GearJoint, Joint1: turn1, Joint2: turn2, Ratio: .5, Name: "gear"})
	b.joint(world.JointDef{Kind: world.GearJoint, Joint1: turn1, Joint2: slide, Ratio: -1 / r})
	b.every(2, func(w *world.World, n int) { w.SetMotor(turn1, true, [...]float64{1, -1}[n%2], 100) })
}

// wheelBay has a cart with suspension. The cart drives back and forth over a bump.
func wheelBay(b *builder, wall world.Body, at vec) {
	shelf(b, wall, at.X, at.Y-1.6, 2.6)
	shelf(b, wall, at.X, at.Y-1.45, .5)
	b.shape(wall, boxAt(at.X-2.5, at.Y-1.2, .1, .3, 0))
	b.shape(wall, boxAt(at.X+2.5, at.Y-1.2, .1, .3, 0))
	cart := b.dynamic("wheel", plus(at, 0, -.6), world.Box(.8, .2))
	var motors []world.Joint
	for _, x := range [...]float64{-.6, .6} {
		axle := plus(at, x, -.95)
		n := b.dynamic("tyre", axle, rough(world.Circle(.35), .9))
		motors = append(motors, b.at(axle, world.JointDef{Kind: world.WheelJoint, A: cart, B: n,
			AxisA: vec{Y: 1}, Frequency: 4, Damping: .7, Name: "wheel"}))
	}
	b.every(1.5, func(w *world.World, n int) {
		for _, j := range motors {
			w.SetMotor(j, true, [...]float64{-5, 5}[n%2], 3)
		}
	})
}

// weldBay has a springboard made of planks. The welds between the planks are slightly
// elastic.
func weldBay(b *builder, wall world.Body, at vec) {
	peg(b, wall, plus(at, -2, 0))
	last := wall
	for i := range 5 {
		x := -1.6 + .8*float64(i)
		name := "plank"
		if i == 4 {
			name = "weld"
		}
		n := b.dynamic(name, plus(at, x, 0), world.Box(.4, .1))
		b.at(plus(at, x-.4, 0), world.JointDef{Kind: world.WeldJoint, A: last, B: n,
			Frequency: 14, Damping: .05, Name: "weld"})
		last = n
	}
	b.every(3, func(w *world.World, n int) { kick(w, last, 0, 12) })
}

// frictionBay has a puck on a table, seen from above. When it is pushed, it slides until
// friction stops it.
func frictionBay(b *builder, wall world.Body, at vec) {
	x, y := at.X, at.Y-.3
	for _, s := range [...]world.ShapeDef{
		boxAt(x-2.4, y, .1, 1.7, 0), boxAt(x+2.4, y, .1, 1.7, 0),
		boxAt(x, y-1.7, 2.5, .1, 0), boxAt(x, y+1.7, 2.5, .1, 0),
	} {
		b.shape(wall, bouncy(s, .8))
	}
	puck := b.body(world.BodyDef{Name: "friction", Kind: world.Dynamic, Position: vec{X: x, Y: y}, NoGravity: true,
		Shapes: []world.ShapeDef{regular(6, .45)}})
	b.joint(world.JointDef{Kind: world.FrictionJoint, A: wall, B: puck, AnchorA: vec{X: x, Y: y},
		CollideConnected: true, MaxForce: 2, MaxTorque: .2, Name: "friction"})
	b.every(2.5, func(w *world.World, n int) {
		sin, cos := math.Sincos(2.4 * float64(n))
		kick(w, puck, 6*cos, 6*sin)
		w.SetAngularVelocity(puck, 4)
	})
}

// ropeBay has a ball on a rope. When the ball is thrown up, it is free until the rope is
// taut.
func ropeBay(b *builder, wall world.Body, at vec) {
	peg(b, wall, plus(at, 0, 1.6))
	ball := b.dynamic("rope", plus(at, 1.2, 1.6), world.Circle(.4))
	b.joint(world.JointDef{Kind: world.RopeJoint, A: wall, B: ball, AnchorA: plus(at, 0, 1.6), MaxLength: 3, Name: "rope"})
	b.every(3, func(w *world.World, n int) {
		if n > 0 {
			kick(w, ball, [...]float64{2.5, -2.5}[n%2], 6)
		}
	})
}

// motorBay has a box that a motor drives along a figure of eight. A motor joint connects
// the origins of two bodies, so there is a body at that point of the wall.
func motorBay(b *builder, _ world.Body, at vec) {
	base := b.body(world.BodyDef{Name: "base", Position: at})
	peg(b, base, vec{})
	box := b.dynamic("motor", at, world.Box(.6, .3))
	j := b.joint(world.JointDef{Kind: world.MotorJoint, A: base, B: box,
		MaxForce: 300, MaxTorque: 300, Name: "motor"})
	t := 0.0
	b.w.Keep(&t)
	b.control(func(w *world.World, dt float64) {
		t += dt
		w.SetMotorOffset(j, vec{X: 1.7 * math.Sin(1.5*t), Y: 1.2 * math.Sin(3*t)}, 2*t)
	})
}

// kick changes a body's velocity. The change is in m/s.
func kick(w *world.World, n world.Body, x, y float64) {
	if b, err := w.Body(n); err == nil {
		w.Impulse(n, vec{X: b.Mass * x, Y: b.Mass * y})
	}
}
