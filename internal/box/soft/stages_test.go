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
				if s.pool != nil {
					s.pool.Wake()
					defer s.pool.Rest()
				}
				for range b.N {
					s.run(st, s.regionCount, s.regionBlocks(s.regionCount))
				}
			})
		}
	}
}
