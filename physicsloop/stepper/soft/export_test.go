package soft

import (
	"testing"

	"halfstep/internal/benchscene"

	"github.com/ByteArena/box2d"
)

// ForceParallel makes the stepper use all its workers however small the world and the
// machine are.
func (s *Stepper) ForceParallel() {
	s.finest = true
	s.Close()
	s.hire(s.opts.Workers)
}

// Workers is how many goroutines compute a step.
func (s *Stepper) Workers() int {
	if s.pool == nil {
		return 1
	}
	return len(s.pool.shares)
}

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

// StaticTree is the tree of shapes that are not dynamic.
func (s *Stepper) StaticTree() *box2d.B2DynamicTree { return &s.statics.tree }
