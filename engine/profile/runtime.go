package profile

import "halfstep/internal/goruntime"

func readRuntime() map[string]float64 {
	published := []goruntime.Metric{
		goruntime.CollectorCPU, goruntime.CPU, goruntime.Cycles, goruntime.GOGC, goruntime.MemoryLimit,
		goruntime.AllocBytes, goruntime.AllocObjects, goruntime.HeapGoal, goruntime.HeapLive, goruntime.HeapObjects,
		goruntime.Memory, goruntime.MaxProcs, goruntime.Goroutines, goruntime.MutexWait,
	}
	now, values := goruntime.Read(published...), map[string]float64{}
	for _, m := range published {
		values[m] = now.Value(m)
	}
	return values
}
