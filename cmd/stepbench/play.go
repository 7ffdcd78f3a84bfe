package main

import (
	"fmt"
	"math"

	"halfstep/box/fast"
	"halfstep/internal/box"
	"halfstep/internal/box/soft"
	"halfstep/test/benchscene"
	"halfstep/test/v3scene"
	"halfstep/test/worldhash"
	"halfstep/world"
)

// played is a world that is being measured.
type played struct {
	step  func()
	look  func(*result) // look records measurements of the world after the run.
	close func()
}

// playLibrary builds one of our own scenes on the library's bare world. If own is true, the
// library's own step is measured.
func playLibrary(scene benchscene.Scene, way world.Stepper, own bool, workers, subSteps int, still bool) played {
	b2 := benchscene.NewWorld()
	b2.M_continuousPhysics = !still
	bodies := scene.AddTo(b2)
	step, end := b2.Step, func() {}
	overlap := func() float64 { return libraryOverlap(b2) }
	set := box.New(b2, true) // true says that the set need not search for edits, because there are none
	switch {
	case own:
	case way == world.FastStep:
		s := fast.New(b2, fast.Options{Workers: workers, Active: set})
		step, end = s.Step, s.Close
	default:
		s := soft.New(b2, soft.Options{Workers: workers, SubSteps: subSteps, Active: set})
		step, end = s.Step, s.Close
		overlap = s.MaxOverlap
	}
	return played{
		step: func() { step(benchscene.StepSeconds, benchscene.VelocityIterations, benchscene.PositionIterations) },
		look: func(r *result) {
			r.MaxOverlap = overlap()
			r.Contacts = set.Contacts.Count()
			r.StateHash = fmt.Sprintf("%016x", worldhash.World(b2))
			for _, b := range bodies {
				r.SumY += b.M_xf.P.Y
				if v := b.M_linearVelocity; math.Hypot(v.X, v.Y) > v3scene.MovingSpeed {
					r.Moving++
				}
			}
		},
		close: end,
	}
}

// playV3 builds a scene of Box2D v3's benchmark in a world of package world.
func playV3(scene v3scene.Scene, way world.Stepper, workers int) played {
	sim := scene.Simulation(way, workers)
	return played{
		step: func() { sim.Step(sim.World().Tick()+1, v3scene.StepSeconds) },
		look: func(r *result) {
			r.StateHash = fmt.Sprintf("%016x", sim.World().Hash())
			r.Contacts = int(sim.Counts().Contacts)
			l := scene.Look(sim)
			r.SumY, r.MaxOverlap, r.Moving, r.Outside, r.WidestGap = l.SumY, l.Deepest, l.Moving, l.Outside, l.WidestGap
		},
		close: sim.Close,
	}
}
