package scenes

import (
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "garbage",
		Description: "boxes with a controller that builds new grids in each step: work for the garbage collector",
		Config: config(func(b *builder) {
			heap(b, 200)
			b.w.AddController(newWasteful())
		}),
		View:     View{Y: 6, Width: 26.5, Height: 15},
		Category: Profiling,
	})
}

// heap fills a tray with boxes.
func heap(b *builder, boxes int) {
	b.static("tray", boxAt(0, -.5, 12, .5, 0), boxAt(-12, 6, .5, 7, 0), boxAt(12, 6, .5, 7, 0))
	for i := range boxes {
		b.dynamic("", vec{X: -9.5 + float64(i%20), Y: 1 + 1.1*float64(i/20)}, dense(world.Box(.4, .4), 1))
	}
}

// wasteful is written like the first version of many programs. In each step it
// makes a new map, with which it finds pairs of bodies that are close to each
// other. It also keeps a large structure of pointers, which each garbage
// collection must scan.
type wasteful struct {
	world map[int]*chunk
	near  int // near is the number of pairs in the last step.
}

type chunk struct {
	neighbours [8]*chunk
	tiles      []*int
}

type cell struct{ x, y int }

type located struct {
	body world.Body
	at   vec
}

const (
	chunks     = 4_000
	tilesEach  = 100
	cellSize   = .5 // m
	sweepsEach = 8  // per step
)

func newWasteful() *wasteful {
	s := &wasteful{world: map[int]*chunk{}}
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

// BeforeStep counts the pairs of bodies that are close to each other.
func (s *wasteful) BeforeStep(w *world.World, _ float64) {
	for range sweepsEach {
		grid := map[cell][]*located{}
		for n := range w.Bodies() {
			b, err := w.Body(n)
			if err != nil {
				continue
			}
			p := cell{int(math.Floor(b.Position.X / cellSize)), int(math.Floor(b.Position.Y / cellSize))}
			for x := p.x - 1; x <= p.x+1; x++ {
				for y := p.y - 1; y <= p.y+1; y++ {
					grid[cell{x, y}] = append(grid[cell{x, y}], &located{n, b.Position})
				}
			}
		}
		s.near = 0
		for _, list := range grid {
			s.near += len(list) * (len(list) - 1) / 2
		}
	}
}
