package goruntime

import (
	"runtime"
	"testing"
)

func TestACollectionIsCountedWithItsPauses(t *testing.T) {
	of := []Metric{Cycles, Forced, AllocBytes, GCPauses}
	before := Read(of...)
	runtime.GC()
	after := Read(of...)
	if n, forced := after.Since(before, Cycles), after.Since(before, Forced); n < 1 || forced != 1 {
		t.Errorf("%v collections, %v of them forced", n, forced)
	}
	if n, sum, most := after.Spread(before, GCPauses); n == 0 || sum <= 0 || most <= 0 {
		t.Errorf("%d pauses, %v ms, the longest %v ms", n, sum, most)
	}
	if n, _, _ := after.Spread(after, GCPauses); n != 0 {
		t.Errorf("%d pauses in no time", n)
	}
	if v := after.Value(HeapGoal); v != 0 {
		t.Errorf("a figure that was not asked for is %v", v)
	}
}

func TestEveryMetricExists(t *testing.T) {
	for _, m := range []Metric{
		Cycles, Forced, Mark, Assist, IdleMark, CollectorCPU, CPU, GOGC, MemoryLimit, AllocObjects, AllocBytes, HeapGoal,
		HeapLive, HeapObjects, Memory, MaxProcs, Goroutines, MutexWait, GCPauses, OtherPauses, Latencies,
	} {
		if Read(m)[0].Value.Kind() == 0 {
			t.Error(m)
		}
	}
}

func TestASampleIsReadAgainWithoutAllocating(t *testing.T) {
	s := Read(Cycles, AllocBytes, GCPauses)
	if n := testing.AllocsPerRun(20, s.Update); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
