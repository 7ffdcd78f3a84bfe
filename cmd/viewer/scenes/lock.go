package scenes

import (
	"sync"
	"time"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "lock",
		Description: "boxes whose controller waits for a lock that a slow writer holds: a step that is late without work",
		Config: config(func(b *builder) {
			heap(b, 60)
			b.w.AddController(&journal{})
		}),
		View: View{Y: 4, Height: 14},
	})
}

// journal notes where every body is. Every two seconds it is saved, as a
// program would to a slow disk, by a goroutine that holds the lock all the while.
type journal struct {
	mu    sync.Mutex
	lines []vec
	ticks int
}

const (
	saveEvery = 120 // ticks
	saveTime  = 150 * time.Millisecond
)

// BeforeStep has to wait for a save that is under way.
func (j *journal) BeforeStep(w *world.World, _ float64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for n := range w.Bodies() {
		if b, err := w.Body(n); err == nil {
			j.lines = append(j.lines, b.Position)
		}
	}
	if j.ticks++; j.ticks%saveEvery == 0 {
		go j.save()
	}
}

func (j *journal) save() {
	j.mu.Lock()
	defer j.mu.Unlock()
	time.Sleep(saveTime) // the disk
	j.lines = j.lines[:0]
}
