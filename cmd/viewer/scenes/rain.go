package scenes

import (
	"fmt"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "rain",
		Description: "bodies that are created and destroyed all the time, on slides, two mills and a seesaw",
		Config:      sturdy(rain),
		View:        View{Y: 7.6, Width: 29, Height: 20},
		Track:       "mill1",
		Category:    Forces,
		Params:      []Param{dropSpeed, dropBounce},
	})
}

const (
	rainPeriod = .03 // s between two drops
	rainLife   = 6.5 // s, at most
	rainFloor  = -2  // rainFloor is the height in m at which a drop is removed.
)

var (
	dropSpeed  = Param{Name: "drop speed", Unit: "m/s", Min: 0, Max: 20, Default: 4, Step: .5}
	dropBounce = Param{Name: "bounce", Min: 0, Max: .9, Default: .25, Step: .05}
)

type drop struct {
	body world.Body
	age  float64 // s
}

func rain(b *builder) {
	ground := b.static("slides",
		rough(boxAt(-8.5, 8, 3.2, .12, -.35), .1),
		rough(boxAt(8.5, 8, 3.2, .12, .35), .1),
		rough(boxAt(-11, 1, 3, .12, -.25), .1),
		rough(boxAt(11, 1, 3, .12, .25), .1))
	for i, x := range [...]float64{-4.2, 4.2} {
		at := vec{X: x, Y: 4.5}
		mill := b.dynamic(fmt.Sprintf("mill%d", i+1), at,
			boxAt(0, 0, 1.9, .1, 0), boxAt(0, 0, .1, 1.9, 0), world.Circle(.4))
		b.hinge(ground, mill, at)
	}
	seesaw := b.dynamic("seesaw", vec{Y: 1.2}, rough(boxAt(0, 0, 3, .1, 0), .4),
		boxAt(-3, .2, .08, .3, 0), boxAt(3, .2, .08, .3, 0))
	b.at(vec{Y: 1.2}, world.JointDef{Kind: world.RevoluteJoint, A: ground, B: seesaw,
		EnableLimit: true, Lower: -.5, Upper: .5})

	speed, bounce := b.param(dropSpeed, nil), b.param(dropBounce, nil)
	r := random(42)
	var falling []drop // oldest first
	b.w.Keep(&r, &falling)
	b.control(func(w *world.World, dt float64) {
		kept := falling[:0]
		for _, d := range falling {
			d.age += dt
			body, err := w.Body(d.body)
			if err != nil {
				continue
			}
			if (d.age > rainLife || body.Position.Y < rainFloor) && !isHeld(w, d.body) {
				w.DestroyBody(d.body)
				continue
			}
			kept = append(kept, d)
		}
		falling = kept
	})
	b.every(rainPeriod, func(w *world.World, n int) {
		s := rainShape(&r, n)
		made, err := w.CreateBody(world.BodyDef{
			Name: "drop", Kind: world.Dynamic,
			Position: vec{X: r.between(-11, 11), Y: 17}, Angle: r.between(-3, 3),
			Velocity: vec{Y: -*speed}, AngularVelocity: r.between(-4, 4),
			Shapes: []world.ShapeDef{bouncy(rough(s, .2), *bounce)},
		})
		if err == nil {
			falling = append(falling, drop{made, 0})
		}
	})
}

func rainShape(r *random, n int) world.ShapeDef {
	size := r.between(.14, .3)
	switch n % 3 {
	case 0:
		return world.Circle(size)
	case 1:
		return world.Box(size, size*r.between(.5, 1))
	}
	return regular(3+n%4, size)
}
