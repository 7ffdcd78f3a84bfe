package world_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"halfstep/internal/privateapi"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/world"
)

func walked(t *testing.T, w *world.World) *world.Snapshot {
	t.Helper()
	s, err := world.Walked(w)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func marshalled(t *testing.T, s *world.Snapshot) []byte {
	t.Helper()
	b, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// differ describes the difference between two snapshots as precisely as it can.
func differ(t *testing.T, what string, want, got []byte) {
	t.Helper()
	if bytes.Equal(want, got) {
		return
	}
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	t.Fatalf("%s: %d bytes, not %d; other bytes from %d on", what, len(got), len(want), at)
}

// Snapshots that share unchanged values equal a copy of the whole world,
// whatever changes lie between them, and they can be restored in any order.
func TestSnapshotsThatShareAreWhatAWalkFinds(t *testing.T) {
	seeds := uint64(norace.Rounds(whole.Rounds(30, 6), 2)) // enough rounds for one worker and for several
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		for seed := range seeds {
			t.Run(fmt.Sprint(stepper, seed), func(t *testing.T) {
				share(t, world.Config{Stepper: stepper, Workers: 1 + int(seed%2)}, seed, norace.Rounds(150, 50))
			})
		}
	}
}

func share(t *testing.T, cfg world.Config, seed uint64, ticks int) {
	r := rand.New(rand.NewPCG(seed, 3))
	sim := yard(t, cfg)
	defer sim.Close()
	w := sim.World()
	type point struct {
		s     world.Snapshot
		bytes []byte // the bytes of a copy of the whole world
		of    []byte // Box2D's objects of these
		tick  uint64 // of sim
		hash  uint64
		after *world.Snapshot // the snapshot one step later, without commands, or nil
		then  uint64          // the hash one step after the snapshot
	}
	var kept [6]point
	often := 3
	if seed%3 > 0 { // most sleeps
		often, ticks = 25, 3*ticks
		for range 150 {
			sim.step()
		}
	}
	for i := range ticks {
		for r.IntN(often) == 0 {
			if bodies, shapes := has(w); len(bodies) > 0 {
				move(r, privateapi.World.NewCommands(sim, sim.Simulation), bodies, shapes)
			}
		}
		if r.IntN(40) == 0 {
			w.Box2D() // anything may have changed
		}
		p := &kept[r.IntN(len(kept))]
		if r.IntN(2) == 0 {
			if err := w.Snapshot(&p.s); err != nil {
				t.Fatal(err)
			}
			p.bytes, p.tick, p.after, p.hash = marshalled(t, &p.s), sim.tick, nil, w.StateHash()
			found := walked(t, w)
			p.of = world.Library(found)
			differ(t, fmt.Sprintf("tick %d", i), p.of, world.Library(&p.s))
			var fresh world.Snapshot
			if err := w.Snapshot(&fresh); err != nil {
				t.Fatal(err)
			}
			differ(t, fmt.Sprintf("tick %d: fresh", i), marshalled(t, found), marshalled(t, &fresh))
			if r.IntN(2) == 0 {
				sim.step()
				p.after, p.then = walked(t, w), w.StateHash()
			}
		}
		if p = &kept[r.IntN(len(kept))]; p.bytes != nil && r.IntN(4) == 0 {
			differ(t, fmt.Sprintf("tick %d: kept", i), p.bytes, marshalled(t, &p.s))
			if err := privateapi.World.Rerun(sim.Simulation, &p.s); err != nil {
				t.Fatal(err)
			}
			sim.tick = p.tick
			differ(t, fmt.Sprintf("tick %d: restored", i), p.of, world.Library(walked(t, w)))
			if h := w.StateHash(); h != p.hash {
				t.Fatalf("tick %d: the hash is %x, not %x", i, h, p.hash)
			}
			if p.after != nil {
				sim.step()
				if d := world.Difference(p.after, walked(t, w)); d != "" {
					t.Fatalf("tick %d: a step after: %s", i, d)
				}
				if h := w.StateHash(); h != p.then {
					t.Fatalf("tick %d: a step after, the hash is %x, not %x", i, h, p.then)
				}
			}
		}
		sim.step()
	}
}

// resting is a world with 100 spinning boxes, and with others that sleep far
// away.
func resting(t testing.TB, stepper world.Stepper, asleep int) *peer {
	t.Helper()
	p := &peer{Simulation: world.NewSimulation(world.Config{Stepper: stepper, Gravity: world.Vec{Y: -10}, Workers: 1})}
	add := func(def world.BodyDef) {
		if _, err := p.World().CreateBody(def); err != nil {
			t.Fatal(err)
		}
	}
	add(world.BodyDef{Shapes: []world.ShapeDef{world.Edge(world.Vec{X: -60}, world.Vec{X: 60})}})
	for i := range 100 {
		add(world.BodyDef{Kind: world.Dynamic, NoSleep: true, Position: world.Vec{X: float64(i) - 50, Y: 3}, AngularVelocity: 1,
			Shapes: []world.ShapeDef{world.Box(.3, .3)}})
	}
	for i := range asleep {
		add(world.BodyDef{Kind: world.Dynamic, Asleep: true, Position: world.Vec{X: 200 + float64(i%2), Y: 2 * float64(i)},
			Shapes: []world.ShapeDef{world.Box(.5, .5)}})
	}
	return p
}

func TestASnapshotCopiesWhatMovesHoweverMuchSleeps(t *testing.T) {
	norace.Only(t)
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		t.Run(stepper.String(), func(t *testing.T) { copiesWhatMoves(t, stepper) })
	}
}

func copiesWhatMoves(t *testing.T, stepper world.Stepper) {
	copied := func(asleep int) int {
		p := resting(t, stepper, asleep)
		defer p.Close()
		w := p.World()
		var ring [8]world.Snapshot
		tick, i := func() {
			p.step()
		}, 0
		take := func() {
			i++
			if err := w.Snapshot(&ring[i%8]); err != nil {
				t.Fatal(err)
			}
		}
		for range 30 {
			tick()
			take()
		}
		from := world.Copied(w)
		for range 60 {
			tick()
			take()
		}
		n := world.Copied(w) - from
		if n := testing.AllocsPerRun(20, take); n != 0 {
			t.Errorf("%d asleep: a snapshot makes %v allocations", asleep, n)
		}
		before := world.Copied(w)
		if err := privateapi.World.GoBack(p.Simulation, &ring[(i+1)%8]); err != nil {
			t.Fatal(err)
		}
		take()
		if n := world.Copied(w) - before; n > 200 {
			t.Errorf("%d asleep: %d pages are copied after a restore without a step", asleep, n)
		}
		return n
	}
	few, many := copied(200), copied(20_000)
	if few < 60*25 || 2*many > 3*few { // the tree of the larger world is a few nodes higher
		t.Errorf("%d pages are copied with 200 asleep, %d with 20,000", few, many)
	}
}

func TestBytesAreMadeOfASnapshotWhileOthersAreTakenAndRestored(t *testing.T) {
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		t.Run(stepper.String(), func(t *testing.T) { bytesMeanwhile(t, stepper) })
	}
}

func bytesMeanwhile(t *testing.T, stepper world.Stepper) {
	p := resting(t, stepper, 50)
	defer p.Close()
	w := p.World()
	var kept, others [2]world.Snapshot
	for i := range 10 {
		p.step()
		if err := w.Snapshot(&kept[i%2]); err != nil {
			t.Fatal(err)
		}
	}
	want := marshalled(t, &kept[0])
	done := make(chan error)
	go func() {
		for range 10 {
			b, err := kept[0].AppendBinary(nil)
			if err != nil || !bytes.Equal(b, want) {
				done <- fmt.Errorf("other bytes: %v", err)
				return
			}
		}
		done <- nil
	}()
	for i := range 60 {
		p.step()
		if err := w.Snapshot(&others[i%2]); err != nil {
			t.Fatal(err)
		}
		if i%5 == 4 {
			if err := privateapi.World.GoBack(p.Simulation, [...]*world.Snapshot{&others[0], &others[1], &kept[1]}[i%3]); err != nil {
				t.Fatal(err)
			}
		}
		for b := range w.Bodies() {
			if i%20 == 19 && b%7 == 0 {
				if err := w.DestroyBody(b); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestAWorldGoesBackToWhenItWasEmpty(t *testing.T) {
	p := &peer{Simulation: world.NewSimulation(world.Config{Workers: 1})}
	defer p.Close()
	p.World().AddControllerEvery(1, world.ControllerFunc(func(w *world.World, _ float64) {
		if _, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(.1)}}); err != nil {
			t.Error(err)
		}
	}))
	var kept [3]world.Snapshot
	for round := range 6 {
		for i := range kept {
			if err := p.World().Snapshot(&kept[i]); err != nil {
				t.Fatal(err)
			}
			marshalled(t, &kept[i])
			p.step()
			p.Capture(nil)
		}
		if err := privateapi.World.GoBack(p.Simulation, &kept[round%3]); err != nil {
			t.Fatal(err)
		}
		p.tick = privateapi.World.Tick(&kept[round%3])
	}
	p2 := &kept[0]
	if s, err := world.LoadSnapshot(marshalled(t, p2)); err != nil || p.World().Restore(s) != nil {
		t.Fatal(err)
	}
	p.step()
}

// When a static body has moved, a step and the library compute its boxes with
// different bits.
func TestAStaticBodyThatWasMovedIsBackWithItsBoxes(t *testing.T) {
	p := &peer{Simulation: world.NewSimulation(world.Config{Stepper: world.SoftStep, Workers: 1})}
	defer p.Close()
	w := p.World()
	wall, err := w.CreateBody(world.BodyDef{Position: world.Vec{X: 80}, Shapes: []world.ShapeDef{world.Box(.1, 3)}})
	if err != nil {
		t.Fatal(err)
	}
	var kept [8]world.Snapshot
	var steppers [8][]byte
	for i := range kept {
		p.step()
		if i == 2 || i == 5 {
			if err := w.Teleport(wall, world.Vec{X: 80 + float64(i)/7, Y: .3}, .1*float64(i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Snapshot(&kept[i]); err != nil {
			t.Fatal(err)
		}
		found := walked(t, w)
		steppers[i] = world.OfStepper(found)
		differ(t, fmt.Sprintf("tick %d", i), marshalled(t, found), marshalled(t, &kept[i]))
	}
	for _, i := range []int{7, 2, 3, 4, 1, 6, 5, 0} {
		if err := privateapi.World.GoBack(p.Simulation, &kept[i]); err != nil {
			t.Fatal(err)
		}
		found := walked(t, w)
		differ(t, fmt.Sprintf("back at tick %d: of the stepper", i), steppers[i], world.OfStepper(found))
		if d := kept[i].Difference(found); d != "" {
			t.Errorf("back at tick %d: %s", i, d)
		}
	}
}
