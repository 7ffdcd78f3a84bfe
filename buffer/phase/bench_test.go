package phase

import "testing"

// A step with all its phases.
func BenchmarkStep(b *testing.B) {
	l := NewLane(Physics, "e")
	b.ReportAllocs()
	for b.Loop() {
		l.Begin(1, Commands)
		l.Enter(Step)
		l.Enter(Controllers)
		l.Enter(Step)
		l.Enter(Contacts)
		l.Enter(Capture)
		l.Enter(Publish)
		l.End()
	}
}
