package history

import (
	"testing"

	"halfstep/buffer"
	"halfstep/world"
)

func TestARollbackLetsGoOfWhatABurstOfEventsTook(t *testing.T) {
	r := &router{comparesDue: true}
	out := &buffer.Outbox[world.Event]{Events: buffer.NewLog[world.Event]()}
	worlds := r.start(out)
	var kept keptTick
	told := uint64(0)
	for tick := range 40 {
		n := 3
		if tick == 5 {
			n = 50_000
		}
		kept.events = cleared(kept.events)
		for range n {
			worlds.Events.Next().Kind = world.BodySlept
		}
		kept.happened(r.settle(0))
		if told += uint64(n); len(kept.events) != n || out.Events.Count() != told {
			t.Fatalf("tick %d: %d of %d events are kept, %d of %d are told", tick, len(kept.events), n, out.Events.Count(), told)
		}
	}
	if cap(kept.events) > 1024 || cap(r.batch) > 1024 {
		t.Errorf("there is room for %d and %d events", cap(kept.events), cap(r.batch))
	}
}
