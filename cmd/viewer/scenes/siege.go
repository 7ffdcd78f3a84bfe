package scenes

import (
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "siege",
		Description: "a cannon fires at a tower, a little higher each time; every 20 seconds the tower is built again",
		Config:      sturdy(siege),
		View:        View{X: 1, Y: 4.8, Width: 33, Height: 11.6},
		Category:    Games,
		Params:      []Param{cannonSpeed, cannonMass},
	})
}

const (
	siegeShots   = 10  // at one tower
	siegePeriod  = 2.0 // s
	siegeStoreys = 9
)

var (
	cannonSpeed = Param{Name: "shot speed", Unit: "m/s", Min: 5, Max: 60, Default: 24, Step: 1}
	cannonMass  = Param{Name: "shot mass", Unit: "kg", Min: .5, Max: 20, Default: 1.5, Step: .5}
)

func siege(b *builder) {
	const radius = .3
	muzzle := vec{X: -11, Y: 1.4}
	ground := b.static("ground", rough(boxAt(1, -.2, 16, .2, 0), .8), boxAt(16.8, 3, .2, 3.2, 0))
	b.shape(ground, ghostly(boxAt(muzzle.X-.2, muzzle.Y-.05, .9, .34, .2)))
	b.shape(ground, ghostly(boxAt(muzzle.X-.6, .5, .5, .5, 0)))
	speed, mass := b.param(cannonSpeed, nil), b.param(cannonMass, nil)
	b.every(siegePeriod, func(w *world.World, n int) {
		c := &builder{w: w}
		k := n % siegeShots
		if k == 0 {
			destroy(w, "brick", "shot")
			tower(c, vec{X: 6})
		}
		sin, cos := math.Sincos(.11 + .035*float64(k))
		shot := dense(world.Circle(radius), *mass/(math.Pi*radius*radius))
		c.body(world.BodyDef{Name: "shot", Kind: world.Dynamic, Bullet: true, Colour: rgb(0xff5964), AngularDamping: 1,
			Position: plus(muzzle, .7*cos, .7*sin), Velocity: vec{X: *speed * cos, Y: *speed * sin}, Shapes: []world.ShapeDef{rough(shot, .5)}})
	})
}

// tower makes a tower. Each storey has two walls of bricks and a horizontal plate.
func tower(b *builder, foot vec) {
	y := foot.Y
	for range siegeStoreys {
		for _, x := range [...]float64{-1.4, 0, 1.4} {
			b.body(world.BodyDef{Name: "brick", Kind: world.Dynamic, Position: vec{X: foot.X + x, Y: y + .41}, Colour: rgb(0xd9a066),
				Shapes: []world.ShapeDef{rough(world.Box(.25, .4), .6)}})
		}
		for _, x := range [...]float64{-.9, .9} {
			b.body(world.BodyDef{Name: "brick", Kind: world.Dynamic, Position: vec{X: foot.X + x, Y: y + .94}, Colour: rgb(0xa9745b),
				Shapes: []world.ShapeDef{rough(world.Box(.89, .12), .6)}})
		}
		y += 1.07
	}
}
