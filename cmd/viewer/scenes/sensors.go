package scenes

import (
	"fmt"
	"math"
	"slices"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "sensors",
		Description: "sensors that push the bodies inside them, and one that counts: its gauge rises by a notch per ball",
		Config:      config(sensors),
		View:        View{X: -.9, Y: 6, Width: 19.4, Height: 13},
		Track:       "ball1",
		Category:    Forces,
		Params:      []Param{beltSpeed, liftSpeed},
	})
}

var (
	beltSpeed = Param{Name: "belt speed", Unit: "m/s", Min: -4, Max: 8, Default: 4, Step: .5}
	liftSpeed = Param{Name: "lift speed", Unit: "m/s", Min: 0, Max: 12, Default: 6.2, Step: .2}
)

// zone is a sensor, with the bodies inside it in the order in which they entered.
type zone struct {
	body   world.Body
	inside []world.Body
}

// update adds and removes bodies according to the contacts of a step. A body with
// several shapes would be listed several times.
func (z *zone) update(contacts []world.Event) {
	for i := range contacts {
		c := &contacts[i]
		if c.A != z.body {
			continue
		}
		switch c.Kind {
		case world.SensorBegin:
			z.inside = append(z.inside, c.B)
		case world.SensorEnd:
			if k := slices.Index(z.inside, c.B); k >= 0 {
				z.inside = slices.Delete(z.inside, k, k+1)
			}
		}
	}
}

// push accelerates the bodies inside towards a velocity in m/s. The acceleration
// is at most limit, in m/s².
func (z *zone) push(w *world.World, to vec, limit, dt float64) {
	for _, n := range z.inside {
		b, err := w.Body(n)
		if err != nil {
			continue
		}
		dx, dy := to.X-b.Velocity.X, to.Y-b.Velocity.Y
		if d := math.Hypot(dx, dy); d > limit*dt {
			dx, dy = dx*limit*dt/d, dy*limit*dt/d
		}
		kick(w, n, dx, dy)
	}
}

// sensors moves balls in a circle. A belt moves them to the shaft, and the shaft
// lifts them. A slide then leads them through the counter and back to the belt.
func sensors(b *builder) {
	b.static("hall",
		boxAt(-1, -.1, 9, .1, 0),
		boxAt(-9.9, 3, .1, 3, 0),
		boxAt(8.1, 5.9, .1, 6, 0),         // the shaft's outer wall
		boxAt(5.9, 4.7, .1, 3.6, 0),       // and its inner one
		boxAt(7.55, 11.4, .75, .1, -.785), // this box turns the balls into the slide
		rough(boxAt(.4, 7.15, 5.6, .1, .2), .05),
	)
	place := func(name string, colour uint32, s world.ShapeDef) *zone {
		return &zone{body: b.body(world.BodyDef{Name: name, Colour: rgb(colour), Shapes: []world.ShapeDef{sensor(s)}})}
	}
	belt := place("belt", 0xffd166, boxAt(-2, .4, 7.9, .4, 0))
	shaft := place("shaft", 0x4cc9f0, boxAt(7, 5, 1, 5, 0))
	counter := place("counter", 0x06d6a0, boxAt(-1.5, 7.6, 2.5, .8, .2))
	gauge := b.body(world.BodyDef{Name: "gauge", Kind: world.Kinematic, Position: vec{X: -8.6, Y: 7},
		Shapes: []world.ShapeDef{coloured(world.Box(.7, .12), rgb(0x06d6a0))}})

	r := random(11)
	for i := range 40 {
		b.body(world.BodyDef{
			Name: fmt.Sprintf("ball%d", i+1), Kind: world.Dynamic,
			Position: vec{X: -9 + 1.1*float64(i%13), Y: 1 + 1.2*float64(i/13)},
			Shapes:   []world.ShapeDef{bouncy(world.Circle(r.between(.2, .36)), .2)},
		})
	}
	b.w.Keep(&belt.inside, &shaft.inside, &counter.inside)
	b.w.AddContactHook(func(_ *world.World, contacts []world.Event) {
		belt.update(contacts)
		shaft.update(contacts)
		counter.update(contacts)
	})
	along, up := b.param(beltSpeed, nil), b.param(liftSpeed, nil)
	b.control(func(w *world.World, dt float64) {
		belt.push(w, vec{X: *along}, 8, dt)
		shaft.push(w, vec{Y: *up}, 22, dt)
		at, err := w.Body(gauge)
		if err != nil {
			return
		}
		level := 7 + .25*float64(len(counter.inside))
		w.SetVelocity(gauge, vec{Y: max(-6, min(6, (level-at.Position.Y)*8))})
	})
}
