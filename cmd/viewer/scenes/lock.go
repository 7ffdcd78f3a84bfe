package scenes

import (
	"sync"
	"time"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "lock",
		Description: "boxes with a controller that waits for a lock, which a slow writer holds: steps are late, but not busy",
		Config: config(func(b *builder) {
			heap(b, 60)
			b.w.AddController(&journal{})
		}),
		View:     View{Y: 6, Width: 26.5, Height: 15},
		Category: Profiling,
	})
}

// journal records the position of every body. Every two seconds another goroutine
// saves the journal to a simulated slow disk. During that time the goroutine has
// locked the journal.
type journal struct {
	mu    sync.Mutex
	lines []vec
	ticks int
}

const (
	saveEvery = 120 // ticks
	saveTime  = 150 * time.Millisecond
)

// BeforeStep waits while a save has locked the journal.
func (j *journal) BeforeStep(w *world.World, _ float64) {
	j.mu.Lock()
	for n := range w.Bodies() {
		if b, err := w.Body(n); err == nil {
			j.lines = append(j.lines, b.Position)
		}
	}
	if j.ticks++; j.ticks%saveEvery == 0 {
		go j.save() // save unlocks mu; if save itself locked mu, more lines might be recorded first
		return
	}
	j.mu.Unlock()
}

func (j *journal) save() {
	defer j.mu.Unlock()
	time.Sleep(saveTime) // the disk
	j.lines = j.lines[:0]
}
