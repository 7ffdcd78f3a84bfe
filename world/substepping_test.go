package world_test

import (
	"math/rand/v2"
	"testing"

	"halfstep/internal/privateapi"
	"halfstep/test/norace"
	"halfstep/world"
)

// After a sub-step the library continues with the known times of impact, even if both
// bodies have fallen asleep since. FastStep once used only the times of awake bodies.
func TestWhatFallsAsleepBetweenSubStepsIsHitAsInTheLibrary(t *testing.T) {
	for seed := range uint64(norace.Rounds(40, 10)) {
		play := func(library bool) (hashes []uint64) {
			r := rand.New(rand.NewPCG(seed, 1))
			sim := world.NewSimulation(world.Config{SubStepping: true})
			defer sim.Close()
			if library {
				privateapi.World.StepAsLibrary(sim.World())
			}
			w := sim.World()
			var bodies []world.Body
			for range 24 {
				def := world.BodyDef{
					Kind: [...]world.BodyKind{world.Static, world.Kinematic, world.Dynamic, world.Dynamic}[r.IntN(4)], Bullet: r.IntN(3) == 0, Position: world.Vec{X: r.Float64() * 8, Y: r.Float64() * 8},
					Velocity: world.Vec{X: r.NormFloat64() * 60, Y: r.NormFloat64() * 60}, Shapes: []world.ShapeDef{world.Box(.1+r.Float64()*.4, .1)},
				}
				b, err := w.CreateBody(def)
				if err != nil {
					t.Fatal(err)
				}
				bodies = append(bodies, b)
			}
			for tick := range uint64(120) {
				for range r.IntN(4) {
					_ = w.SetAwake(bodies[r.IntN(len(bodies))], r.IntN(3) == 0)
				}
				sim.BeginFrame()
				sim.Step(tick+1, 1./60)
				sim.EndFrame()
				hashes = append(hashes, w.StateHash())
			}
			return hashes
		}
		fast, library := play(false), play(true)
		for i := range fast {
			if fast[i] != library[i] {
				t.Errorf("seed %d: they differ from tick %d on", seed, i+1)
				break
			}
		}
	}
}
