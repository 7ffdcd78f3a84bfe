package scenes

import (
	"fmt"
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "cradle",
		Description: "Newton's cradle with five balls; small gaps pass the impacts on one by one, and in half a minute all swing along",
		Config:      config(cradle),
		View:        View{Y: -2, Width: 12.4, Height: 6.4},
		Track:       "ball1",
		Category:    Machines,
		Params:      []Param{ballsLifted, rebound},
	})
}

var (
	ballsLifted = Param{Name: "balls lifted", Min: 1, Max: 4, Default: 1, Step: 1}
	rebound     = Param{Name: "rebound", Min: .5, Max: 1, Default: 1, Step: .01}
)

func cradle(b *builder) {
	const (
		balls  = 5
		radius = .5
		length = 4.0
		// A contact solver does not solve an impact that passes through several touching balls
		// correctly. With gaps, the impacts come one after the other.
		gap = .04
	)
	var all []world.Body
	frame := b.static("frame", boxAt(0, .15, 4, .15, 0))
	for i := range balls {
		x := (float64(i) - (balls-1)/2.0) * (2*radius + gap)
		angle := 0.0
		if i == 0 {
			angle = -math.Pi / 4
		}
		sin, cos := math.Sincos(angle)
		n := b.body(world.BodyDef{
			Name: fmt.Sprintf("ball%d", i+1), Kind: world.Dynamic, NoSleep: true,
			Position: vec{X: x + length*sin, Y: -length * cos}, Angle: angle,
			Shapes: []world.ShapeDef{dense(bouncy(rough(world.Circle(radius), 0), 1), 4),
				ghostly(world.Edge(vec{Y: radius}, vec{Y: length}))}, // the string
		})
		b.joint(world.JointDef{Kind: world.RevoluteJoint, A: frame, B: n,
			AnchorA: vec{X: x}, AnchorB: vec{Y: length}})
		all = append(all, n)
	}
	b.param(ballsLifted, func(w *world.World, lifted float64) {
		for i, n := range all {
			x, angle := (float64(i)-(balls-1)/2.0)*(2*radius+gap), 0.0
			if i < int(lifted) {
				angle = -math.Pi / 4
			}
			sin, cos := math.Sincos(angle)
			w.Teleport(n, vec{X: x + length*sin, Y: -length * cos}, angle)
			w.SetVelocity(n, vec{})
			w.SetAngularVelocity(n, 0)
		}
	})
	b.param(rebound, func(w *world.World, bounce float64) {
		for _, n := range all {
			shapes, _ := w.Shapes(n)
			for _, s := range shapes {
				w.SetRestitution(s, bounce)
			}
		}
	})
}
