package scenes_test

import (
	"context"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/cmd/viewer/scenes"
	"halfstep/engine"
	"halfstep/world"
)

// counted counts the streamed bytes after the beginning.
type counted struct {
	bytes, writes atomic.Int64
}

func (c *counted) Write(b []byte) (int, error) {
	if c.writes.Add(1) > 1 {
		c.bytes.Add(int64(len(b)))
	}
	return len(b), nil
}

// BenchmarkWatched runs scenes in real time. It reports the bytes for a watcher, and for
// comparison the bytes of all states. It also reports by how much steps and frames are
// longer with watchers. This is the median of the ratios of half a second with watchers to
// half a second without.
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
			// the function half runs for half a second, and returns the median durations of steps and
			// frames
			half := func() (step, frame float64) {
				mu.Lock()
				steps = steps[:0]
				mu.Unlock()
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
				if len(steps) == 0 { // the machine was busy with another program
					return 1, 1
				}
				slices.Sort(steps)
				slices.Sort(frames)
				return float64(steps[len(steps)/2]), float64(frames[len(frames)/2])
			}
			const rounds = 30
			bodies := func() float64 { return float64(e.View().Counts.Bodies) }
			for _, with := range []struct {
				watchers int
				stream   func(context.Context, io.Writer) error
				by       string
			}{{1, e.History().Stream, "causes"}, {8, e.History().Stream, "causes"}, {1, e.History().StreamStates, "states"}, {8, e.History().StreamStates, "states"}} {
				var bySteps, byFrames []float64
				var bytes, seconds float64
				for range rounds {
					step0, frame0 := half()
					ctx, leave := context.WithCancel(context.Background())
					sent := make([]counted, with.watchers)
					var all sync.WaitGroup
					for i := range sent {
						all.Go(func() { _ = with.stream(ctx, &sent[i]) })
					}
					for i := range sent {
						for ; sent[i].writes.Load() == 0; time.Sleep(time.Millisecond) {
							e.Frame()
						}
					}
					before, began := sent[0].bytes.Load(), time.Now()
					step1, frame1 := half()
					bytes, seconds = bytes+float64(sent[0].bytes.Load()-before), seconds+time.Since(began).Seconds()
					leave()
					all.Wait()
					e.Frame()
					bySteps, byFrames = append(bySteps, step1/step0), append(byFrames, frame1/frame0)
				}
				slices.Sort(bySteps)
				slices.Sort(byFrames)
				b.Logf("%d watchers by %s: step ×%.2f (quartiles %.2f to %.2f), frame ×%.2f (%.2f to %.2f); %.1f kB/s each; %.0f bodies of 32 bytes are %.0f kB/s", with.watchers, with.by,
					bySteps[rounds/2], bySteps[rounds/4], bySteps[rounds*3/4], byFrames[rounds/2], byFrames[rounds/4], byFrames[rounds*3/4], bytes/seconds/1e3, bodies(), bodies()*32*60/1e3)
			}
		})
	}
}
