package engine_test

import (
	"runtime"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/world"
)

func heapMB() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

// Earlier, a million commands and the events of their rejection (half a gigabyte)
// stayed in memory while the engine was referenced.
func TestAClosedEngineKeepsNoCommandsAndNoEvents(t *testing.T) {
	norace.Only(t)
	const many, most = 20_000, 2 // in MB; a command takes 0.2 kB, and an event takes 0.3 kB
	var gone world.Body
	send := func(e *engine.Engine) {
		for range many {
			e.DestroyBody(gone)
		}
	}
	frame := func(e *engine.Engine) { e.Advance(time.Second / 60) }
	for name, use := range map[string]func(e *engine.Engine){
		"no frame has sent":   send,
		"no frame follows":    func(e *engine.Engine) { send(e); frame(e) },
		"nobody takes events": func(e *engine.Engine) { send(e); frame(e); e.Step(1); frame(e) },
		"events are taken": func(e *engine.Engine) {
			send(e)
			frame(e)
			e.Step(1)
			for range e.Events() {
			}
		},
		"physics has failed": func(e *engine.Engine) {
			e.Do(func(*world.World) { panic("user code") })
			send(e)
			runInto(t, e)
		},
	} {
		for _, c := range []engine.Config{{}, {
			History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 10}}, Time: engine.Time{Sync: renderloop.RunAhead, EventsAtOnce: true, Simulated: true},
		}} {
			before := heapMB()
			e, err := engine.New(c)
			if err != nil {
				t.Fatal(err)
			}
			frame(e)
			use(e)
			e.Close()
			if kept := heapMB() - before; kept > most {
				t.Errorf("%s, %v: %.1f MB are kept", name, c.Time.Sync, kept)
			}
			frame(e)
			for ev := range e.Events() {
				t.Errorf("%s, %v: event %v after Close", name, c.Time.Sync, ev)
				break
			}
			send(e)
			if kept := heapMB() - before; kept > most {
				t.Errorf("%s, %v: %.1f MB are kept with what came after Close", name, c.Time.Sync, kept)
			}
			runtime.KeepAlive(e)
		}
	}
}
