package main

import (
	"math"
	"testing"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/world"
)

// springTrail is by how much the spring itself trails the pointer, 45 ms: it slows the body by
// its speed, and not by its speed relative to the pointer.
const springTrail = 2 * play.DragDamping / (2 * math.Pi * play.DragFrequency) // s

// A pointer that moves evenly is trailed by the spring's 45 ms and by what the mode adds: a
// step and a frame in Lockstep, and a frame more in Pipelined. RunAhead shows where the
// body will be if the pointer stays, so it adds little.
func TestTheHeldPointTrailsThePointerBySpringAndMode(t *testing.T) {
	for mode, want := range map[string]float64{"run-ahead": .002, "lockstep": 2 / 60., "pipelined": 3 / 60.} {
		b := newBench(t, "-scene drift -sync "+mode)
		b.run(1)
		b.Stage.Player.Teleport(b.Sampler.Tracked[0].Body, world.Vec{}, 0)
		b.Stage.Player.SetVelocity(b.Sampler.Tracked[0].Body, world.Vec{})
		b.run(3)
		b.cursor(0, 0)
		b.mouse(input.MouseButtonLeft, input.Press)
		b.run(2)
		for n := range 120 {
			b.cursor(.1+float64(n)*.02, 0)
			b.run(1)
		}
		tr := &b.Stage.Drag.Trail
		if got := tr.Far / tr.Fast; math.Abs(got-springTrail-want) > .003 {
			t.Errorf("%s: the held point is %.1f ms behind, want %.1f", mode, 1e3*got, 1e3*(springTrail+want))
		}
	}
}
