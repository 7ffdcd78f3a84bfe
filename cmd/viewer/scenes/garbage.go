package scenes

import (
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "garbage",
		Description: "boxes whose controller builds a new grid of cells each step: what a collector has to clear away",
		Config: config(func(b *builder) {
			heap(b, 200)
			b.w.AddController(newSpendthrift())
		}),
		View: View{Y: 7, Height: 20},
	})
}

// heap drops boxes into a tray.
func heap(b *builder, boxes int) {
	b.static("tray", boxAt(0, -.5, 12, .5, 0), boxAt(-12, 6, .5, 7, 0), boxAt(12, 6, .5, 7, 0))
	for i := range boxes {
		b.dynamic("", vec{X: -9.5 + float64(i%20), Y: 1 + 1.1*float64(i/20)}, dense(world.Box(.4, .4), 1))
	}
}

// spendthrift is written as many first versions are: each step it looks up who
// is near whom in a map that it makes anew. It also keeps a large structure of
// pointers, which each collection has to walk through.
type spendthrift struct {
	world map[int]*chunk
	near  int // pairs, in the last step
}

type chunk struct {
	neighbours [8]*chunk
	tiles      []*int
}

type place struct{ x, y int }

type thing struct {
	body world.Body
	at   vec
}

const (
	chunks     = 4_000
	tilesEach  = 100
	cellSize   = .5 // m
	sweepsEach = 8  // a step
)

func newSpendthrift() *spendthrift {
	s := &spendthrift{world: map[int]*chunk{}}
	for i := range chunks {
		c := &chunk{}
		for j := range tilesEach {
			c.tiles = append(c.tiles, new(j))
		}
		for j := range c.neighbours {
			c.neighbours[j] = s.world[i-j-1]
		}
		s.world[i] = c
	}
	return s
}

// BeforeStep counts pairs that are near each other.
func (s *spendthrift) BeforeStep(w *world.World, _ float64) {
	for range sweepsEach {
		grid := map[place][]*thing{}
		for n := range w.Bodies() {
			b, err := w.Body(n)
			if err != nil {
				continue
			}
			p := place{int(math.Floor(b.Position.X / cellSize)), int(math.Floor(b.Position.Y / cellSize))}
			for x := p.x - 1; x <= p.x+1; x++ {
				for y := p.y - 1; y <= p.y+1; y++ {
					grid[place{x, y}] = append(grid[place{x, y}], &thing{n, b.Position})
				}
			}
		}
		s.near = 0
		for _, list := range grid {
			s.near += len(list) * (len(list) - 1) / 2
		}
	}
}
