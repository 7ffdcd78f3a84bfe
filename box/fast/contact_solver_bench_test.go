package fast

import (
	"testing"

	"halfstep/test/benchscene"
)

// solverState steps a scene, and returns the constraints of the largest island at
// the end of the last step.
func solverState(b *testing.B, name string, steps int) (*Stepper, *island) {
	b.Helper()
	s := New(SceneWorld(b, name), Options{Workers: 1})
	b.Cleanup(s.Close)
	for range steps {
		s.Step(benchscene.StepSeconds, benchscene.VelocityIterations, benchscene.PositionIterations)
	}
	is := &s.islands
	largest := &is.islands[0]
	for i := range is.islands {
		if l := &is.islands[i]; l.contactsEnd-l.contacts > largest.contactsEnd-largest.contacts {
			largest = l
		}
	}
	return s, largest
}

var solverScenes = []struct {
	name  string
	steps int
}{{"pyramid", 100}, {"fall1000", 200}, {"fall5000", 200}}

// BenchmarkVelocityPass measures one pass over the velocity constraints, in
// nanoseconds a contact.
func BenchmarkVelocityPass(b *testing.B) {
	for _, sc := range solverScenes {
		b.Run(sc.name, func(b *testing.B) {
			s, isl := solverState(b, sc.name, sc.steps)
			cs := s.islands.constraintSolver(isl, s.mode)
			for b.Loop() {
				cs.solveVelocityConstraints()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(cs.velocityConstraints)), "ns/contact")
		})
	}
}

// BenchmarkPositionPass measures one pass over the position constraints, in
// nanoseconds a contact. Each pass starts from the same positions.
func BenchmarkPositionPass(b *testing.B) {
	for _, sc := range solverScenes {
		b.Run(sc.name, func(b *testing.B) {
			s, isl := solverState(b, sc.name, sc.steps)
			cs := s.islands.constraintSolver(isl, s.mode)
			start := append(cs.positions[:0:0], cs.positions...)
			for b.Loop() {
				copy(cs.positions, start)
				cs.solvePositionConstraints(false)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(cs.positionConstraints)), "ns/contact")
		})
	}
}
