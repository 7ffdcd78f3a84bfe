package engine_test

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/test/norace"
	"halfstep/world"
)

// A game is saved, and then loaded by a new engine.
func TestASavedWorldGoesOnInANewEngine(t *testing.T) {
	open := func(setup func(w *world.World) error) (*engine.Engine, map[uint64]uint64) {
		hashes := map[uint64]uint64{} // by the world's tick
		e, err := engine.New(engine.Config{Time: engine.Time{Simulated: true}, Setup: func(w *world.World) error {
			w.AddContactHook(func(w *world.World, _ []world.Event) { hashes[w.Tick()] = w.Hash() })
			return setup(w)
		}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		return e, hashes
	}
	run := func(e *engine.Engine, frames int) {
		for range frames {
			e.Advance(time.Second / 60)
		}
	}
	first, want := open(stack)
	ball := world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: 9}, Shapes: []world.ShapeDef{world.Circle(.4)}}
	old := first.CreateBody(ball)
	run(first, 40)
	saved := make(chan []byte, 1)
	first.Inspect(func(w *world.World) {
		var s world.Snapshot
		err := w.Snapshot(&s)
		b, err2 := s.MarshalBinary()
		if err != nil || err2 != nil {
			t.Error(err, err2)
		}
		saved <- b
	})
	run(first, 100)
	data := <-saved

	second, got := open(func(w *world.World) error {
		s, err := world.LoadSnapshot(data)
		if err != nil {
			return err
		}
		return w.Restore(s)
	})
	run(second, 80)
	if b := second.CreateBody(ball); b == old {
		t.Errorf("the new engine gives out %v again", b)
	}
	first.Close()
	second.Close()
	if len(got) < 70 {
		t.Errorf("%d ticks", len(got))
	}
	for tick, hash := range got {
		if want[tick] != hash {
			t.Errorf("tick %d: another hash", tick)
		}
	}
}

func TestARestoredSnapshotIsThePictureOfThePausedTick(t *testing.T) {
	e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true, EventsAtOnce: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.KeepSnapshot(1)
	heights := func() (ys []float32) {
		for i := range e.View().Cur {
			ys = append(ys, e.View().Cur[i].Y)
		}
		return ys
	}
	e.Advance(0)
	want := heights()
	for range 30 {
		e.Advance(time.Second / 60)
	}
	e.SetPaused(true)
	e.Advance(0)
	tick, fallen := e.View().Tick, heights()
	e.RestoreSnapshot(1)
	restored := false
	for range 3 {
		e.Advance(time.Second / 60)
		for ev := range e.Events() {
			restored = restored || ev.Kind == world.WorldRestored
		}
	}
	got := heights()
	if e.View().Tick != tick || !restored || got[3] != want[3] || got[3] == fallen[3] {
		t.Errorf("at tick %d of %d, told %v: %v, first %v, fallen %v", e.View().Tick, tick, restored, got, want, fallen)
	}
}

// A recording contains snapshots and restores that are made by commands, and can be
// replayed.
func TestARecordingWithRestoresReplays(t *testing.T) {
	norace.Only(t)
	for seed := range uint64(4) {
		var file bytes.Buffer
		e, err := engine.New(engine.Config{
			Setup: stack, Time: engine.Time{Simulated: true, EventsAtOnce: true},
			History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file}},
		})
		if err != nil {
			t.Fatal(err)
		}
		e.SetLastTick(150)
		r := rand.New(rand.NewPCG(seed, 2))
		restored := 0
		var made world.Body
		for e.View().Tick < 150 {
			switch r.IntN(12) {
			case 0:
				e.KeepSnapshot(r.IntN(2))
			case 1:
				e.RestoreSnapshot(r.IntN(2)) // this is rejected before the first snapshot
			case 2:
				made = e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: 9}, Shapes: []world.ShapeDef{world.Circle(.3)}})
			case 3:
				e.DestroyBody(made) // the body may belong to a future that a restore has undone
			case 4:
				e.At(e.Demanded() + 3).RestoreSnapshot(0)
			}
			e.Advance(time.Duration(r.IntN(40_000_000)))
			for ev := range e.Events() {
				if ev.Kind == world.WorldRestored {
					restored++
				}
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := read(t, file.Bytes()).Verify(stack); err != nil || restored == 0 {
			t.Fatalf("seed %d, %d restores: %v", seed, restored, err)
		}
	}
}
