package engine_test

import (
	"bytes"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/world"
)

// recordRun records a run at 60 frames a second up to a tick. If give is not nil, it is
// called before each frame with the demanded tick.
func recordRun(t testing.TB, setup func(*world.World) error, o engine.RecordOptions, ticks uint64, give func(*engine.Engine, uint64)) []byte {
	t.Helper()
	var file bytes.Buffer
	o.W = &file
	e, err := engine.New(engine.Config{Setup: setup, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &o}})
	if err != nil {
		t.Fatal(err)
	}
	e.SetLastTick(ticks)
	for e.View().Tick < ticks {
		if give != nil {
			give(e, e.Demanded())
		}
		e.Advance(time.Second / 60)
		if f := e.Failure(); f != nil {
			t.Fatal(f)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}
