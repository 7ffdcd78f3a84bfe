package soft_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"halfstep/internal/box/soft"
	"halfstep/internal/box/tree"
	"halfstep/test/norace"

	"github.com/ByteArena/box2d"
)

// The tree is compared with a new tree of the same boxes.
func TestTheTreeStaysGoodWhereShapesTravelTogether(t *testing.T) {
	norace.Only(t)
	for _, c := range []struct {
		name           string
		shapes, bodies int
	}{{"one shape", 1, 1}, {"two shapes", 2, 1}, {"five shapes", 5, 1}, {"two welded bodies", 1, 2}, {"four welded bodies of two shapes", 2, 4}} {
		y, s := space(t, 1)
		r := rand.New(rand.NewPCG(1, 1))
		const n, side = 300, 40.0
		for i := range 4 {
			b := y.box(0, 0, 0, 2, side+4, 0)
			b.SetTransform(box2d.B2Vec2{X: (side + 2) * math.Cos(float64(i)*math.Pi/2), Y: (side + 2) * math.Sin(float64(i)*math.Pi/2)}, float64(i)*math.Pi/2)
		}
		for range n {
			at := box2d.B2Vec2{X: (r.Float64()*2 - 1) * side, Y: (r.Float64()*2 - 1) * side}
			v := box2d.B2Vec2{X: r.NormFloat64() * 5, Y: r.NormFloat64() * 5}
			var last *box2d.B2Body
			for range c.bodies {
				b := y.body(2, at.X, at.Y)
				b.SetLinearVelocity(v)
				for i := range c.shapes {
					s := box2d.MakeB2CircleShape()
					s.M_p.X = .3 * float64(i)
					s.SetRadius(.2)
					fix(b, &s, 1).SetRestitution(1)
				}
				if last != nil {
					d := box2d.MakeB2WeldJointDef()
					d.Initialize(last, b, at)
					y.CreateJoint(&d)
				}
				last = b
				at.X += .5
			}
		}
		y.run(2)
		is, anew := s.Tree(), box2d.MakeB2DynamicTree()
		for i := range is.Leaves() {
			if is.Has(int32(i)) {
				k := anew.AllocateNode()
				anew.M_nodes[k].Aabb = *is.Box(int32(i))
				anew.InsertLeaf(k)
			}
		}
		got, height := areas(is)
		want := anew.GetAreaRatio()
		t.Logf("%s: the boxes of the tree add up to %.0f times the outermost, anew to %.0f; height %d and %d", c.name, got, want, height, anew.GetHeight())
		if 4*got > 3*want || height > anew.GetHeight()+6 {
			t.Errorf("%s: the boxes of the tree add up to %.0f times the outermost, anew to %.0f; height %d and %d", c.name, got, want, height, anew.GetHeight())
		}
		if err := is.Validate(); err != nil {
			t.Error(err)
		}
	}
}

// areas returns GetAreaRatio and GetHeight of the library's tree.
func areas(of *tree.Tree) (ratio float64, height int) {
	root, _ := of.Root()
	for stack := []int32{root}; len(stack) > 0; {
		ref := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		ratio += of.Box(ref).GetPerimeter() / of.Box(root).GetPerimeter()
		if a, b, ok := of.Children(ref); ok {
			stack = append(stack, a, b)
		}
	}
	return ratio, int(of.Height(root))
}

func TestWhatComesAndGoesLeavesTheOtherStaticShapesAlone(t *testing.T) {
	y, s := space(t, 1)
	var v []box2d.B2Vec2
	for i := range 2001 {
		v = append(v, box2d.B2Vec2{X: float64(i), Y: math.Sin(float64(i))})
	}
	chain := box2d.MakeB2ChainShape()
	chain.CreateChain(v, len(v))
	fix(y.body(0, 0, 0), &chain, 0)
	lift := y.box(1, -10, 0, 1, .1, 0)
	lift.SetLinearVelocity(box2d.B2Vec2{Y: 3})
	sleeper := y.disc(-20, 0, .5, 1)
	y.run(.1)
	for name, c := range map[string]struct {
		most int // insertions in ten steps
		do   func() func()
	}{
		"nothing": {2, func() func() { return func() {} }},
		"a ball":  {2, func() func() { b := y.disc(5, 5, .1, 1); return func() { y.DestroyBody(b) } }},
		"a bullet": {2, func() func() {
			b := y.disc(5, 5, .1, 1)
			b.SetBullet(true)
			b.SetLinearVelocity(box2d.B2Vec2{X: 90})
			return func() { y.DestroyBody(b) }
		}},
		"a box on the ground": {12, func() func() { b := y.box(0, 5, 5, 1, 1, 0); return func() { y.DestroyBody(b) } }},
		"a moved body": {2, func() func() {
			sleeper.SetAwake(false)
			sleeper.SetTransform(box2d.B2Vec2{X: -20, Y: sleeper.GetPosition().Y + 5}, 0)
			return func() {}
		}},
		"a moved box": {24, func() func() {
			lift.SetTransform(box2d.B2Vec2{X: -10, Y: lift.GetPosition().Y + 5}, 0)
			return func() {}
		}},
		"a lift": {13, func() func() {
			b := y.box(1, 5, 5, 1, 1, 0)
			b.SetLinearVelocity(box2d.B2Vec2{Y: 3})
			return func() { y.DestroyBody(b) }
		}},
		"a changed kind": {2, func() func() { sleeper.SetType(2); return func() {} }},
	} {
		before := s.StaticTree().Placed
		for range 10 {
			undo := c.do()
			y.run(1. / 60)
			undo()
		}
		if n := s.StaticTree().Placed - before; n > c.most {
			t.Errorf("%s: %d static shapes got a new place in the tree", name, n)
		}
	}
	y.run(1. / 60)
	is := s.StaticTree()
	root, _ := is.Root()
	if err := is.Validate(); err != nil || is.Count() != 2001 || is.Height(root) > 16 {
		t.Errorf("the tree has %d leaves and a height of %d: %v", is.Count(), is.Height(root), err)
	}
}

// The page of package engine recommends a GOMAXPROCS above the number of processors.
func TestNoWorkerWaitsForOneThatCannotRun(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(64))
	for _, n := range []int{0, 1, 2, 64} {
		w := box2d.MakeB2World(box2d.B2Vec2{})
		s := soft.New(&w, soft.Options{Workers: n})
		if got := s.Workers(); got > runtime.NumCPU() || n > 0 && got > n {
			t.Errorf("asked for %d workers there are %d, with %d processors", n, got, runtime.NumCPU())
		}
		s.Close()
	}
}
