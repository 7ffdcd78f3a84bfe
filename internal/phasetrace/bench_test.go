package phasetrace

import (
	"testing"

	"halfstep/buffer/phase"
)

// The benchmark measures a step with all its phases.
func BenchmarkStep(b *testing.B) {
	l := New(phase.Physics, "e")
	b.ReportAllocs()
	for b.Loop() {
		l.Begin(1, phase.Commands)
		l.Enter(phase.Step)
		l.Enter(phase.Controllers)
		l.Enter(phase.Step)
		l.Enter(phase.Contacts)
		l.Enter(phase.Capture)
		l.Enter(phase.Publish)
		l.End()
	}
}
