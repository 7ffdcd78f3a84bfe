package scenes

import (
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "largeworld",
		Description: "50,000 boxes on 24 kilometres of ground: all sleep but those that the wheel has hit, and only these cost time",
		Config:      config(largeworld),
		View:        View{X: 10, Y: 5, Height: 30},
		Track:       "wheel",
		Follow:      "wheel",
		Category:    Sizes,
		Params:      []Param{wheelSpeed},
	})
}

const (
	stackStep  = 10.0 // stackStep is the distance between two stacks in m.
	firstStack = 30.0
	manyStacks = 2380
	stackRows  = 6
	wheelSize  = 2.2
)

// stacks is smaller in most tests, because these play every scene many times.
var stacks = manyStacks

func landEnd() float64 { return firstStack + stackStep*float64(stacks) }

var wheelSpeed = Param{Name: "wheel speed", Unit: "m/s", Min: -20, Max: 20, Default: 9, Step: 1}

func largeworld(b *builder) {
	var ground []vec
	for x := -20.0; x <= landEnd()+20; x += 2 {
		ground = append(ground, vec{X: x, Y: landHeight(x)})
	}
	ground[0].Y, ground[len(ground)-1].Y = 30, 30
	b.static("ground", rough(world.Chain(ground...), .8))
	var boxes []world.Body
	for i := range stacks {
		boxes = pyramidOf(b, boxes, vec{X: firstStack + stackStep*float64(i), Y: landHeight(firstStack + stackStep*float64(i))}, stackRows)
	}
	start := vec{X: 2, Y: wheelSize + 1}
	wheel := b.body(world.BodyDef{Name: "wheel", Kind: world.Dynamic, Position: start, NoSleep: true, Colour: rgb(0xff5964),
		Shapes: []world.ShapeDef{rough(dense(world.Circle(wheelSize), 6), 1)}})
	speed := b.param(wheelSpeed, nil)
	b.control(func(w *world.World, dt float64) {
		// Neighbouring boxes wake once, when the first step finds them.
		if int(w.Counts().Awake) > len(boxes)/2 {
			for _, box := range boxes {
				w.SetAwake(box, false)
			}
		}
		i, err := w.Body(wheel)
		if err != nil {
			return
		}
		if i.Position.X > landEnd() || i.Position.X < -10 {
			w.Teleport(wheel, start, 0)
			w.SetVelocity(wheel, vec{})
		}
		want := -*speed / wheelSize
		w.AngularImpulse(wheel, i.Inertia*(want-i.AngularVelocity)*min(1, 4*dt))
		w.Impulse(wheel, vec{X: i.Mass * (*speed - i.Velocity.X) * min(1, dt)})
	})
}

// landHeight is flat under each stack, and hilly between the stacks.
func landHeight(x float64) float64 {
	off := math.Abs(math.Remainder(x, stackStep)) // 0 at a stack
	return 1.2 * max(0, off-3.5) * (.4 + .3*math.Sin(x/60))
}

// pyramidOf makes a pyramid of sleeping boxes. It appends the boxes to the list.
func pyramidOf(b *builder, boxes []world.Body, foot vec, rows int) []world.Body {
	const h = .4
	for row := range rows {
		for i := range rows - row {
			x := (float64(i) - float64(rows-row-1)/2) * 2.1 * h
			boxes = append(boxes, b.body(world.BodyDef{Name: "box", Kind: world.Dynamic, Asleep: true,
				Position: plus(foot, x, h+.015+(2*h+.015)*float64(row)), Shapes: []world.ShapeDef{rough(world.Box(h, h), .5)}}))
		}
	}
	return boxes
}
