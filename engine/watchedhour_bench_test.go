package engine_test

import (
	"context"
	"io"
	"runtime"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
)

// BenchmarkAnHourOfWatching measures the cost of streaming and following an hour of
// a world with 300 moving bodies, in one process and in simulated time. It takes
// minutes:
//
//	go test ./engine -run '^$' -bench AnHourOfWatching -benchtime 1x -timeout 2h
func BenchmarkAnHourOfWatching(b *testing.B) {
	for _, states := range []bool{true, false} {
		b.Run(map[bool]string{true: "states", false: "commands"}[states], func(b *testing.B) {
			for b.Loop() {
				e, err := engine.New(engine.Config{Setup: drifters(300), Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}})
				if err != nil {
					b.Fatal(err)
				}
				from, to := io.Pipe()
				stream, setup := e.History().Stream, drifters(300)
				if states {
					stream, setup = e.History().StreamStates, nil
				}
				over := make(chan struct{})
				go func() {
					to.CloseWithError(stream(context.Background(), to))
					close(over)
				}()
				r, err := engine.FollowRecording(from)
				if err != nil {
					b.Fatal(err)
				}
				c := r.Config(setup)
				c.Time.Simulated = true
				f, err := engine.New(c)
				if err != nil {
					b.Fatal(err)
				}
				heap := func(name string) {
					runtime.GC()
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					b.ReportMetric(float64(m.HeapAlloc)/1e6, name)
				}
				const minutes = 60
				for minute := range minutes {
					for range 60 {
						for range 60 {
							e.Step(1)
						}
						for e.View().Tick > f.View().Tick+600 && f.Failure() == nil {
							if f.Step(600); f.View().Tick == r.Ticks {
								time.Sleep(time.Millisecond)
							}
						}
						for range f.Events() {
						}
					}
					switch minute {
					case 0, 9, 29, 59:
						heap(map[int]string{0: "MB-after-1-min", 9: "MB-after-10-min", 29: "MB-after-30-min", 59: "MB-after-60-min"}[minute])
					}
				}
				if f.Failure() != nil {
					b.Fatal(f.Failure())
				}
				b.ReportMetric(float64(r.Ticks-r.First)/60, "s-kept")
				f.Close()
				e.Close()
				from.Close()
				<-over
			}
		})
	}
}
