package scenes

import (
	"math"

	"halfstep/world"
	"halfstep/world/walker"
)

func init() {
	Register(Scene{
		Name:        "platformer",
		Driven:      true,
		Description: "a figure walks up slopes and steps, jumps through ledges, rides a lift and drops through; the arrow keys steer it",
		Config:      sturdy(platformer),
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
	floor1, floor2, floor3 = 3.0, 4.0, 6.0 // the heights of the ledges in m
	liftX                  = 9.5
	liftTop                = floor2
	liftPeriod             = 8.0 // s, up and down
)

var figureStart = vec{X: 2.5, Y: floor2 + .02}

// figure walks as a script says, or as the user steers.
type figure struct {
	*walker.Walker
	leap *float64 // value of leapHeight
	user *driver  // the arrow keys
}

func platformer(b *builder) {
	b.static("hall",
		rough(boxAt(-3.3, -.15, 3.3, .15, 0), .8), rough(boxAt(6, -.15, 2, .15, 0), .8), boxAt(9.6, -.55, 1.6, .15, 0),
		boxAt(-6.8, 4.2, .2, 4.5, 0), boxAt(11.2, 4.2, .2, 4.9, 0))
	b.static("bump", world.Polygon(vec{X: -2.6}, vec{X: -.8}, vec{X: -1.2, Y: .5}, vec{X: -1.7, Y: .5}), boxAt(-.6, .15, .3, .15, 0))
	ledge := func(x, y, hx, speed float64, colour uint32) {
		s := rough(boxAt(0, -.1, hx, .1, 0), .8)
		if s.SurfaceSpeed = speed; y > 0 {
			s.OneWay = vec{Y: 1}
		}
		b.body(world.BodyDef{Name: "ledge", Position: vec{X: x, Y: y}, Colour: rgb(colour), Shapes: []world.ShapeDef{s}})
	}
	ledge(2, 0, 2, -1, 0xffd166) // the belt moves against the direction in which the figure walks
	ledge(4.6, floor2, 3.4, 0, 0x06d6a0)
	ledge(.6, floor3, 2.4, 0, 0x06d6a0)
	ledge(-4.8, floor3, 1.8, 0, 0x06d6a0)
	ledge(-4.8, floor1, 1.8, 0, 0x06d6a0)
	lift := b.body(world.BodyDef{Name: "lift", Kind: world.Kinematic, Position: vec{X: liftX}, Colour: rgb(0x4cc9f0),
		Shapes: []world.ShapeDef{rough(boxAt(0, -.1, 1.3, .1, 0), .8)}})
	f := &figure{leap: b.param(leapHeight, nil), user: b.driven()}
	b.control(func(w *world.World, dt float64) {
		t := dt * float64(w.Tick())
		carry(w, lift, vec{X: liftX, Y: liftHeight(t)}, dt)
		if f.Walker != nil {
			f.decide(w, t)
		}
	})
	if b.err == nil {
		var err error
		f.Walker, err = walker.New(b.w, walker.Def{Name: "figure", Position: figureStart, Height: 1.4, Radius: .28, Colour: rgb(0xff5964),
			Settings: walker.Settings{Speed: walkSpeed.Default}})
		b.fail(err)
	}
	b.param(walkSpeed, func(_ *world.World, speed float64) { f.Speed = speed })
}

// liftHeight returns the height of the lift after t seconds. The lift rests
// for a while at both ends.
func liftHeight(t float64) float64 {
	return max(0, min(liftTop, liftTop*(.5+.8*math.Sin(2*math.Pi*t/liftPeriod))))
}

// decide sets the input of the walker. The input comes from the user's
// driving, or from a script that depends on the figure's position.
func (f *figure) decide(w *world.World, t float64) {
	x, feet, in, jump := f.Position.X, f.Position.Y, walker.Input{}, 0.0
	switch {
	case feet < -2: // the figure has fallen out of the picture
		w.Teleport(f.Body, figureStart, 0)
	case feet > floor3-.5: // go to the left, over the gap, and down
		in.Walk = -1
		if x < -1.2 && x > -1.8 {
			jump = .5
		}
		if x < -5 {
			in.Walk, in.Drop = 0, true
		}
	case x > 8.1 && feet < floor2-.06: // the figure is on the lift
		in.Walk = max(-1, min(1, liftX-x))
	case feet > floor2-.5: // go to the left, and up through the next ledge
		in.Walk = -1
		if x < 2.4 {
			jump = 1
		}
	case feet > 1: // the figure is in a corner, or is falling
		in.Drop = x < -3
	case x < 7 || x > 8 || liftHeight(t) == 0 && liftHeight(t+1) == 0: // right, to the lift
		in.Walk = 1
	}
	if f.user.drives && feet >= -2 {
		in, jump = walker.Input{Walk: f.user.x, Drop: f.user.y < 0}, max(f.user.y, 0)
	}
	if in.Jump = jump > 0 && f.Stands; in.Jump {
		f.Jump = math.Sqrt(2 * 10 * jump * *f.leap)
	}
	f.Set(in)
}
