package figures

import (
	"halfstep/internal/goruntime"
)

// runtimeMetrics are the Go runtime's metrics of garbage collection. They count
// from the moment when the scene is opened. Nearly all allocations are made by
// physics, because frames do not allocate.
type runtimeMetrics struct {
	start, now goruntime.Sample

	Cycles                float64
	Pauses                uint64
	Longest, Paused       float64 // in ms, as exactly as the runtime's histogram tells
	PerStep, BytesPerStep float64 // allocations, and their bytes, per step since the last read

	last struct{ tick, objects, bytes float64 } // last has the values of the last read.
}

// reset starts all counts at 0.
func (r *runtimeMetrics) reset() {
	read := func() goruntime.Sample {
		return goruntime.Read(goruntime.Cycles, goruntime.AllocObjects, goruntime.AllocBytes, goruntime.GCPauses)
	}
	*r = runtimeMetrics{start: read(), now: read()}
	r.last.objects, r.last.bytes = r.now.Value(goruntime.AllocObjects), r.now.Value(goruntime.AllocBytes)
}

// read updates the metrics. The parameter tick is the tick of the last step.
func (r *runtimeMetrics) read(tick uint64) {
	r.now.Update()
	r.Cycles = r.now.Since(r.start, goruntime.Cycles)
	r.Pauses, r.Paused, r.Longest = r.now.Spread(r.start, goruntime.GCPauses)
	if steps := float64(tick) - r.last.tick; steps > 0 {
		objects, bytes := r.now.Value(goruntime.AllocObjects), r.now.Value(goruntime.AllocBytes)
		r.PerStep, r.BytesPerStep = (objects-r.last.objects)/steps, (bytes-r.last.bytes)/steps
		r.last.tick, r.last.objects, r.last.bytes = float64(tick), objects, bytes
	}
}
