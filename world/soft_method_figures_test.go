package world_test

import (
	"math"
	"testing"

	"halfstep/world"
)

// The test checks the numbers of docs/soft.md about the method, beside those of Box2D
// v3. With -v it prints them.
func TestWhatTheSoftMethodCosts(t *testing.T) {
	for _, row := range []struct {
		what string
		of   func(x *situation) float64
		// low is the exact value, or the best that the method reaches. The value of soft must
		// be between low and high.
		low, high float64
	}{
		{"a hinge with limits of ±0.5 rad and a motor of 10⁶ N·m: angle after half a second, rad", motorAtALimit, -.505, -.495},
		{"a box that slides at 8 m/s along flat tiles, friction 0: m/s after 4 s, worst of 20 phases", alongTiles, -1, 8.01},
		{"a ball at 20 m/s passes a corner with 10 mm of room: m/s to the side, worst of 40 phases", pastACorner, 0, .05},
		{"a ball with restitution 1 falls 4 m: height of the tenth bounce, m", tenthBounce, 3.7, 4.01},
		{"an undamped spring of 2 Hz: amplitude after 10 s, of 1 m", undamped, 0, 1.001},
		{"seven links on a hinge, at rest, 77 N: least force in the first second, N", func(x *situation) float64 { low, _ := loaded(x); return low }, -400, 77},
		{"and greatest, N", func(x *situation) float64 { _, high := loaded(x); return high }, 77, 400},
		{"four bodies on long arms, welded to a light one, free in space: most energy, times", weldedStar, 0, math.Inf(1)},
	} {
		for _, s := range []world.Stepper{world.SoftStep, world.FastStep} {
			x := newSituation(t, world.Config{Stepper: s, NoSleep: true})
			got := row.of(x)
			t.Logf("%s, %v: %.4g", row.what, s, got)
			if s == world.SoftStep {
				x.between(row.what, got, row.low, row.high)
			}
		}
	}
}

func motorAtALimit(x *situation) float64 {
	x.SetGravity(world.Vec{})
	g, b := x.body(world.Static, world.Vec{}), x.body(world.Dynamic, world.Vec{}, world.Box(.5, .5))
	j := x.joint(world.JointDef{Kind: world.RevoluteJoint, A: g, B: b, EnableLimit: true, Lower: -.5, Upper: .5, EnableMotor: true, MotorSpeed: -10, MaxMotorForce: 1e6})
	low := 0.
	for range 30 {
		x.steps(1)
		low = min(low, must(x.Joint(j)).Angle)
	}
	return low
}

func alongTiles(x *situation) float64 {
	for i := range 60 {
		tile := world.Box(.5, .5)
		tile.Friction = 0
		x.body(world.Static, world.Vec{X: float64(i), Y: -.5}, tile)
	}
	d, slowest := world.Box(.25, .25), math.Inf(1)
	d.Friction = 0
	for k := range 20 {
		b := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 2 + .05*float64(k), Y: .25}, Velocity: world.Vec{X: 8}, Shapes: []world.ShapeDef{d}})
		x.steps(240)
		slowest = min(slowest, x.info(b).Velocity.X)
		x.DestroyBody(b)
	}
	return slowest
}

func pastACorner(x *situation) (worst float64) {
	x.SetGravity(world.Vec{})
	x.body(world.Static, world.Vec{}, world.Box(.5, .5))
	for k := range 40 {
		d := world.Circle(.2)
		d.Friction = 0
		b := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: -3 - 20./60/40*float64(k), Y: .71}, Velocity: world.Vec{X: 20}, Shapes: []world.ShapeDef{d}})
		x.steps(40)
		worst = max(worst, math.Abs(x.info(b).Velocity.Y))
		x.DestroyBody(b)
	}
	return worst
}

func tenthBounce(x *situation) (top float64) {
	ground, d := world.Box(5, .5), world.Circle(.5)
	ground.Restitution, d.Restitution = 1, 1
	x.body(world.Static, world.Vec{Y: -.5}, ground)
	b := x.body(world.Dynamic, world.Vec{Y: 4.5}, d)
	for n, before := 0, 0.; n < 10; {
		x.steps(1)
		i := x.info(b)
		if before > 0 && i.Velocity.Y <= 0 {
			n++
			top = i.Position.Y - .5
		}
		before = i.Velocity.Y
	}
	return top
}

func undamped(x *situation) (most float64) {
	x.SetGravity(world.Vec{})
	g, b := x.body(world.Static, world.Vec{}), x.body(world.Dynamic, world.Vec{X: 3}, world.Circle(.5))
	x.joint(world.JointDef{Kind: world.DistanceJoint, A: g, B: b, Length: 2, Frequency: 2})
	x.steps(570)
	for range 30 {
		x.steps(1)
		most = max(most, math.Abs(x.info(b).Position.X-2))
	}
	return most
}

func loaded(x *situation) (low, high float64) {
	on, anchor := x.body(world.Static, world.Vec{}), world.Vec{}
	var top world.Joint
	for i := range 7 {
		link := world.Box(.1, .5)
		link.Density = 1.1 / .2
		b := x.body(world.Dynamic, world.Vec{Y: -.5 - float64(i)}, link)
		j := x.joint(world.JointDef{Kind: world.RevoluteJoint, A: on, B: b, AnchorA: anchor, AnchorB: world.Vec{Y: .5}})
		if i == 0 {
			top = j
		}
		on, anchor = b, world.Vec{Y: -.5}
	}
	low, high = math.Inf(1), math.Inf(-1)
	for range 60 {
		x.steps(1)
		f := must(x.Joint(top)).Force.Y
		low, high = min(low, f), max(high, f)
	}
	return low, high
}

func weldedStar(x *situation) float64 {
	x.SetGravity(world.Vec{})
	masses := []world.Mass{{Mass: .199, Inertia: .0115}, {Mass: .589, Inertia: .0828}, {Mass: .206, Inertia: .0064}, {Mass: .212, Inertia: .0111}, {Mass: .343, Inertia: .0162}}
	a := []world.Vec{{}, {X: -.2586, Y: .0208}, {X: -.5076, Y: -.2049}, {X: -.2855, Y: .0905}, {X: -.9892, Y: .1395}}
	b := []world.Vec{{}, {X: .2335, Y: -.0538}, {X: .3179, Y: -.1025}, {X: .4873, Y: -.0290}, {X: -.2261, Y: .0708}}
	var bodies []world.Body
	for i, m := range masses {
		at, d := world.Vec{X: a[i].X - b[i].X, Y: a[i].Y - b[i].Y}, world.Circle(.1)
		d.Filter = world.Filter{Category: 1, Mask: 1, Group: -1}
		bodies = append(bodies, x.made(world.BodyDef{Kind: world.Dynamic, Position: at, Mass: &m, Velocity: world.Vec{X: -2*at.Y + .3*[]float64{-1, 1}[i%2], Y: 2 * at.X}, AngularVelocity: 2, Shapes: []world.ShapeDef{d}}))
		if i > 0 {
			x.joint(world.JointDef{Kind: world.WeldJoint, A: bodies[0], B: bodies[i], AnchorA: a[i], AnchorB: b[i]})
		}
	}
	first, most := motionOf(x.World, bodies).energy, 0.
	for range 300 {
		x.steps(1)
		most = max(most, motionOf(x.World, bodies).energy)
	}
	return most / first
}
