//go:build unix

package scenes

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/test/cputime"
)

var seekTicks = flag.Uint64("seek-ticks", 36_000, "length of the recordings of BenchmarkSeek")

// BenchmarkSeek goes to 100 random ticks of a recording that was played once, with
// the default memory for keyframes, and reports how much processor time and how
// long that takes.
//
//	go test ./cmd/viewer/scenes -run '^$' -bench Seek -benchtime 1x -timeout 30m
func BenchmarkSeek(b *testing.B) {
	for _, c := range []struct {
		name, scene string
		sleep       bool
	}{{"rain", "rain", true}, {"fall1000-asleep", "fall1000", true}, {"fall1000-awake", "fall1000", false}} {
		b.Run(c.name, func(b *testing.B) {
			r, config := longRecording(b, c.scene, c.sleep)
			p, err := r.Player(config.Setup, engine.PlayerOptions{})
			if err != nil {
				b.Fatal(err)
			}
			defer p.Close()
			if err := p.Seek(r.Ticks); err != nil {
				b.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(1, 2))
			var took, wall []float64
			b.ResetTimer()
			for range b.N {
				for range 100 {
					tick := rng.Uint64N(r.Ticks + 1)
					began, before := time.Now(), cputime.Used()
					if err := p.Seek(tick); err != nil {
						b.Fatal(err)
					}
					took = append(took, (cputime.Used()-before).Seconds()*1e3)
					wall = append(wall, time.Since(began).Seconds()*1e3)
				}
			}
			for _, of := range []struct {
				name string
				ms   []float64
			}{{"cpu-ms", took}, {"wall-ms", wall}} {
				slices.Sort(of.ms)
				at := func(q float64) float64 { return of.ms[int(q*float64(len(of.ms)-1))] }
				b.ReportMetric(at(.5), "p50-"+of.name)
				b.ReportMetric(at(.99), "p99-"+of.name)
			}
		})
	}
}

// longRecording records a scene at 60 frames per second.
func longRecording(b *testing.B, name string, sleep bool) (*engine.Recording, engine.Config) {
	s, ok := Lookup(name)
	if !ok {
		b.Fatal(name)
	}
	c := s.Config()
	c.World.NoSleep = !sleep
	c.Time.Simulated = true
	var file bytes.Buffer
	c.History.Record = &engine.RecordOptions{W: &file}
	e, err := engine.New(c)
	if err != nil {
		b.Fatal(err)
	}
	e.SetLastTick(*seekTicks)
	for e.View().Tick < *seekTicks {
		e.Advance(time.Second / 60)
	}
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
	r, err := engine.ReadRecording(&file)
	if err != nil {
		b.Fatal(err)
	}
	return r, c
}
