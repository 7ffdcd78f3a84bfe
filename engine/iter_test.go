package engine_test

import (
	"testing"

	"halfstep/engine"
	"halfstep/world"
)

// waiting returns an engine in which n events wait and nothing more happens.
func waiting(t *testing.T, n int) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.Config{
		Time: engine.Time{Simulated: true, EventsAtOnce: true},
		Setup: func(w *world.World) error {
			for x := range n {
				if _, err := w.CreateBody(world.BodyDef{Position: world.Vec{X: float64(x)}}); err != nil {
					return err
				}
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	e.Advance(sixtieth)
	for b := range e.Poses() {
		e.DestroyBody(b)
	}
	for range 5 {
		e.Advance(sixtieth)
	}
	e.SetPaused(true)
	return e
}

func TestALoopOverEventsThatBreaksLeavesTheRestForTheNext(t *testing.T) {
	const n = 20
	e := waiting(t, n)
	var took []int
	for loops := 0; len(took) < n && loops < n; loops++ {
		for ev := range e.Events() {
			took = append(took, int(ev.A))
			if len(took)%3 == 0 {
				break
			}
		}
	}
	if len(took) != n {
		t.Fatalf("%d events of %d", len(took), n)
	}
	seen := map[int]bool{}
	for _, a := range took {
		seen[a] = true
	}
	if len(seen) != n {
		t.Errorf("%d different events of %d", len(seen), n)
	}
	for ev := range e.Events() {
		t.Errorf("one more event: %v", ev)
	}
}

func TestALoopOverEventsAllocatesNothing(t *testing.T) {
	const loops = 100
	e := waiting(t, loops+1)
	sum, took := 0, 0 // the body of the loop captures these variables
	if n := testing.AllocsPerRun(loops, func() {
		for ev := range e.Events() {
			sum += int(ev.A)
			took++
			break
		}
	}); n != 0 {
		t.Errorf("%v allocations a loop", n)
	}
	if took != loops+1 || sum == 0 { // the first run is not measured
		t.Errorf("%d events were taken", took)
	}
}

func TestALoopOverPosesAllocatesNothing(t *testing.T) {
	e, err := engine.New(engine.Config{Setup: falling})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.SetPaused(true)
	for e.Frame(); len(e.View().Cur) == 0; e.Frame() {
	}
	bodies, sum := 0, 0.0
	if n := testing.AllocsPerRun(100, func() {
		for b, p := range e.Poses() {
			if b != 0 {
				bodies++
			}
			sum += p.Y
		}
	}); n != 0 {
		t.Errorf("%v allocations a loop", n)
	}
	if bodies != 2*101 {
		t.Errorf("%d poses in 101 loops over 2 bodies", bodies)
	}
}

func TestALoopOverPosesMayBreak(t *testing.T) {
	e, err := engine.New(engine.Config{Time: engine.Time{Simulated: true}, Setup: falling})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.Advance(sixtieth)
	n := 0
	for range e.Poses() {
		n++
		break
	}
	if n != 1 {
		t.Errorf("%d poses", n)
	}
}
