package soft

import (
	"fmt"
	"testing"

	"halfstep/test/benchscene"
)

// BenchmarkStages measures single stages of a step.
func BenchmarkStages(b *testing.B) {
	for _, workers := range []int{1, 2} {
		for st, name := range map[stage]string{stageSolve: "solve", stageRelax: "relax"} {
			b.Run(fmt.Sprint(name, "/", workers), func(b *testing.B) {
				scene, err := benchscene.Build("pyramid")
				if err != nil {
					b.Fatal(err)
				}
				w := benchscene.NewWorld()
				scene.AddTo(w)
				s := New(w, Options{Workers: workers})
				defer s.Close()
				for range 50 {
					s.Step(benchscene.StepSeconds, 0, 0)
				}
				if s.crew.pool != nil {
					s.crew.pool.Wake()
					defer s.crew.pool.Rest()
				}
				for range b.N {
					s.solver.runStage(st, s.regions.count)
				}
			})
		}
	}
}
