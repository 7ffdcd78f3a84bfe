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
// saves it to a simulated slow disk, and holds the lock meanwhile.
type journal struct {
	mu    sync.Mutex
	lines []vec
	ticks int
}

const (
	saveEvery = 120 // ticks
	saveTime  = 150 * time.Millisecond
)

// BeforeStep waits if a save holds the lock.
func (j *journal) BeforeStep(w *world.World, _ float64) {
	j.mu.Lock()
	for n := range w.Bodies() {
		if b, err := w.Body(n); err == nil {
			j.lines = append(j.lines, b.Position)
		}
	}
	if j.ticks++; j.ticks%saveEvery == 0 {
		go j.save() // unlocks mu; if it had to lock mu again, more and more lines might come first
		return
	}
	j.mu.Unlock()
}

func (j *journal) save() {
	defer j.mu.Unlock()
	time.Sleep(saveTime) // the disk
	j.lines = j.lines[:0]
}
