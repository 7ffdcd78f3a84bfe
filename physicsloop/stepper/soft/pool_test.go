package soft

import (
	"testing"

	"halfstep/internal/benchscene"
)

func BenchmarkStage(b *testing.B) {
	w := benchscene.NewWorld()
	s := New(w, Options{Workers: 2})
	defer s.Close()
	s.pool.wake()
	for range b.N {
		s.phase = phase{stage: stageVelocities, blocks: 4}
		s.pool.run(s, 4)
	}
	s.pool.rest()
}
