package scenes

import (
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "bullets",
		Description: "shots with continuous collision (above), and without it, when they pass through the plates (below)",
		Config:      config(bullets),
		View:        View{Y: 1.3, Width: 27.5, Height: 12.4},
		Labels:      []Label{{-6, 1.75, "with continuous collision"}, {-6, -4.2, "without"}},
		Track:       "plate1",
		Category:    Smoothness,
		Params:      []Param{shotSpeed},
	})
}

const (
	muzzle    = -12.0 // m
	plateStep = 108.0 // plateStep is a speed in m/s. After each step of 1/60 s, a shot at this speed is beside the plates.
	shotLife  = 2.0   // s
)

// shotSpeed begins at 1.8 m per step. At that speed shots without continuous
// collision miss all plates.
var shotSpeed = Param{Name: "shot speed", Unit: "m/s", Min: 20, Max: 118, Default: plateStep, Step: 2}

// bullets fires along two ranges. The plates hang between the positions that a
// shot has after each step, so that only shots with continuous collision hit
// them. The wall at the end is static, and also stops shots without continuous
// collision.
func bullets(b *builder) {
	speed := b.param(shotSpeed, nil)
	shooting(b, 4.6, true, speed)
	shooting(b, -1.4, false, speed)
}

// shooting makes a range at a height in m. The parameter bullet says whether the
// shots are bullets to Box2D.
func shooting(b *builder, y float64, bullet bool, speed *float64) {
	frame := b.static("range",
		boxAt(0, y-1.9, 13.2, .1, 0),
		boxAt(0, y+2.1, 13.2, .1, 0),
		boxAt(13.1, y+.1, .1, 2, 0),
		boxAt(muzzle-.6, y, .5, .15, 0))
	name := "slowplate"
	if bullet {
		name = "plate"
	}
	for i := range 5 {
		x := muzzle + plateStep/60*(2.5+2*float64(i))
		plate := b.body(world.BodyDef{
			Name: name + string(rune('1'+i)), Kind: world.Dynamic,
			Position: vec{X: x, Y: y + .5}, AngularDamping: .8,
			Shapes: []world.ShapeDef{dense(world.Box(.05, 1.5), 4)},
		})
		b.at(vec{X: x, Y: y + 2}, world.JointDef{Kind: world.RevoluteJoint, A: frame, B: plate,
			EnableLimit: true, Lower: -1.4, Upper: 1.4})
	}

	type shot struct {
		body world.Body
		age  float64
	}
	var flying []shot
	b.w.Keep(&flying)
	colour := rgb(0xff5964)
	if !bullet {
		colour = rgb(0xffd166)
	}
	b.control(func(w *world.World, dt float64) {
		for i := range flying {
			flying[i].age += dt
		}
		for len(flying) > 0 && flying[0].age > shotLife {
			w.DestroyBody(flying[0].body)
			flying = flying[1:]
		}
	})
	b.every(.75, func(w *world.World, n int) {
		rise := .3 * math.Sin(float64(n))
		s, err := w.CreateBody(world.BodyDef{
			Name: "shot", Kind: world.Dynamic, Bullet: bullet, Colour: colour,
			Position: vec{X: muzzle, Y: y}, Velocity: vec{X: *speed, Y: rise},
			Shapes: []world.ShapeDef{dense(world.Circle(.12), 12)},
		})
		if err == nil {
			flying = append(flying, shot{s, 0})
		}
	})
}
