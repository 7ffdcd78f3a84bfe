package world_test

import (
	"halfstep/world"
)

// jointDef returns a random joint of any kind except a gear. Some kinds have their anchor at the
// point at.
func (j *judged) jointDef(at world.Vec) (d world.JointDef, ok bool) {
	d.Kind = world.JointKind(j.IntN(int(world.MotorJoint) + 1))
	d.CollideConnected = j.IntN(3) == 0
	switch d.Kind {
	case world.RevoluteJoint, world.PrismaticJoint, world.WheelJoint, world.WeldJoint, world.FrictionJoint:
		d.Anchor = &at
	}
	switch d.Kind {
	case world.RevoluteJoint, world.PrismaticJoint:
		d.EnableLimit, d.Lower, d.Upper = j.IntN(2) == 0, -.2, .2
		d.EnableMotor, d.MaxMotorForce = j.IntN(3) == 0, j.span(0, 20)
		if j.IntN(3) == 0 {
			d.Frequency, d.Damping = j.span(1, 5), 1
		}
		d.AxisA = world.Vec{Y: 1}
	case world.DistanceJoint:
		if j.IntN(2) == 0 {
			d.Frequency, d.Damping = j.span(1, 5), 1
		}
	case world.RopeJoint:
		d.MaxLength = j.span(.5, 2)
	case world.WheelJoint:
		d.AxisA, d.Frequency, d.Damping = world.Vec{Y: 1}, j.span(2, 5), .8
	case world.WeldJoint:
		if j.IntN(2) == 0 {
			d.Frequency, d.Damping = j.span(2, 5), 1
		}
	case world.FrictionJoint:
		d.MaxForce, d.MaxTorque = j.span(10, 60), j.span(10, 60)
	case world.MotorJoint:
		d.LinearOffset, d.MaxForce, d.MaxTorque = j.vec(.5), 100, 100
	case world.MouseJoint:
		d.Target, d.MaxForce = at, 200
	case world.PulleyJoint:
		d.GroundA, d.GroundB = at.Add(world.Vec{X: -1, Y: 3}), at.Add(world.Vec{X: 1, Y: 3})
	default:
		return d, false
	}
	return d, true
}

// block is a shape that stands on its base without tipping.
func (j *judged) block() (d world.ShapeDef, hx, hy float64) {
	hx, hy = j.span(.2, .5), j.span(.15, .4)
	switch j.IntN(4) {
	case 0:
		d = world.Box(hx-.08, hy-.08)
		d.Radius = .08
	default:
		d = world.Box(hx, hy)
	}
	d.Friction, d.Density = j.span(.4, 1), j.span(.5, 2)
	return d, hx, hy
}

// pit makes a pit that no body can leave. Its floor is at a height of 0.
func (j *judged) pit(e *edited) world.Body {
	var shapes []world.ShapeDef
	switch j.IntN(3) {
	case 0:
		shapes = []world.ShapeDef{world.BoxAt(world.Vec{Y: -1}, 8, 1, 0)}
	case 1:
		shapes = []world.ShapeDef{world.Edge(world.Vec{X: -8}, world.Vec{X: 8})}
	default:
		shapes = []world.ShapeDef{world.Chain(world.Vec{X: 8}, world.Vec{X: 2}, world.Vec{X: -3}, world.Vec{X: -8})}
	}
	shapes[0].Friction = .7
	shapes = append(shapes, world.BoxAt(world.Vec{X: -8.5, Y: 4}, .5, 5, 0), world.BoxAt(world.Vec{X: 8.5, Y: 4}, .5, 5, 0))
	return e.made(world.BodyDef{Shapes: shapes})
}

func (j *judged) dynamicDef(at world.Vec, shapes ...world.ShapeDef) world.BodyDef {
	d := world.BodyDef{Kind: world.Dynamic, Position: at, Shapes: shapes, AngularDamping: .3}
	if j.IntN(5) == 0 {
		d.Mass = &world.Mass{Mass: j.span(.3, 2), Centre: j.vec(.05), Inertia: j.span(.05, .2)}
	}
	return d
}

// scenesToEdit are the worlds that are edited.
var scenesToEdit = []struct {
	name string
	make func(j *judged, e *edited)
}{
	{"a stack", func(j *judged, e *edited) {
		j.pit(e)
		y := 0.
		for range 1 + j.IntN(4) {
			d, _, hy := j.block()
			e.made(j.dynamicDef(world.Vec{X: j.span(-.02, .02), Y: y + hy}, d))
			y += 2 * hy
		}
	}},
	{"boxes on posts", func(j *judged, e *edited) {
		j.pit(e)
		for i := range 1 + j.IntN(3) {
			x, h, half := 3*float64(i)-3, j.span(.3, 1), j.span(.1, .4)
			e.made(world.BodyDef{Kind: world.BodyKind(j.IntN(2)), Position: world.Vec{X: x, Y: h}, Shapes: []world.ShapeDef{world.Box(half, h)}})
			left, right := world.BoxAt(world.Vec{X: -.25}, .25, .2, 0), world.BoxAt(world.Vec{X: .25}, .25, .2, 0)
			left.Friction, right.Friction = .6, .6
			e.made(j.dynamicDef(world.Vec{X: x, Y: 2*h + .2}, left, right))
		}
	}},
	{"bodies of several shapes", func(j *judged, e *edited) {
		j.pit(e)
		for i := range 1 + j.IntN(3) {
			var shapes []world.ShapeDef
			n := 2 + j.IntN(3)
			for k := range n {
				x := .3 * (float64(k) - float64(n-1)/2)
				d := []world.ShapeDef{world.BoxAt(world.Vec{X: x}, .15, .2, 0), world.CircleAt(x, 0, .2), world.Capsule(world.Vec{X: x - .1}, world.Vec{X: x + .1}, .2), world.BoxAt(world.Vec{X: x, Y: .05}, .15, .15, 0)}[j.IntN(4)]
				if d.Kind == world.PolygonShape && d.Points[0].Y > -.15 {
					d.Radius = .05
				}
				d.Friction, d.Density = j.span(.3, 1), j.span(.2, 3)
				shapes = append(shapes, d)
			}
			e.made(j.dynamicDef(world.Vec{X: 3*float64(i) - 3, Y: .2}, shapes...))
		}
	}},
	{"on a slope", func(j *judged, e *edited) {
		j.pit(e)
		e.made(world.BodyDef{Position: world.Vec{X: 0, Y: .5}, Angle: j.span(-.3, .3), Shapes: []world.ShapeDef{world.Box(2.5, .2)}})
		for i := range 2 {
			d, _, hy := j.block()
			if j.IntN(3) == 0 {
				d, hy = world.Circle(.2), .2
				d.RollingResistance = .5
			}
			d.Friction = 1
			e.made(j.dynamicDef(world.Vec{X: 2*float64(i) - 1, Y: .9 + hy}, d))
		}
	}},
	{"hanging", func(j *judged, e *edited) {
		above, y := j.pit(e), 6.
		for range 1 + j.IntN(3) {
			d, ok := j.jointDef(world.Vec{Y: y})
			b := e.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: y - .3}, LinearDamping: .3, AngularDamping: 2, Shapes: []world.ShapeDef{world.Box(.1, .3)}})
			if !ok {
				d = world.JointDef{Kind: world.RevoluteJoint, Anchor: &world.Vec{Y: y}}
			}
			d.A, d.B = above, b
			e.joint(d)
			above, y = b, y-.6
		}
	}},
	{"a car", func(j *judged, e *edited) {
		j.pit(e)
		car := e.made(j.dynamicDef(world.Vec{Y: .6}, world.Box(.8, .2), world.BoxAt(world.Vec{X: -.3, Y: .3}, .3, .15, 0)))
		for _, x := range []float64{-.6, .6} {
			d := world.Circle(.25)
			d.Friction = 1
			b := e.made(j.dynamicDef(world.Vec{X: x, Y: .25}, d))
			e.joint(world.JointDef{Kind: world.WheelJoint, A: car, B: b, Anchor: &world.Vec{X: x, Y: .25}, AxisA: world.Vec{Y: 1}, Frequency: 4, Damping: .8})
		}
	}},
	{"gears", func(j *judged, e *edited) {
		frame := j.pit(e)
		var joints [2]world.Joint
		for i := range 2 {
			at := world.Vec{X: float64(i), Y: 4}
			b := e.made(world.BodyDef{Kind: world.Dynamic, Position: at, AngularDamping: 2, Shapes: []world.ShapeDef{world.Circle(.3), world.CircleAt(0, -.3, .1)}})
			joints[i] = e.joint(world.JointDef{Kind: world.RevoluteJoint, A: frame, B: b, Anchor: &at})
		}
		e.joint(world.JointDef{Kind: world.GearJoint, Joint1: joints[0], Joint2: joints[1], Ratio: j.span(.5, 2)})
	}},
	{"balls in a groove", func(j *judged, e *edited) {
		e.made(world.BodyDef{Shapes: []world.ShapeDef{world.Chain(world.Vec{X: 8, Y: 8}, world.Vec{X: 4, Y: 2}, world.Vec{}, world.Vec{X: -4, Y: 2}, world.Vec{X: -8, Y: 8})}})
		for i := range 1 + j.IntN(2) {
			d := []world.ShapeDef{world.Circle(.3), world.CircleAt(.1, 0, .3), world.Capsule(world.Vec{X: -.2}, world.Vec{X: .2}, .2)}[j.IntN(3)]
			d.Friction = .3
			e.made(j.dynamicDef(world.Vec{X: float64(i), Y: 1.5 + float64(i)}, d, world.CircleAt(0, .2, .1)))
		}
	}},
	{"in motion", func(j *judged, e *edited) {
		j.pit(e)
		e.made(world.BodyDef{Kind: world.Kinematic, Position: world.Vec{X: j.span(-3, 3), Y: 1}, Velocity: j.vec(.5), Shapes: []world.ShapeDef{world.Box(1, .1)}})
		for range 2 + j.IntN(5) {
			d := j.dynamicDef(world.Vec{X: j.span(-3, 3), Y: j.span(.5, 6)}, j.shape())
			if j.IntN(2) == 0 {
				d.Shapes = append(d.Shapes, j.shape())
			}
			d.Angle, d.Velocity, d.AngularVelocity, d.Bullet = j.span(-3, 3), j.vec(5), j.span(-3, 3), j.IntN(4) == 0
			e.made(d)
		}
	}},
}
