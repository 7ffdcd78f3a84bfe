package scenes

import (
	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "leak",
		Description: "boxes with a controller that remembers all their positions: memory that only grows",
		Config: config(func(b *builder) {
			heap(b, 200)
			b.w.AddController(&memory{trails: map[world.Body][]footprint{}})
		}),
		View:     View{Y: 6, Width: 26.5, Height: 15},
		Category: Profiling,
	})
}

// memory records positions for a short replay, but never drops old ones.
type memory struct {
	trails map[world.Body][]footprint
}

type footprint struct {
	at, velocity vec
	angle        float64
}

// BeforeStep records all bodies.
func (m *memory) BeforeStep(w *world.World, _ float64) {
	for n := range w.Bodies() {
		b, err := w.Body(n)
		if err != nil {
			continue
		}
		m.trails[n] = append(m.trails[n], footprint{b.Position, b.Velocity, b.Angle})
	}
}
