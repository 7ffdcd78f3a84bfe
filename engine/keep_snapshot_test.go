package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/world"
)

// pile is 300 boxes on the ground.
func pile(w *world.World) error {
	_, err := w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Box(50, .5)}})
	for i := range 300 {
		if err == nil {
			_, err = w.CreateBody(world.BodyDef{
				Kind: world.Dynamic, Position: world.Vec{X: 1.2 * float64(i%20-10), Y: 1 + .85*float64(i/20)}, Shapes: []world.ShapeDef{world.Box(.4, .4)},
			})
		}
	}
	return err
}

// edit keeps a moment, as the undo list of an editor does, and changes a body.
func edit(e *engine.Engine, n int) {
	e.KeepSnapshot(n)
	e.Teleport(world.Body(2+n), world.Vec{X: 30 + float64(n), Y: 3}, 0)
	e.Step(1)
}

func TestABlackBoxBesideManyMomentsIsLittleLargerThanWithoutAny(t *testing.T) {
	norace.Only(t)
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		size := func(moments int) int {
			e := start(t, engine.Config{
				Setup: pile, World: world.Config{Stepper: stepper}, Time: engine.Time{Simulated: true},
				History: engine.HistoryOptions{BlackBox: &engine.BlackBoxOptions{InMemory: true, Length: time.Second}},
			})
			e.Step(400)
			for n := range moments {
				edit(e, n)
			}
			e.Step(300) // the moments are older than the past in the black box
			file, err := e.History().BlackBox()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := read(t, file).Verify(bare); err != nil {
				t.Error(err)
			}
			return len(file)
		}
		none, many := size(0), size(100)
		if many > none*3/2 {
			t.Errorf("%v: %d bytes beside 100 moments, %d without", stepper, many, none)
		}
	}
}

// Files that are written after moments were kept contain the moments. A recording, a black
// box, a stream and a replay of the past must all restore the same states.
func TestWhateverBeginsLaterRestoresMomentsThatWereKeptBefore(t *testing.T) {
	for _, mode := range []renderloop.Sync{renderloop.Pipelined, renderloop.RunAhead} {
		var file, stream bytes.Buffer
		e := start(t, engine.Config{
			Setup: stack, Time: engine.Time{Simulated: true, Sync: mode},
			History: engine.HistoryOptions{
				BlackBox: &engine.BlackBoxOptions{InMemory: true, Length: time.Second, Memory: 1 << 24}, Rollback: engine.RollbackOptions{Ticks: 3},
			},
		})
		hash := func() (h uint64) {
			e.Inspect(func(w *world.World) { h = w.Hash() })
			e.Step(0)
			return h
		}
		run := func(frames int) {
			for range frames {
				e.Advance(time.Second / 60)
			}
		}
		var was [5]uint64
		for n := range was {
			run(7)
			e.SetPaused(true)
			e.Step(0)
			was[n] = hash()
			e.KeepSnapshot(n)
			e.SetPaused(false)
		}
		run(200)
		if err := e.History().StartRecording(engine.RecordOptions{W: &file}); err != nil {
			t.Fatal(err)
		}
		done, begun := make(chan error, 1), make(chan struct{})
		first := sync.OnceFunc(func() { close(begun) })
		w := writerFunc(func(p []byte) (int, error) {
			defer first()
			return stream.Write(p)
		})
		go func() { done <- e.History().Stream(context.Background(), w) }()
		for begins := true; begins; run(1) {
			select {
			case <-begun:
				begins = false
			case <-time.After(time.Millisecond):
			}
		}
		run(10)
		for n, want := range was {
			e.SetPaused(true)
			e.RestoreSnapshot(n)
			if e.Step(0); hash() != want {
				t.Errorf("%v: moment %d is another", mode, n)
			}
			e.SetPaused(false)
			run(5)
		}
		box, err := e.History().BlackBox()
		past, err2 := e.History().Past()
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		for name, r := range map[string]*engine.Recording{"recording": read(t, file.Bytes()), "stream": read(t, stream.Bytes()), "black box": read(t, box), "past": past} {
			if _, err := r.Verify(bare); err != nil {
				t.Errorf("%v, %s: %v", mode, name, err)
			}
			p, err := r.Player(bare, engine.PlayerOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, tick := range []uint64{r.Ticks, r.First, r.Ticks - 3, (r.First + r.Ticks) / 2, r.Ticks} { // by keyframes
				if err := p.Seek(tick); err != nil {
					t.Errorf("%v, %s, tick %d: %v", mode, name, tick, err)
				}
			}
			p.Close()
		}
	}
}

func TestARollbackPutsBackWhatWasKept(t *testing.T) {
	for _, mode := range []renderloop.Sync{renderloop.Lockstep, renderloop.RunAhead} {
		for _, takesBack := range []bool{false, true} {
			e := start(t, engine.Config{
				Setup: stack, Time: engine.Time{Simulated: true, Sync: mode}, History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 60}},
			})
			keep := e.From(here)
			ticks := [2]uint64{}
			for n := range ticks {
				e.Step(10)
				ticks[n] = e.Demanded()
				keep.KeepSnapshot(0)
				if n == 0 {
					e.KeepSnapshot(1)
				}
			}
			e.Step(10)
			want := ticks[1]
			err := e.History().Rollback(ticks[1], func(c world.Commands) {
				if takesBack {
					want = ticks[0]
					c.From(here).At(ticks[1]).Nothing()
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			for range 20 {
				e.Advance(time.Second / 60)
			}
			e.RestoreSnapshot(0)
			var got uint64
			e.Inspect(func(w *world.World) { got = w.Tick() })
			if e.Step(0); got != want {
				t.Errorf("%v, taken back %v: the moment is of tick %d, not %d", mode, takesBack, got, want)
			}
		}
	}
}

func TestNumbersOfMomentsThatAreNotThereAreRejectedInOneLine(t *testing.T) {
	e := start(t, engine.Config{Time: engine.Time{Simulated: true, EventsAtOnce: true}})
	e.KeepSnapshot(-1)
	e.KeepSnapshot(world.MaxSnapshots)
	e.RestoreSnapshot(math.MaxInt32)
	e.RestoreSnapshot(5)
	e.Step(1)
	told := []string{}
	for ev := range e.Events() {
		if ev.Kind == world.CommandRejected {
			told = append(told, fmt.Sprint(ev.Err))
		}
	}
	if len(told) != 4 || told[0] != "world: no snapshot -1: the numbers go from 0 to 1023" || told[3] != "world: there is no snapshot 5" {
		t.Errorf("told %q", told)
	}
}

func bare(*world.World) error { return nil }
