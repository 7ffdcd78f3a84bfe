package world_test

import (
	"fmt"
	"math"

	"halfstep/world"
	"halfstep/world/forces"
)

// crossings steps a world until a value has risen above 0 for the n-th time. It returns the time
// between the first such moment and the last, in seconds.
func (x *situation) crossings(n int, value func() float64) (seconds float64) {
	last, first := value(), math.NaN()
	for range int(60 * x.rate) {
		x.steps(1)
		now := value()
		if last < 0 && now >= 0 {
			at := (float64(x.Tick()) - now/(now-last)) / x.rate
			if math.IsNaN(first) {
				first = at
			} else if n--; n == 0 {
				return at - first
			}
		}
		last = now
	}
	return math.NaN()
}

// The period of a pendulum is known for its amplitude, by an arithmetic-geometric mean.
func knownPendulum(j *judged) {
	x := j.world(world.Config{NoSleep: true})
	length, amplitude, kind := j.span(.5, 4), j.span(.1, 1.2), []world.JointKind{world.RevoluteJoint, world.DistanceJoint, world.RopeJoint}[j.IntN(3)]
	sin, cos := math.Sincos(amplitude)
	radius := .1 * length
	pivot := x.body(world.Static, world.Vec{})
	b := x.body(world.Dynamic, world.Vec{X: length * sin, Y: -length * cos}, world.Circle(radius))
	def := world.JointDef{Kind: kind, A: pivot, B: b, MaxLength: length}
	inertia := 1.
	if kind == world.RevoluteJoint {
		def.AnchorB = world.Vec{X: -length * sin, Y: length * cos}
		inertia += .5 * .1 * .1 // the bob turns with the rod
	}
	x.joint(def)
	a, g := 1., math.Cos(amplitude/2)
	for range 10 {
		a, g = (a+g)/2, math.Sqrt(a*g)
	}
	right := 2 * math.Pi * math.Sqrt(length*inertia/10) / a
	got := x.crossings(3, func() float64 { return x.info(b).Position.X }) / 3
	// A step of 1/60 s is a fiftieth of the shortest period, and the library reduces the
	// amplitude, which shortens the period.
	j.between(fmt.Sprintf("the period of a pendulum of %.2f m at %.2f rad on a joint of kind %v, of the right one", length, amplitude, kind), got/right, .97, 1.02)
}

// A spring has the frequency of its definition. It is damped by its definition, and by the
// method of the step.
func knownSpring(j *judged) {
	x := j.world(world.Config{NoGravity: true, NoSleep: true})
	f, damping := j.span(.5, 4), .3*j.Float64()*float64(j.IntN(2))
	b := x.body(world.Dynamic, world.Vec{X: 2.3}, world.Circle(j.span(.2, .5)))
	x.joint(world.JointDef{Kind: world.DistanceJoint, A: x.body(world.Static, world.Vec{}), B: b, Length: 2, Frequency: f, Damping: damping})
	value := func() float64 { return x.info(b).Position.X - 2 }
	got := x.crossings(2, value) / 2
	j.between(fmt.Sprintf("the period of a spring of %.2f Hz, damped by %.2f, of the right one", f, damping), got*f*math.Sqrt(1-damping*damping), .97, 1.03+.35*2*math.Pi*f/60)
	// One implicit step adds a damping of ωh/2. Sub-steps add ωh/4, because only the second pass of
	// each damps again.
	top := 0.
	for now := value(); x.Tick() < 600; now = value() {
		top = math.Max(top, now)
		x.steps(1)
		if now < 0 && top > 0 {
			break
		}
	}
	omega := 2 * math.Pi * f
	lost := math.Log(.3/top) / (omega * float64(x.Tick()) / 60) // about the damping ratio
	if top > .002 {
		j.between(fmt.Sprintf("the damping of a spring of %.2f Hz, damped by %.2f", f, damping), lost, .7*damping-.02, damping*1.2+omega/60)
	}
}

func knownSlopes(j *judged) {
	x := j.world(world.Config{NoSleep: true})
	angle := -j.span(.1, .5)
	rolls := j.IntN(2) == 0
	friction := 1.
	if !rolls {
		friction = -math.Tan(angle) * j.span(0, .8)
	}
	up := j.slope(x, angle, friction)
	d, height := world.Circle(.4), .4
	right := -10 * math.Sin(angle) * 2 / 3
	if !rolls {
		d, height = world.Box(.6, .15), .15
		right = 10 * (-math.Sin(angle) - friction*math.Cos(angle))
	}
	d.Friction = friction
	b := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: -height * up.Y, Y: height * up.X}, Angle: angle, Shapes: []world.ShapeDef{d}})
	x.steps(20) // it comes to lie
	before := x.info(b)
	x.steps(90)
	speed := func(i world.BodyInfo) float64 { return i.Velocity.X*up.X + i.Velocity.Y*up.Y }
	j.between(fmt.Sprintf("the acceleration down a slope of %.2f rad (rolling: %v, friction %.2f)", -angle, rolls, friction), (speed(x.info(b))-speed(before))/1.5, .98*right-.02, 1.02*right+.02)
}

func knownBraking(j *judged) {
	x := j.world(world.Config{NoSleep: true})
	friction, v := j.span(.2, 1), j.span(1, 10)
	j.slope(x, 0, friction)
	d := world.Box(.6, .15)
	d.Friction = friction
	b := x.body(world.Dynamic, world.Vec{Y: .15}, d)
	x.steps(30)
	from := x.info(b).Position.X
	must(0, x.SetVelocity(b, world.Vec{X: v}))
	x.steps(360)
	right := v * v / (2 * friction * 10)
	// The friction brakes from the first step on, or from the second.
	j.between(fmt.Sprintf("the way from %.1f m/s with a friction of %.2f, m", v, friction), x.info(b).Position.X-from, .97*right-v/60, 1.03*right+v/60)
}

func knownAtwood(j *judged) {
	x := j.world(world.Config{NoSleep: true})
	make := func(at float64) world.Body {
		d := world.Circle(.3)
		d.Density = j.span(1, 5)
		return x.body(world.Dynamic, world.Vec{X: at}, d)
	}
	a, b, ratio := make(-2), make(2), j.span(.5, 2)
	joint := x.joint(world.JointDef{Kind: world.PulleyJoint, A: a, B: b, GroundA: world.Vec{X: -2, Y: 20}, GroundB: world.Vec{X: 2, Y: 20}, Ratio: ratio})
	x.steps(60)
	ma, mb := x.info(a).Mass, x.info(b).Mass
	right := -10 * (ma - mb/ratio) / (ma + mb/ratio/ratio)
	j.between(fmt.Sprintf("the acceleration of %.2f kg against %.2f kg with a ratio of %.2f", ma, mb, ratio), x.info(a).Velocity.Y, right-.02*math.Abs(right)-.02, right+.02*math.Abs(right)+.02)
	tension := mb * (10 - right/ratio)
	j.between("the force on the second, N", must(x.Joint(joint)).Force.Y, .98*tension-.1, 1.02*tension+.1)
}

func knownImpacts(j *judged) {
	x := j.world(world.Config{NoGravity: true, NoSleep: true})
	e := float64(j.IntN(5)) / 4
	rate := []float64{60, 120, 240}[j.IntN(3)]
	x.rate = rate
	make := func(at, v, r float64) world.Body {
		d := bouncy(world.Circle(r), e, j.Float64())
		d.Density = j.span(.5, 4)
		return x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: at}, Velocity: world.Vec{X: v}, Shapes: []world.ShapeDef{d}})
	}
	va, vb := j.span(.2, 20), -j.span(1.3, 10)
	a, b := make(-2, va, j.span(.2, .5)), make(2+j.Float64(), vb, j.span(.2, .5))
	x.steps(int(rate * 4))
	ma, mb := x.info(a).Mass, x.info(b).Mass
	common := (ma*va + mb*vb) / (ma + mb)
	what := fmt.Sprintf("the velocity after %.2f kg with %.1f m/s met %.2f kg with %.1f m/s, restitution %.2f, %g Hz", ma, va, mb, vb, e, rate)
	// If the bodies stay together, they may part at the speed that corrects their overlap.
	off := .01*(va-vb) + .02
	if e == 0 {
		off += .05 * (va - vb)
	}
	j.between(what+", of the first", x.info(a).Velocity.X, common-e*mb/(ma+mb)*(va-vb)-off, common-e*mb/(ma+mb)*(va-vb)+off)
	j.between(what+", of the second", x.info(b).Velocity.X, common+e*ma/(ma+mb)*(va-vb)-off, common+e*ma/(ma+mb)*(va-vb)+off)
	told := 0.
	for _, ev := range x.events {
		if ev.Kind == world.ContactBegin {
			told += ev.Impulse
		}
	}
	if len(x.events) > 0 {
		right := (1 + e) * (va - vb) * ma * mb / (ma + mb)
		least := .93 * right
		if e == 0 { // the next step may apply a part of the impulse
			least = 0
		}
		j.between(what+", the impulse told", told, least, 1.03*right)
	}
}

func knownProjectile(j *judged) {
	x := j.world(world.Config{})
	v := j.vec(15)
	d := j.shape()
	b := x.made(world.BodyDef{Kind: world.Dynamic, Velocity: v, Angle: j.span(-3, 3), AngularVelocity: 0, Shapes: []world.ShapeDef{d}})
	at, v0 := x.info(b).Centre, x.info(b).Velocity
	t := j.span(.2, 2)
	n := int(60 * t)
	x.steps(n)
	t = float64(n) / 60
	i := x.info(b)
	j.between("x of what is thrown, beside the parabola", i.Centre.X-at.X-v0.X*t, -1e-3, 1e-3)
	// Each step of a fall uses the velocity at the end of the step, which is h/2 later than in a
	// parabola.
	j.between("y of what is thrown, beside the parabola", i.Centre.Y-at.Y-v0.Y*t+5*t*t, -5*t/60-1e-3, 1e-3)
	j.between("its velocity", i.Velocity.Y-v0.Y, -10*t-1e-3, -10*t+1e-3)
}

func knownBounces(j *judged) {
	x := j.world(world.Config{})
	x.rate = []float64{60, 120, 240}[j.IntN(3)]
	e, h, r := j.span(.3, 1), j.span(.5, 5), j.span(.1, .5)
	x.body(world.Static, world.Vec{Y: -1}, world.Box(20, 1))
	b := x.body(world.Dynamic, world.Vec{Y: h + r}, bouncy(world.Circle(r), e, .2))
	v := math.Sqrt(20 * h)
	x.steps(int(x.rate * (v/10 + .05)))
	top := 0.
	for range int(x.rate * (e*v/10 + .1)) {
		x.steps(1)
		top = math.Max(top, x.info(b).Position.Y-r)
	}
	if e*v < 1.2 {
		return // then slow impacts do not bounce
	}
	// In the step of the impact the ball falls by v/rate more or less than a real ball. The
	// library's floors have a skin of 1 cm.
	off := 1.3*v/x.rate/h/e + .012/(e*e*h) + .02
	j.between(fmt.Sprintf("the height of a bounce from %.2f m with a restitution of %.2f at %g Hz, of the right one", h, e, x.rate), top/(e*e*h), 1-off, 1+off)
}

// No bounce of any body on any other gains energy. With steps of a 240th of a second, the error
// of the energy in a step of the fall is small.
func knownPlank(j *judged) {
	impacts := 1. // the number of steps of the fall that may add energy
	if j.way != world.SoftStep {
		impacts = 5 // with Box2D 2.x, each impact counts five times: a body stops at the hit, but has the velocity of the whole step
	}
	x := j.world(world.Config{NoSleep: true})
	x.rate = 240
	half := j.span(.02, 1)
	x.body(world.Static, world.Vec{Y: -.5}, bouncy(world.Box(half, .5), 1, 0))
	hx, hy, height := j.span(.2, 2.5), j.span(.05, .3), j.span(1, 5)
	b := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: j.span(-.05, .05), Y: height}, Angle: float64(j.IntN(2)) * j.span(-.5, .5), Shapes: []world.ShapeDef{bouncy(world.Box(hx, hy), j.span(.5, 1), 0)}})
	energy := func() float64 { i := x.info(b); return i.KineticEnergy()/i.Mass/10 + i.Position.Y } // in metres of height
	for range 600 {
		x.steps(1)
		if !j.between(fmt.Sprintf("the energy of a plank of %.2f by %.2f m over a floor of %.2f m, of what there was", 2*hx, 2*hy, 2*half), energy()/height, -math.MaxFloat64, 1.01+impacts*math.Sqrt(20*height)/x.rate/height) {
			return
		}
	}
}

func knownFloating(j *judged) {
	x := j.world(world.Config{NoSleep: true})
	d := world.Box(j.span(.2, .5), j.span(.2, .5))
	if j.IntN(2) == 0 {
		d = world.Circle(j.span(.2, .5))
	}
	d.Density = j.span(.3, 1)
	b := x.body(world.Dynamic, world.Vec{Y: -5}, d)
	must(0, x.SetFixedRotation(b, true))
	x.AddController(&forces.Fluid{Density: d.Density, Drag: 1.5})
	x.steps(600)
	j.between("moved in 10 s in a fluid of its own density, m", math.Abs(x.info(b).Position.Y+5), 0, .01)
}

// A box on a body that sways moves with it, if friction or a weld holds the box.
func knownTurning(j *judged) {
	x := j.world(world.Config{NoSleep: true})
	d, bx := world.Box(10, .2), world.Box(j.span(.2, .5), j.span(.2, .5))
	d.Friction, bx.Friction = 1, 1
	om, far := j.span(.2, 1.2), j.span(2, 8)
	p := x.made(world.BodyDef{Kind: world.Kinematic, Angle: -.3, Shapes: []world.ShapeDef{d}})
	at := x.info(p).WorldPoint(world.Vec{X: far, Y: .2 + bx.Points[2].Y})
	b := x.made(world.BodyDef{Kind: world.Dynamic, Angle: -.3, Position: at, Shapes: []world.ShapeDef{bx}})
	x.steps(30)
	from, worst := x.info(p).LocalPoint(x.info(b).Position).X, 0.
	for i := range 300 {
		t := float64(i) / 60
		must(0, x.SetAngularVelocity(p, (-.3*math.Cos(om*(t+1./60))+.3*math.Cos(om*t))*60))
		x.steps(1)
		worst = math.Max(worst, math.Abs(x.info(p).LocalPoint(x.info(b).Position).X-from))
	}
	j.between(fmt.Sprintf("a box with friction 1 at %.1f m on a plank that sways as cos %.2ft: slides, m in 5 s", far, om), worst, 0, .02*om+.004)
}
