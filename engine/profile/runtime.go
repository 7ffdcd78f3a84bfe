package profile

import "runtime/metrics"

// published are the runtime's figures that matter to frame times; histograms
// are left out.
var published = []string{
	"/cpu/classes/gc/total:cpu-seconds",
	"/cpu/classes/total:cpu-seconds",
	"/gc/cycles/total:gc-cycles",
	"/gc/gogc:percent",
	"/gc/gomemlimit:bytes",
	"/gc/heap/allocs:bytes",
	"/gc/heap/allocs:objects",
	"/gc/heap/goal:bytes",
	"/gc/heap/live:bytes",
	"/gc/heap/objects:objects",
	"/memory/classes/total:bytes",
	"/sched/gomaxprocs:threads",
	"/sched/goroutines:goroutines",
	"/sync/mutex/wait/total:seconds",
}

func readRuntime() map[string]float64 {
	samples := make([]metrics.Sample, len(published))
	for i, name := range published {
		samples[i].Name = name
	}
	metrics.Read(samples)
	values := make(map[string]float64, len(samples))
	for _, s := range samples {
		switch s.Value.Kind() {
		case metrics.KindUint64:
			values[s.Name] = float64(s.Value.Uint64())
		case metrics.KindFloat64:
			values[s.Name] = s.Value.Float64()
		}
	}
	return values
}
