package world_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

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

// differ says where two snapshots differ, as far as it can.
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

// Snapshots that share what has not changed hold what a walk over the whole world
// finds, whatever happened in between, and each can be gone back to in any order.
func TestSnapshotsThatShareAreWhatAWalkFinds(t *testing.T) {
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		for seed := range uint64(30) {
			t.Run(fmt.Sprint(stepper, seed), func(t *testing.T) { share(t, world.Config{Stepper: stepper, Workers: 1 + int(seed%2)}, seed, 150) })
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
		bytes []byte // what a walk found
		of    []byte // Box2D's objects of these
		tick  uint64 // of sim
		hash  uint64
		after []byte // Box2D's objects after a step without commands, or nil
		then  uint64 // the hash after it
	}
	var kept [6]point
	var handles world.Handles
	for i := range ticks {
		for r.IntN(3) == 0 {
			if bodies, shapes := has(w); len(bodies) > 0 {
				move(r, world.NewCommands(sim, &handles), bodies, shapes)
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
				p.after, p.then = world.Library(walked(t, w)), w.StateHash()
			}
		}
		if p = &kept[r.IntN(len(kept))]; p.bytes != nil && r.IntN(4) == 0 {
			differ(t, fmt.Sprintf("tick %d: kept", i), p.bytes, marshalled(t, &p.s))
			if err := sim.Rerun(&p.s); err != nil {
				t.Fatal(err)
			}
			sim.tick = p.tick
			if cfg.Stepper == world.FastStep {
				differ(t, fmt.Sprintf("tick %d: restored", i), p.of, world.Library(walked(t, w)))
			}
			if h := w.StateHash(); h != p.hash {
				t.Fatalf("tick %d: the hash is %x, not %x", i, h, p.hash)
			}
			if p.after != nil {
				sim.step()
				if cfg.Stepper == world.FastStep {
					differ(t, fmt.Sprintf("tick %d: a step after", i), p.after, world.Library(walked(t, w)))
				}
				if h := w.StateHash(); h != p.then {
					t.Fatalf("tick %d: a step after, the hash is %x, not %x", i, h, p.then)
				}
			}
		}
		sim.step()
	}
}
