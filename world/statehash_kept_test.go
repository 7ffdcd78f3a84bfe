package world_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"halfstep/internal/privateapi"
	"halfstep/test/norace"
	"halfstep/world"
)

// The stored sum of all hashes equals the sum of a walk over the whole world, after commands
// of all kinds, sleep, raw access, snapshots and restores. In race builds StateHash itself
// makes this comparison.
func TestTheStateHashIsWhatAWalkFinds(t *testing.T) {
	seeds := uint64(norace.Rounds(20, 2)) // enough rounds for one worker and for several
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		for seed := range seeds {
			t.Run(fmt.Sprint(stepper, seed), func(t *testing.T) { hashes(t, world.Config{Stepper: stepper, Workers: 1 + int(seed%2)}, seed, 300) })
		}
	}
}

func hashes(t *testing.T, cfg world.Config, seed uint64, ticks int) {
	r := rand.New(rand.NewPCG(seed, 4))
	sim := yard(t, cfg)
	defer sim.Close()
	w, private := sim.World(), privateapi.World
	chaos := world.NewChaos(r, w)
	look := func(when string) {
		t.Helper()
		if got, want := w.StateHash(), world.WalkedHash(w); got != want {
			t.Fatalf("tick %d, %s: the hash is %x, and %x when all is looked at", sim.tick, when, got, want)
		}
	}
	w.AddController(world.ControllerFunc(func(*world.World, float64) {
		if r.IntN(10) == 0 {
			look("in a controller")
		}
	}))
	w.AddContactHook(func(*world.World, []world.Event) {
		if r.IntN(10) == 0 {
			look("in a hook")
		}
	})
	often := 3
	if seed%3 > 0 { // most sleeps
		often = 25
		for range 150 {
			sim.step()
		}
	}
	var kept [4]world.Snapshot
	taken := 0
	for range ticks {
		for r.IntN(often) == 0 {
			bodies, shapes := has(w)
			if len(bodies) == 0 {
				break
			}
			v := world.Vec{X: r.NormFloat64()}
			var err error
			switch r.IntN(12) {
			case 10: // the next step computes the boxes of all shapes again, even without motion
				if r.IntN(4) == 0 {
					w.SetShouldCollide(func(*world.World, world.Shape, world.Shape) bool { return true })
				}
			case 11:
				err = w.Refilter(bodies[r.IntN(len(bodies))])
			case 0:
				c := chaos.Command()
				sim.Apply(sim.tick, &c, r.IntN(2) == 0)
			case 1, 2: // some of the bodies that are pushed do not move
				for _, b := range bodies {
					err = errors.Join(err, w.Force(b, v))
				}
			case 3:
				_ = w.SetFriction(shapes[r.IntN(len(shapes))], r.Float64()) // the last is none
			case 4:
				err = w.DropThrough(bodies[r.IntN(len(bodies))])
			default:
				move(r, private.NewCommands(sim, sim.Simulation), bodies, shapes)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if r.IntN(40) == 0 {
			bodies, _ := has(w)
			if b := w.BodyPointer(bodies[r.IntN(len(bodies))]); b != nil {
				b.M_linearVelocity.X++
			}
		}
		if r.IntN(3) > 0 {
			look("after commands")
		}
		if r.IntN(4) == 0 {
			if err := w.Snapshot(&kept[taken%len(kept)]); err != nil {
				t.Fatal(err)
			}
			taken++
		}
		if taken > 0 && r.IntN(8) == 0 {
			s := &kept[r.IntN(min(taken, len(kept)))]
			back := [...]func() error{
				func() error { return private.Rerun(sim.Simulation, s) }, func() error { return private.GoBack(sim.Simulation, s) }, func() error { return w.Restore(s) },
			}
			if err := back[r.IntN(3)](); err != nil {
				t.Fatal(err)
			}
			if r.IntN(2) == 0 {
				look("after going back")
			}
		}
		sim.step()
		if r.IntN(4) > 0 {
			look("after a step")
		}
	}
}

// A body that is put to sleep in flight keeps the large box that it had in flight, until
// another body touches it. Then the soft step computes the box again, although nothing in
// the body has changed.
func TestTheStateHashFollowsABoxThatIsComputedAnewWhileItsBodySleeps(t *testing.T) {
	p := &peer{Simulation: world.NewSimulation(world.Config{Stepper: world.SoftStep, NoGravity: true})}
	defer p.Close()
	w := p.World()
	b, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
	if err != nil {
		t.Fatal(err)
	}
	err = w.SetVelocity(b, world.Vec{X: 120})
	for range 2 {
		p.step()
	}
	if err = errors.Join(err, w.SetAwake(b, false)); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		p.step()
	}
	asleep := w.StateHash()
	w.SetShouldCollide(nil) // touches all shapes
	p.step()
	got, want := w.StateHash(), world.WalkedHash(w)
	if got != want {
		t.Errorf("the hash is %x, and %x when all is looked at", got, want)
	}
	if want == asleep {
		t.Error("the box has not changed")
	}
}

// The shapes of a disabled body are in no tree. They still refer to their old nodes, which
// are free.
func TestTheStateHashBearsShapesThatGoFromADisabledBody(t *testing.T) {
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		p := yard(t, world.Config{Stepper: stepper})
		p.step()
		w := p.World()
		w.StateHash()
		bodies, shapes := has(w)
		for _, b := range bodies {
			_ = w.SetEnabled(b, false)
		}
		for _, s := range shapes {
			_ = w.DestroyShape(s)
		}
		if got, want := w.StateHash(), world.WalkedHash(w); got != want {
			t.Errorf("%v: the hash is %x, and %x when all is looked at", stepper, got, want)
		}
		p.Close()
	}
}

func TestAStateHashLooksAtWhatMovesHoweverMuchSleeps(t *testing.T) {
	norace.Only(t)
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		hashed := func(asleep int) int {
			p := resting(t, stepper, asleep)
			defer p.Close()
			var s world.Snapshot
			for range 30 {
				p.step()
				p.World().StateHash()
			}
			from := world.Hashed(p.World())
			for i := range 60 {
				p.step()
				p.World().StateHash()
				if i%7 == 0 {
					if err := p.World().Snapshot(&s); err != nil {
						t.Fatal(err)
					}
				}
			}
			return world.Hashed(p.World()) - from
		}
		if few, many := hashed(200), hashed(20_000); few < 60*100 || many > few {
			t.Errorf("%v: %d objects are hashed with 200 asleep, %d with 20,000", stepper, few, many)
		}
	}
}

func BenchmarkStateHash(b *testing.B) {
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		b.Run(stepper.String(), func(b *testing.B) {
			p := resting(b, stepper, 50_000)
			defer p.Close()
			for range 30 {
				p.step()
				p.World().StateHash()
			}
			for b.Loop() {
				b.StopTimer()
				p.step()
				b.StartTimer()
				p.World().StateHash()
			}
		})
	}
}
