package engine_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/internal/exports"
	"halfstep/internal/history"
	"halfstep/test/norace"
	"halfstep/world"
)

// savedAt runs an arena. It returns the snapshot of a tick as bytes, and the hashes of all
// ticks. A controller that runs before all other controllers takes the snapshot.
func savedAt(t *testing.T, c engine.Config, tick, ticks uint64) ([]byte, map[uint64]uint64) {
	t.Helper()
	var s world.Snapshot
	a := new(arena)
	c.Setup = func(w *world.World) error {
		w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
			if w.Tick() == tick {
				if err := w.Snapshot(&s); err != nil {
					t.Error(err)
				}
			}
		}))
		return a.setup(w)
	}
	e := start(t, c)
	e.Step(int(ticks))
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data, a.hashes
}

func TestAnEngineThatBeginsWithASnapshotGoesOnAsTheOtherDid(t *testing.T) {
	norace.Only(t)
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		for _, every := range []int{1, 8} {
			c := engine.Config{World: world.Config{Stepper: stepper, Workers: 1}, Time: engine.Time{Simulated: true}}
			data, want := savedAt(t, c, 101, 200)
			a := new(arena)
			var file bytes.Buffer
			c.Setup = func(w *world.World) error {
				w.AddController(world.ControllerFunc(func(*world.World, float64) {}))
				return a.setup(w)
			}
			var err error
			if c.History.Snapshot, err = world.LoadSnapshot(data); err != nil {
				t.Fatal(err)
			}
			c.History.Rollback = engine.RollbackOptions{Ticks: 30, Every: every}
			c.Testing.SyncTest = 3 * (every % 2)
			c.History.Record = &engine.RecordOptions{W: &file}
			e := start(t, c)
			if e.Demanded() != 101 {
				t.Fatalf("it begins at tick %d", e.Demanded())
			}
			for e.Demanded() < 200 {
				now := e.Demanded()
				if err := e.History().Rollback(101-1, nil); !errors.Is(err, engine.ErrTooOld) {
					t.Fatalf("back to before the beginning: %v", err)
				}
				if err := e.History().Rollback(now-min(now-101, 7), nil); err != nil {
					t.Fatal(err)
				}
				e.Advance(time.Second / 40)
			}
			e.Step(0)
			if err := e.Failure(); err != nil {
				t.Fatal(err)
			}
			last := e.View().Tick
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			for tick := uint64(102); tick < last; tick++ {
				if a.hashes[tick] != want[tick] {
					t.Fatalf("%v: tick %d differs from the run that the snapshot is of", stepper, tick)
				}
			}
			r, err := engine.ReadRecording(&file)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Verify(c.Setup); err != nil || r.First != 101 {
				t.Errorf("the recording begins at tick %d: %v", r.First, err)
			}
		}
	}
}

// startedFrom returns an engine that begins with a snapshot of another engine's present world.
// The snapshot was written and read again.
func startedFrom(t *testing.T, e *engine.Engine) *engine.Engine {
	t.Helper()
	var data []byte
	e.Inspect(func(w *world.World) {
		s := history.Saved{Snapshot: new(world.Snapshot), Kept: exports.Kept.(func(*engine.Engine) *history.Kept)(e)}
		err := w.Snapshot(s.Snapshot)
		if err == nil {
			data, err = s.AppendBinary(nil)
		}
		if err != nil {
			t.Error(err)
		}
	})
	e.Step(0)
	s, err := history.LoadSaved(data)
	if err != nil {
		t.Fatal(err)
	}
	c := engine.Config{Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Snapshot: s.Snapshot}}
	exports.BeginWith.(func(*engine.HistoryOptions, *history.Kept))(&c.History, s.Kept)
	return start(t, c)
}

func TestTheViewHasTheStatesOfTheSnapshotBeforeTheFirstFrame(t *testing.T) {
	c := engine.Config{Time: engine.Time{Simulated: true}}
	data, _ := savedAt(t, c, 10, 12)
	var err error
	if c.History.Snapshot, err = world.LoadSnapshot(data); err != nil {
		t.Fatal(err)
	}
	a := new(arena)
	c.Setup = func(w *world.World) error {
		w.AddController(world.ControllerFunc(func(*world.World, float64) {}))
		return a.setup(w)
	}
	e := start(t, c)
	tick, bodies := e.View().Tick, len(e.View().Cur)
	if tick != 10 || bodies == 0 || e.View().Cur[0] != e.View().Prev[0] {
		t.Errorf("tick %d with %d bodies", tick, bodies)
	}
	if v := e.Advance(0); !v.Fresh || v.Tick != tick {
		t.Errorf("the first frame has tick %d, fresh: %v", v.Tick, v.Fresh)
	}
}

func TestHandlesGoOnAfterThoseOfABodyThatWaitsInTheSnapshot(t *testing.T) {
	e := start(t, engine.Config{Time: engine.Time{Simulated: true}})
	_, shapes := e.At(9).CreateBodyWithShapes(world.BodyDef{Shapes: []world.ShapeDef{world.Circle(1), world.Circle(2)}})
	e.Step(1)
	other := startedFrom(t, e)
	if next := other.CreateShape(1, world.Circle(1)); next != shapes[1]+1 {
		t.Errorf("after %v comes %v", shapes, next)
	}
}

func TestWhatIsThereAfterARestoreIsNotToldAsRemovedThoughTheSnapshotWasLoaded(t *testing.T) {
	e := start(t, engine.Config{Time: engine.Time{Simulated: true}})
	b := e.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(1)}})
	hinge := e.CreateJoint(world.JointDef{Kind: world.RevoluteJoint, A: b, B: e.CreateBody(world.BodyDef{})})
	e.KeepSnapshot(0)
	e.Step(3)
	other := startedFrom(t, e)
	gone := other.CreateBody(world.BodyDef{})
	second := other.CreateJoint(world.JointDef{Kind: world.RevoluteJoint, A: b, B: gone})
	other.Step(1)
	other.RestoreSnapshot(0)
	other.Step(0)
	var removed []any
	for ev := range other.Events() {
		switch ev.Kind {
		case world.BodyRemoved:
			removed = append(removed, ev.A)
		case world.JointRemoved:
			removed = append(removed, ev.Joint)
		}
	}
	if _, ok := other.Pose(b); !ok || !slices.Equal(removed, []any{second, gone}) {
		t.Errorf("%v removed, not %v and %v; %v is shown: %v; %v stays", removed, second, gone, b, ok, hinge)
	}
}
