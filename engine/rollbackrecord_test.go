package engine_test

import (
	"bytes"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/world"
)

// Rollbacks go back to before the recordings begin, if those begin when they are
// asked to.
func TestARecordingThatBeginsWhileRollbacksHappenReplays(t *testing.T) {
	for _, from := range []uint64{0, 50} {
		var file bytes.Buffer
		c := engine.Config{Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}}
		if from > 0 {
			c.History.Record = &engine.RecordOptions{W: &file, From: from}
		}
		a := playArenaWith(t, c, 3, 100, func(e *engine.Engine, tick uint64) {
			if from == 0 && tick == 47 {
				if err := e.History().StartRecording(engine.RecordOptions{W: &file}); err != nil {
					t.Fatal(err)
				}
			}
		})
		r, err := engine.ReadRecording(&file)
		if err != nil {
			t.Fatal(err)
		}
		if r.First >= 50 || r.First < 30 || r.Ticks != 100 {
			t.Errorf("the recording goes from tick %d to %d", r.First, r.Ticks)
		}
		again := &arena{}
		if hash, err := r.Verify(again.setup); err != nil || hash != r.FinalHash() {
			t.Fatalf("from tick %d: hash %x, want %x: %v", r.First, hash, r.FinalHash(), err)
		}
		for tick := r.First + 1; tick < 100; tick++ {
			if again.hashes[tick] != a.hashes[tick] {
				t.Fatalf("tick %d has another hash", tick)
			}
		}
	}
}

func TestABlackBoxHasWhatHappenedInTheEndAlsoWhereARollbackChangedIt(t *testing.T) {
	var files []string
	c := engine.Config{
		Time:    engine.Time{Sync: renderloop.Lockstep},
		History: engine.HistoryOptions{BlackBox: &engine.BlackBoxOptions{Dir: t.TempDir(), Length: 700 * time.Millisecond, MaxFiles: 100}},
	}
	a := playArenaWith(t, c, 5, 100, func(e *engine.Engine, tick uint64) {
		if tick%13 != 0 || tick == 0 {
			return
		}
		path, err := e.History().DumpBlackBox("test")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	})
	late := uint64(0)
	for _, path := range files {
		r, err := engine.OpenRecording(path)
		if err != nil {
			t.Fatal(err)
		}
		again := &arena{}
		if _, err := r.Verify(again.setup); err != nil {
			t.Errorf("from tick %d to %d: %v", r.First, r.Ticks, err)
		}
		// What was a guess then has been replaced since.
		for tick := r.First + 1; tick+12 < r.Ticks; tick++ {
			if again.hashes[tick] != a.hashes[tick] {
				t.Errorf("from tick %d to %d: tick %d has another hash", r.First, r.Ticks, tick)
				break
			}
		}
		late = max(late, r.First)
	}
	if late < 40 {
		t.Errorf("the last file begins at tick %d", late)
	}
}

// playArenaWith is playArena, with rollbacks of all lengths and a call before each
// frame.
func playArenaWith(t *testing.T, c engine.Config, seed uint64, ticks uint64, each func(*engine.Engine, uint64)) *arena {
	t.Helper()
	a := &arena{}
	c.Setup, c.History.Rollback.Ticks = a.setup, 12
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.SetLastTick(ticks)
	for given := uint64(0); e.View().Tick < ticks; {
		now := e.Demanded()
		each(e, now)
		if now > 1 {
			from := now - min(now-1, 1+now*7919%12)
			if err := e.History().Rollback(from, func(c world.Commands) {
				for at := from; at < now; at++ {
					a.give(c, there, at, seed, false)
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
		for ; given <= now; given++ {
			e.Force(a.boxes[given%3], world.Vec{Y: 15})
			a.give(e.Commands, there, given, seed, true)
			a.give(e.Commands, here, given, seed, false)
		}
		e.Advance(frameTime)
		if err := e.Failure(); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return a
}
