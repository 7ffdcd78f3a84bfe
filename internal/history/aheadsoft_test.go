package history

import (
	"math"
	"slices"
	"testing"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/test/norace"
	"halfstep/world"
)

// correct predicts three ticks repeatedly, with and without a kick at some boxes. The boxes touch nothing, and are
// far away from a pile that falls and comes to rest. It returns the greatest difference between the states of the
// pile in m, and the number of states that differ.
func correct(t *testing.T, stepper world.Stepper, boxes [2]int, rounds int) (far []float64, of int) {
	t.Helper()
	w := world.NewSimulation(world.Config{Stepper: stepper, Workers: 1})
	defer w.Close()
	var kicked []world.Body
	for side, x := range []float64{-100, 100} {
		if _, err := w.World().CreateBody(world.BodyDef{Position: world.Vec{X: x}, Shapes: []world.ShapeDef{world.Box(40, .5)}}); err != nil {
			t.Fatal(err)
		}
		for i := range boxes[side] {
			b, err := w.World().CreateBody(world.BodyDef{Kind: world.Dynamic, NoSleep: true, Position: world.Vec{X: x + float64(i%40)*1.05 - 20 + .2*math.Sin(float64(i)), Y: 1 + float64(i/40)}, Shapes: []world.ShapeDef{world.Box(.45, .45)}})
			if err != nil {
				t.Fatal(err)
			}
			if side == 0 && i < 20 {
				kicked = append(kicked, b)
			}
		}
	}
	w.Start(&buffer.Outbox[world.Event]{Structure: buffer.NewLog[body2d.Structure](), Events: buffer.NewLog[world.Event]()})
	var from world.Snapshot
	tick := uint64(0)
	for range rounds {
		for range 5 {
			tick++
			w.Step(tick, dt)
		}
		if err := w.World().Snapshot(&from); err != nil {
			t.Fatal(err)
		}
		var states [2][]body2d.State
		for i := range states {
			if err := private.Rerun(w, &from); err != nil {
				t.Fatal(err)
			}
			if i == 1 {
				for _, b := range kicked {
					if err := w.World().SetVelocity(b, world.Vec{Y: 5}); err != nil {
						t.Fatal(err)
					}
				}
			}
			for n := range uint64(3) {
				w.Step(tick+1+n, dt)
			}
			states[i] = w.Capture(nil)
		}
		tick += 3
		for i := range states[0] {
			a, b := &states[0][i], &states[1][i]
			if a.X < 0 {
				continue // on the kicked side
			}
			if of++; *a != *b {
				far = append(far, math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y)))
			}
		}
	}
	slices.Sort(far)
	return far, of
}

// A correction moves no body that the command does not affect. There is one exception: slight
// movements in large worlds with the soft stepper. The regions of such a world, and the shuffled
// order of the contacts in a region, depend on constraints that are far away.
func TestACorrectionMovesWhatItDoesNotReachOnlyInLargeSoftWorldsAndByLittle(t *testing.T) {
	norace.Only(t)
	for _, c := range []struct {
		name    string
		stepper world.Stepper
		boxes   [2]int
		may     bool
	}{{"fast", world.FastStep, [2]int{60, 60}, false}, {"soft, one region", world.SoftStep, [2]int{60, 60}, false}, {"soft, several regions", world.SoftStep, [2]int{20, 900}, true}} {
		far, of := correct(t, c.stepper, c.boxes, 60)
		t.Logf("%s: %d of %d states differ", c.name, len(far), of)
		if n := len(far); n > 0 {
			if !c.may || far[n-1] > .02 {
				t.Errorf("%s: %d of %d states differ", c.name, n, of)
			}
			t.Logf("%s: %d of %d states differ, half of them by more than %.2g m, one in a hundred by more than %.2g m, the most by %.2g m", c.name, n, of, far[n/2], far[n*99/100], far[n-1])
		}
	}
}
