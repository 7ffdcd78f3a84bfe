package soft

import (
	"testing"

	"halfstep/internal/benchscene"

	"github.com/ByteArena/box2d"
)

// ForceParallel makes the stepper use its workers however small the world is.
func (s *Stepper) ForceParallel() { s.finest = true }

// WithoutKernel runs f with the plain code.
func WithoutKernel(f func()) {
	defer func(was bool) { wide = was }(wide)
	wide = false
	f()
}

// SceneWorld builds a scene of the benchmark.
func SceneWorld(t testing.TB, name string) (*box2d.B2World, []*box2d.B2Body) {
	t.Helper()
	scene, err := benchscene.Build(name)
	if err != nil {
		t.Fatal(err)
	}
	w := benchscene.NewWorld()
	return w, scene.AddTo(w)
}
