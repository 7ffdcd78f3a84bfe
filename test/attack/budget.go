package attack

import (
	"runtime"
	"runtime/metrics"
	"time"

	"halfstep/test/cputime"
)

// Budget is the memory and the processor time that may be needed to read data: a fixed
// part, and a part for each byte of data.
type Budget struct {
	Heap, HeapPerByte uint64 // bytes
	CPU, CPUPerByte   time.Duration
}

// Spend calls f, which reads the given number of bytes of data. The test fails if f needs
// more than the budget.
func (a *Attack) Spend(b Budget, what string, bytes int, f func()) {
	a.Helper()
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	runtime.GC()
	metrics.Read(heap)
	before, end := heap[0].Value.Uint64(), make(chan struct{})
	peak := make(chan uint64)
	go func() {
		sample, most := []metrics.Sample{{Name: heap[0].Name}}, uint64(0)
		for {
			metrics.Read(sample)
			most = max(most, sample[0].Value.Uint64())
			select {
			case <-end:
				peak <- most
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	began := cputime.Used()
	a.Try(what, f)
	took := cputime.Used() - began
	close(end)
	used := <-peak
	used -= min(used, before)
	if limit := b.Heap + b.HeapPerByte*uint64(bytes); used > limit {
		a.Errorf("%s: %d bytes take %d MB of memory, and may take %d", what, bytes, used>>20, limit>>20)
	}
	if limit := b.CPU + b.CPUPerByte*time.Duration(bytes); took > limit {
		a.Errorf("%s: %d bytes take %v of the processor, and may take %v", what, bytes, took, limit)
	}
}
