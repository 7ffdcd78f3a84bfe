package engine_test

import (
	"testing"

	"halfstep/engine"
	"halfstep/test/attack"
	"halfstep/world"
)

// A player seeks to any ticks in any order, and finds the same state at a tick
// each time. A closed player returns an error. A recording is replayed with the
// stepper that made it, or not at all.
func TestAttackPlayers(t *testing.T) {
	a := attack.Start(t)
	var recordings [][]byte
	for seed := range uint64(4) {
		data, _ := sessionFrom(t, a.Seed+seed, 30*(seed/2), 150)
		recordings = append(recordings, data)
	}
	for r := range a.Rounds() {
		rec := read(t, recordings[r.IntN(len(recordings))])
		p, err := rec.Player(stack, engine.PlayerOptions{Memory: []int64{0, 1, 100_000}[r.IntN(3)]})
		if err != nil {
			t.Fatal(err)
		}
		hashes := map[uint64]uint64{}
		a.Try("a player", func() {
			for range 20 {
				to := rec.First + r.Uint64N(rec.Ticks-rec.First+1)
				switch r.IntN(4) {
				case 0:
					err = p.Step(r.IntN(40) - 20)
				case 1: // there is no such tick
					if p.Seek(rec.Ticks+1+r.Uint64()>>r.IntN(64)) == nil {
						t.Error("it has gone beyond the end")
					}
				default:
					err = p.Seek(to)
				}
				if err != nil {
					t.Errorf("seed %d: %v", a.Seed, err)
					return
				}
				h := p.World().Hash()
				if was, ok := hashes[p.Tick()]; ok && was != h {
					t.Errorf("tick %d has the hash %x, and had %x", p.Tick(), h, was)
				}
				hashes[p.Tick()] = h
				a.Count("ticks sought", 1)
			}
			p.Close()
			if p.Seek(rec.First) == nil || p.Step(1) == nil && p.Step(-1) == nil {
				t.Error("a closed player goes on")
			}
			p.Close()
		})
		c := rec.Config(stack)
		soft := c.World.Stepper == world.SoftStep
		if c.World.Stepper = world.Stepper(r.IntN(2)); soft != (c.World.Stepper == world.SoftStep) {
			e, err := engine.New(c)
			if err == nil {
				t.Errorf("a recording of the soft stepper (%v) is taken with %v", soft, c.World.Stepper)
				e.Close()
			}
		}
	}
}
