package scenes

import (
	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "leak",
		Description: "boxes whose controller remembers every place they ever were at: memory that only grows",
		Config: config(func(b *builder) {
			heap(b, 200)
			b.w.AddController(&memory{trails: map[world.Body][]footprint{}})
		}),
		View: View{Y: 7, Height: 20},
	})
}

// memory was meant for a short replay, but nobody drops what is old.
type memory struct {
	trails map[world.Body][]footprint
}

type footprint struct {
	at, velocity vec
	angle        float64
}

// BeforeStep remembers.
func (m *memory) BeforeStep(w *world.World, _ float64) {
	for n := range w.Bodies() {
		b, err := w.Body(n)
		if err != nil {
			continue
		}
		m.trails[n] = append(m.trails[n], footprint{b.Position, b.Velocity, b.Angle})
	}
}
