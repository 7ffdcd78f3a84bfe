package engine_test

import (
	"runtime"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/test/norace"
	"halfstep/world"
)

// Earlier, the log of commands kept the memory of its largest burst.
func TestTheMemoryOfABurstOfCommandsIsGivenBack(t *testing.T) {
	norace.Only(t)
	e := start(t, engine.Config{Time: engine.Time{Simulated: true}})
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	e.Advance(time.Second / 60)
	before := heap()
	for range 100_000 {
		e.Impulse(77, world.Vec{X: 1})
	}
	for range 900 {
		e.Advance(time.Second / 60)
		for range e.Events() {
		}
	}
	if grown := int64(heap()) - int64(before); grown > 4<<20 {
		t.Errorf("%d bytes are kept", grown)
	}
}
