package soft

import (
	"testing"

	"halfstep/internal/box/b2"
	"halfstep/internal/box/statehash"
	"halfstep/internal/box/tree"
	"halfstep/internal/box/workers"
	"halfstep/test/benchscene"

	"github.com/ByteArena/box2d"
)

// ForceParallel makes the stepper use all its workers for any world, on any machine.
func (s *Stepper) ForceParallel() {
	s.crew.finest = true
	s.Close()
	s.crew.pool = workers.New(s.opts.Workers, s.crew.block)
}

// Workers returns the number of goroutines that compute a step.
func (s *Stepper) Workers() int { return s.crew.pool.Len() }

// CutFinely gives worlds several regions even if they have few constraints.
func CutFinely() (undo func()) {
	was := regionWork
	regionWork = 16
	return func() { regionWork = was }
}

// Looked returns the number of bodies, contacts, joints and nodes of the tree that the last
// step has visited.
func (s *Stepper) Looked() int {
	return len(s.set.Bodies.Seen) + len(s.set.Contacts.Active) + len(s.set.Joints.Active) + len(s.pairs.queries) + len(s.pairs.packed.moved)*packWidth
}

// Loaded returns the number of bodies whose rows the last step has loaded.
func (s *Stepper) Loaded() int { return len(s.loader.list) }

// SpoilRow puts a wrong value into the row of a body.
func (s *Stepper) SpoilRow(body int32) { s.bodies.poses[body].flags ^= poseUpright }

// WithoutKernel runs f with the Go code instead of the kernel.
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

// Kept returns numbers that affect the next step and that the library does not have. They
// belong to the first contact with an impulse, to the first joint, and to the stepper.
func (s *Stepper) Kept() map[string]*float32 {
	kept := map[string]*float32{"the last step": &s.stride.lastH}
	for _, n := range s.set.Contacts.Active {
		c := &s.contacts.all[n]
		if p := &c.points[0]; c.count > 0 && p.total > 0 {
			for name, x := range map[string]*float32{
				"normal": &c.normal.x, "pose": &c.kept.turn.s, "offset": &c.kept.offset.y, "place": &c.kept.at[0].x, "friction": &c.friction, "arm": &p.rB.x,
				"base": &p.base, "impulse": &p.normal, "friction impulse": &p.tangent, "whole impulse": &p.total,
			} {
				kept[name] = x
			}
			break
		}
	}
	if len(s.set.Joints.Active) > 0 {
		p := &s.joints.all[s.set.Joints.Active[0]].pushed
		kept["joint"], kept["told"] = &p.last[0], &p.told[0]
	}
	return kept
}

// Rotations returns the rotations that affect the points of contact. They belong to the
// first body that a step has seen, and to the first contact with a pose.
func (s *Stepper) Rotations() map[string]*float32 {
	r := map[string]*float32{}
	for i := range s.bodies.all {
		if e := &s.bodies.all[i]; e.seen {
			r["body"] = &s.bodies.poses[i].q.c
			break
		}
	}
	for i := range s.contacts.all {
		if c := &s.contacts.all[i]; c.flags&posed != 0 {
			r["contact"] = &c.kept.turn.s
			break
		}
	}
	return r
}

// HashAll returns the sum of the stepper's parts of the hashes of all objects.
func (s *Stepper) HashAll() (sum uint64) {
	h := statehash.Of(0)
	s.HashWorld(&h)
	for b := s.world.M_bodyList; b != nil; b = b.M_next {
		s.keeper.hashBody(&h, b)
		for f := b.M_fixtureList; f != nil; f = f.M_next {
			for k := s.set.Shapes.Last(f); k >= 0; k = s.set.Shapes.All[k].Prev {
				h.Int(int(k))
				s.keeper.hashShape(&h, k)
			}
		}
	}
	sum = h.Sum()
	for c := range s.set.EachContact() {
		h := statehash.Of(1)
		c.Hash(&h)
		s.keeper.hashContact(&h, c)
		sum += h.Sum()
	}
	for j := s.world.M_jointList; j != nil; j = j.GetNext() {
		h := statehash.Of(2)
		s.keeper.hashJoint(&h, b2.BaseJoint(j))
		sum += h.Sum()
	}
	return sum
}

// StaticTree returns the tree of shapes whose bodies are not dynamic.
func (s *Stepper) StaticTree() *tree.Tree { return &s.shapes.statics.Tree }

func (s *Stepper) Tree() *tree.Tree { return &s.set.Shapes.Tree }
