package scenes_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/internal/scenes"
	"halfstep/world"
)

// counted counts what is streamed, but for how it begins.
type counted struct {
	bytes, writes atomic.Int64
}

func (c *counted) Write(b []byte) (int, error) {
	if c.writes.Add(1) > 1 {
		c.bytes.Add(int64(len(b)))
	}
	return len(b), nil
}

// BenchmarkWatched runs scenes in real time, and says what a watcher is sent beside what
// states would take, and what steps and frames take with watchers: the median ratio of
// half a second with them to the one without before it.
func BenchmarkWatched(b *testing.B) {
	for _, name := range []string{"rain", "fall1000", "still"} {
		b.Run(name, func(b *testing.B) {
			var c engine.Config
			if s, ok := scenes.Lookup(name); ok {
				c = s.Config()
			} else {
				c.Setup = func(w *world.World) error {
					_, err := w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Box(20, 1)}})
					return err
				}
			}
			var mu sync.Mutex
			var steps []time.Duration
			c.OnStep = func(_ uint64, cost time.Duration) { mu.Lock(); steps = append(steps, cost); mu.Unlock() }
			e, err := engine.New(c)
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close()
			e.Step(120)
			// half runs for half a second, and returns the median step and frame.
			half := func() (step, frame float64) {
				steps = steps[:0]
				var frames []time.Duration
				next := time.Now()
				for range 30 {
					next = next.Add(time.Second / 60)
					time.Sleep(time.Until(next))
					began := time.Now()
					e.Frame()
					frames = append(frames, time.Since(began))
				}
				mu.Lock()
				defer mu.Unlock()
				slices.Sort(steps)
				slices.Sort(frames)
				return float64(steps[len(steps)/2]), float64(frames[len(frames)/2])
			}
			for _, watchers := range []int{1, 8} {
				var bySteps, byFrames []float64
				var sent counted
				var seconds float64
				for range 30 {
					step0, frame0 := half()
					ctx, leave := context.WithCancel(context.Background())
					var all sync.WaitGroup
					for range watchers {
						all.Go(func() { _ = e.Stream(ctx, &sent) })
					}
					for sent.writes.Store(0); sent.writes.Load() == 0; time.Sleep(time.Millisecond) {
						e.Frame()
					}
					sent.writes.Store(1)
					began := time.Now()
					step1, frame1 := half()
					seconds += time.Since(began).Seconds()
					leave()
					all.Wait()
					e.Frame()
					bySteps, byFrames = append(bySteps, step1/step0), append(byFrames, frame1/frame0)
				}
				slices.Sort(bySteps)
				slices.Sort(byFrames)
				n := b.Name()
				_ = n
				b.Logf("%d watchers: step ×%.3f (%.3f to %.3f), frame ×%.3f (%.3f to %.3f); %.1f kB/s each, states of %d bodies %.0f kB/s", watchers,
					bySteps[15], bySteps[7], bySteps[22], byFrames[15], byFrames[7], byFrames[22],
					float64(sent.bytes.Load())/seconds/1e3/float64(watchers), e.View().Counts.Bodies, float64(e.View().Counts.Bodies)*32*60/1e3)
			}
		})
	}
}
