package scenes

import (
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "platformer",
		Driven:      true,
		Description: "a figure walks, jumps up through ledges, rides a lift and drops through; the arrow keys steer it",
		Config:      config(platformer),
		View:        View{X: 2.2, Y: 4.4, Width: 19.6, Height: 11.4},
		Track:       "figure",
		Category:    Games,
		Params:      []Param{walkSpeed, leapHeight},
	})
}

var (
	walkSpeed  = Param{Name: "walking speed", Unit: "m/s", Min: 1, Max: 6, Default: 3.5, Step: .25}
	leapHeight = Param{Name: "jump height", Unit: "m", Min: 1, Max: 5, Default: 2.6, Step: .1}
)

const (
	floor1, floor2, floor3 = 3.0, 4.0, 6.0 // m, the heights of the ledges
	liftX                  = 9.5
	liftTop                = floor2
	liftPeriod             = 8.0  // s, up and down
	airPush                = 12.0 // m/s²
)

var figureStart = vec{X: 2.5, Y: floor2 + .52}

// figure walks where a script sends it. Its soles move over the ground as a belt
// does, so that it keeps its speed on whatever it stands on.
type figure struct {
	body  world.Body
	soles world.Shape
	speed *float64
	leap  *float64
	user  *driver
}

func platformer(b *builder) {
	b.static("hall",
		rough(boxAt(-3.3, -.15, 3.3, .15, 0), .8), rough(boxAt(6, -.15, 2, .15, 0), .8), boxAt(9.6, -.55, 1.6, .15, 0),
		boxAt(-6.8, 4.2, .2, 4.5, 0), boxAt(11.2, 4.2, .2, 4.9, 0))
	ledge := func(x, y, hx, speed float64, colour uint32) {
		s := rough(boxAt(0, -.1, hx, .1, 0), .8)
		if s.SurfaceSpeed = speed; y > 0 {
			s.OneWay = vec{Y: 1}
		}
		b.body(world.BodyDef{Name: "ledge", Position: vec{X: x, Y: y}, Colour: rgb(colour), Shapes: []world.ShapeDef{s}})
	}
	ledge(2, 0, 2, -1, 0xffd166) // a belt against it
	ledge(4.6, floor2, 3.4, 0, 0x06d6a0)
	ledge(.6, floor3, 2.4, 0, 0x06d6a0)
	ledge(-4.8, floor3, 1.8, 0, 0x06d6a0)
	ledge(-4.8, floor1, 1.8, 0, 0x06d6a0)
	lift := b.body(world.BodyDef{Name: "lift", Kind: world.Kinematic, Position: vec{X: liftX}, Colour: rgb(0x4cc9f0),
		Shapes: []world.ShapeDef{rough(boxAt(0, -.1, 1.3, .1, 0), .8)}})
	f := newFigure(b, figureStart)
	f.user = b.driven()
	b.control(func(w *world.World, dt float64) {
		t := dt * float64(w.Tick())
		carry(w, lift, vec{X: liftX, Y: liftHeight(t)}, dt)
		f.move(w, t, dt)
	})
}

// liftHeight rests at both ends for a while.
func liftHeight(t float64) float64 {
	return max(0, min(liftTop, liftTop*(.5+.8*math.Sin(2*math.Pi*t/liftPeriod))))
}

func newFigure(b *builder, at vec) *figure {
	trunk := dense(rough(world.Polygon(vec{X: -.3, Y: -.4}, vec{X: .3, Y: -.4}, vec{X: .3, Y: .4}, vec{X: -.3, Y: .4}), 0), 10)
	head := dense(rough(world.CircleAt(0, .65, .25), 0), 5)
	soles := dense(rough(world.Polygon(vec{X: -.22, Y: -.5}, vec{X: .22, Y: -.5}, vec{X: .28, Y: -.4}, vec{X: -.28, Y: -.4}), 2), 10)
	f := &figure{speed: b.param(walkSpeed, nil), leap: b.param(leapHeight, nil)}
	f.body = b.body(world.BodyDef{Name: "figure", Kind: world.Dynamic, Position: at, FixedRotation: true, NoSleep: true,
		Colour: rgb(0xff5964), Shapes: []world.ShapeDef{trunk, head, soles}})
	if b.err == nil {
		shapes, err := b.w.Shapes(f.body)
		b.fail(err)
		f.soles = shapes[2]
	}
	return f
}

func (f *figure) move(w *world.World, t, dt float64) {
	b, err := w.Body(f.body)
	if err != nil {
		return
	}
	x, feet, held := b.Position.X, b.Position.Y-.5, stands(w, f.body)
	way, jump := 0.0, 0.0
	switch {
	case feet < -2: // the figure has fallen out of the picture
		w.Teleport(f.body, figureStart, 0)
		w.SetVelocity(f.body, vec{})
	case feet > floor3-.5: // left, over the gap, and down
		way = -1
		if x < -1.2 && x > -1.8 {
			jump = .5
		}
		if held && x < -5 {
			way = 0
			w.DropThrough(f.body)
		}
	case x > 8.1 && feet < floor2-.06: // on the lift
		way = max(-1, min(1, liftX-x))
	case feet > floor2-.5: // left, and up through the next ledge
		way = -1
		if x < 2.4 {
			jump = 1
		}
	case feet > 1: // in a corner, or falling
		if x < -3 && held {
			w.DropThrough(f.body)
		}
	case x < 7 || x > 8 || liftHeight(t) == 0 && liftHeight(t+1) == 0: // right, to the lift
		way = 1
	}
	if f.user.drives && feet >= -2 {
		way, jump = f.user.x, max(f.user.y, 0)
		if held && f.user.y < 0 {
			w.DropThrough(f.body)
		}
	}
	w.SetSurfaceSpeed(f.soles, way**f.speed)
	if held && jump > 0 && b.Velocity.Y < 1 {
		kick(w, f.body, 0, math.Sqrt(2*10*jump**f.leap)-b.Velocity.Y)
	}
	if !held { // soles have no grip in the air
		kick(w, f.body, max(-airPush*dt, min(airPush*dt, way**f.speed-b.Velocity.X)), 0)
	}
}
