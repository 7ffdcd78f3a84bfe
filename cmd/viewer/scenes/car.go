package scenes

import (
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "car",
		Description: "a car with suspension drives back and forth over rough ground, a bridge and a seesaw; the arrow keys drive it",
		Config:      sturdy(car),
		View:        View{X: 4, Y: 1, Width: 26, Height: 12},
		Follow:      "car",
		Driven:      true,
		Track:       "car",
		Category:    Machines,
		Params:      []Param{motorSpeed, suspension},
	})
}

const (
	bridgeFrom, bridgeTo = 44.0, 62.0 // the ends of the gap in the ground, in m
	carGround            = 84.0       // carGround is the length of the ground in m.
)

var (
	motorSpeed = Param{Name: "motor speed", Unit: "rad/s", Min: 0, Max: 60, Default: 20, Step: 1}
	suspension = Param{Name: "suspension", Unit: "Hz", Min: 1, Max: 10, Default: 4, Step: .5}
)

func car(b *builder) {
	terrain(b)
	bridge(b)
	seesaw(b)
	for i := range 5 {
		b.dynamic("crate", vec{X: 77, Y: .5 + 1.01*float64(i)}, rough(dense(world.Box(.5, .5), .3), .5))
	}
	vehicle(b, vec{X: 4, Y: 1})
}

// terrain makes the ground, which is rough, and has a gap for the bridge and a
// wall at each end.
func terrain(b *builder) {
	height := func(x float64) float64 {
		switch {
		case x < 10 || x > 68:
			return 0
		case x < 34: // rougher and rougher
			k := (x - 10) / 24
			return k * (.7*math.Sin(x) + .35*math.Sin(2.7*x+1) + .12*math.Sin(9*x))
		case x < bridgeFrom: // a ramp up to the bridge
			k := (x - 34) / (bridgeFrom - 34)
			return .7*math.Sin(34)*(1-k)*(1-k) + 2*k*k*(3-2*k)
		case x > bridgeTo: // a ramp down from the bridge
			k := (68 - x) / (68 - bridgeTo)
			return 2 * k * k * (3 - 2*k)
		}
		return 0
	}
	points := []vec{{X: 0, Y: 8}}
	for x := 0.0; x <= bridgeFrom; x += .5 {
		points = append(points, vec{X: x, Y: height(x)})
	}
	points = append(points, vec{X: bridgeFrom, Y: -4}, vec{X: bridgeTo, Y: -4})
	points = append(points, vec{X: bridgeTo, Y: 2})
	for x := bridgeTo + .5; x <= carGround; x += .5 {
		points = append(points, vec{X: x, Y: height(x)})
	}
	points = append(points, vec{X: carGround, Y: 8})
	b.static("ground", rough(world.Chain(points...), .8))
}

func bridge(b *builder) {
	const planks = 18
	const half = (bridgeTo - bridgeFrom) / planks / 2
	ends := b.static("bridgehead")
	last := ends
	for i := range planks {
		x := bridgeFrom + half*float64(2*i+1)
		n := b.dynamic("plank", vec{X: x, Y: 1.9}, rough(dense(world.Box(half, .1), 2), .8))
		b.hinge(last, n, vec{X: x - half, Y: 1.9})
		last = n
	}
	b.hinge(last, ends, vec{X: bridgeTo, Y: 1.9})
}

func seesaw(b *builder) {
	stand := b.static("stand", world.Polygon(vec{X: 70.6}, vec{X: 71.4}, vec{X: 71, Y: .55}))
	board := b.body(world.BodyDef{Name: "seesaw", Kind: world.Dynamic, Position: vec{X: 71, Y: .6}, Angle: .16,
		Shapes: []world.ShapeDef{rough(world.Box(3, .1), .8)}})
	// The limits are measured from the horizontal, and not from the board's first
	// angle.
	b.joint(world.JointDef{Kind: world.RevoluteJoint, A: stand, B: board, AnchorA: vec{X: 71, Y: .6},
		EnableLimit: true, Lower: -.2, Upper: .2})
}

// vehicle makes a car that drives until it gets stuck, and then turns back. If
// the car lies on its roof, it starts again.
func vehicle(b *builder, at vec) {
	colour := rgb(0xf2555a)
	body := b.body(world.BodyDef{Name: "car", Kind: world.Dynamic, Position: at, Colour: colour, NoSleep: true,
		Shapes: []world.ShapeDef{
			dense(world.Polygon(vec{X: -1.9, Y: -.3}, vec{X: 1.9, Y: -.3}, vec{X: 2, Y: .05},
				vec{X: 1.2, Y: .25}, vec{X: -1.9, Y: .35}), 1.6),
			dense(world.Polygon(vec{X: -1.5, Y: .34}, vec{X: 1.1, Y: .27}, vec{X: .4, Y: .9}, vec{X: -1.1, Y: .9}), .3),
		}})
	parts := []world.Body{body}
	places := []vec{{}}
	var motors []world.Joint
	for i, x := range [...]float64{-1.2, 1.25} {
		place := vec{X: x, Y: -.45}
		axle := plus(at, place.X, place.Y)
		wheel := b.body(world.BodyDef{Name: [...]string{"rearwheel", "frontwheel"}[i], Kind: world.Dynamic,
			Position: axle, Colour: rgb(0x5b6675),
			Shapes: []world.ShapeDef{rough(dense(world.Circle(.5), 1), 1.2)}})
		motors = append(motors, b.at(axle, world.JointDef{Kind: world.WheelJoint, A: body, B: wheel,
			AxisA: vec{Y: 1}, Frequency: 4, Damping: .7}))
		parts, places = append(parts, wheel), append(places, place)
	}

	speed := b.param(motorSpeed, nil)
	b.param(suspension, func(w *world.World, stiff float64) {
		for _, j := range motors {
			w.SetSpring(j, stiff, .7)
		}
	})
	way := 1.0              // forwards
	stuck, over := 0.0, 0.0 // s
	b.w.Keep(&way, &stuck, &over)
	user := b.driven()
	b.control(func(w *world.World, dt float64) {
		car, err := w.Body(body)
		if err != nil {
			return
		}
		if stuck += dt; math.Abs(car.Velocity.X) > .4 {
			stuck = 0
		}
		if stuck > 2 {
			way, stuck = -way, 0
		}
		if user.drives {
			way, stuck = user.x, 0
		}
		if over += dt; math.Cos(car.Angle) > 0 {
			over = 0
		}
		if over > 2 {
			for i, n := range parts {
				w.Teleport(n, plus(at, places[i].X, places[i].Y), 0)
				w.SetVelocity(n, vec{})
				w.SetAngularVelocity(n, 0)
			}
			way, over, stuck = 1, 0, 0
		}
		for i, j := range motors {
			w.SetMotor(j, true, -*speed*way, [...]float64{30, 20}[i])
		}
	})
}
