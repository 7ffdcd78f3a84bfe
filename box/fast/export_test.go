package fast

import (
	"testing"

	"halfstep/test/benchscene"

	"github.com/ByteArena/box2d"
)

// SceneWorld builds a scene of the benchmark.
func SceneWorld(t testing.TB, name string) *box2d.B2World {
	t.Helper()
	scene, err := benchscene.Build(name)
	if err != nil {
		t.Fatal(err)
	}
	w := benchscene.NewWorld()
	scene.AddTo(w)
	return w
}

// ForceParallel makes the stepper use its workers even in small worlds, with
// the smallest pieces.
func (s *Stepper) ForceParallel() {
	s.limits = limits{largestIsland: 100, chunk: 1, islandGroup: 1}
}

// TOILooks is how many times continuous collision has checked a contact.
func (s *Stepper) TOILooks() int { return s.toi.queue.checks }
