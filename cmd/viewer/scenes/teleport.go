package scenes

import (
	"fmt"
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "teleport",
		Description: "bodies that change places every second: interpolation across the jump would show as a streak",
		Config:      weightless(teleport),
		View:        View{Width: 16.4, Height: 16.4},
		Track:       "hopper1",
		Category:    Smoothness,
		Params:      []Param{hopperSpeed},
	})
}

// the speed is in radii of the ring per second
var hopperSpeed = Param{Name: "speed", Min: 0, Max: .5, Default: .08, Step: .02}

// teleport moves every body to the opposite side of the ring once per second.
// Between these times the bodies move and turn, so that there is motion to
// interpolate.
func teleport(b *builder) {
	const hoppers = 12
	places := ring(hoppers, 6.5)
	bodies := make([]world.Body, hoppers)
	for i, p := range places {
		shape := regular(3+i%4, .8)
		if i%4 == 3 {
			shape = world.Box(1.1, .35)
		}
		bodies[i] = b.body(world.BodyDef{
			Name: fmt.Sprintf("hopper%d", i+1), Kind: world.Dynamic, NoSleep: true,
			Position: p, Shapes: []world.ShapeDef{shape},
		})
	}
	pace := b.param(hopperSpeed, nil)
	b.every(1, func(w *world.World, n int) {
		for i, body := range bodies {
			at := places[(i+n*hoppers/2+n/2)%hoppers]
			turn := float64(n+i) * math.Pi / 3
			if n > 0 {
				w.Teleport(body, at, turn)
			}
			// bodies move along the ring, and every second body moves in the other direction
			speed := *pace * float64(1-2*(i%2))
			w.SetVelocity(body, vec{X: -at.Y * speed, Y: at.X * speed})
			w.SetAngularVelocity(body, 2*float64(1-2*(i%2)))
		}
	})
}
