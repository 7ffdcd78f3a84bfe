package world

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// Contacts are made in the order of the move buffer. Box2D removes a proxy from
// the buffer by a search through the whole buffer, and the order after that must
// be the same here.
func TestProxiesLeaveTheMoveBufferAsBox2DTakesThemOut(t *testing.T) {
	if softly {
		t.Skip("the soft stepper keeps a list of its own")
	}
	play := func(indexed bool) (buffers [][]int) {
		g := newRig(t, gravity())
		rnd := rand.New(rand.NewPCG(7, 7))
		var all []Body
		for i := range 900 {
			if !indexed {
				g.World.box.Expose()
			}
			if n := len(all); n > 60 {
				k := rnd.IntN(n)
				shapes, err := g.Shapes(all[k])
				check(t, err)
				switch rnd.IntN(5) {
				case 0:
					check(t, g.Refilter(all[k])) // the proxy is in the buffer several times
					check(t, g.DestroyBody(all[k]))
					all = slices.Delete(all, k, k+1)
				case 1:
					check(t, g.ReplaceShape(shapes[0], Box(.3, .3)))
				case 2:
					check(t, g.SetEnabled(all[k], rnd.IntN(2) == 0))
				case 3:
					check(t, g.Refilter(all[k]))
				case 4:
					if i%7 == 0 {
						check(t, g.SetKind(all[k], BodyKind(rnd.IntN(3))))
					}
				}
			}
			all = append(all, g.box(rnd.Float64()*100, rnd.Float64()*100))
			bp := &g.b2.M_contactManager.M_broadPhase
			buffers = append(buffers, slices.Clone(bp.M_moveBuffer[:bp.M_moveCount]))
			if i%200 == 199 {
				g.World.box.TakeBack()
				g.run(1)
				for range 2 * box.FewMoves {
					all = append(all, g.box(rnd.Float64()*100, rnd.Float64()*100))
				}
			}
		}
		return buffers
	}
	want, got := play(false), play(true)
	longest := 0
	for i := range want {
		longest = max(longest, len(want[i]))
		if !slices.Equal(want[i], got[i]) {
			t.Fatalf("change %d: %v, of Box2D %v", i, got[i], want[i])
		}
	}
	if longest <= 2*box.FewMoves {
		t.Errorf("the buffer had %d entries at most: the test compares nothing", longest)
	}
}

// When a joint is added or removed, the contacts of its two bodies are filtered
// again, whichever body has more contacts.
func TestAJointHasTheContactsOfItsBodiesFilteredAnew(t *testing.T) {
	for _, groundFirst := range []bool{true, false} {
		g := newRig(t, gravity())
		ground := g.body(BodyDef{Shapes: []ShapeDef{Box(50, .5)}})
		var boxes []Body
		for i := range 8 {
			boxes = append(boxes, g.box(float64(i)*3, 1))
		}
		g.run(3)
		def := JointDef{Kind: DistanceJoint, A: ground, B: boxes[4], AnchorA: Vec{X: 12, Y: 0}}
		if !groundFirst {
			def.A, def.B, def.AnchorA, def.AnchorB = def.B, def.A, Vec{}, def.AnchorA
		}
		touching := func(b Body) (n int) {
			check(t, g.BodyContacts(b, func(Contact) bool { n++; return true }))
			return n
		}
		if touching(boxes[4]) != 1 {
			t.Fatal("the box does not lie on the ground")
		}
		j := g.joint(def)
		g.run(1)
		if touching(boxes[4]) != 0 || touching(boxes[5]) != 1 {
			t.Errorf("ground first: %v: joined bodies collide, or others do not", groundFirst)
		}
		if base := b2.BaseJoint(g.registry.joints[j].j); base.M_collideConnected {
			t.Error("the joint says that its bodies collide")
		}
		check(t, g.DestroyJoint(j))
		check(t, g.Teleport(boxes[4], Vec{X: 12, Y: 5}, 0)) // and back: otherwise Box2D does not search for one of the pairs
		check(t, g.Teleport(boxes[4], Vec{X: 12, Y: 1.001}, 0))
		g.run(3)
		if touching(boxes[4]) != 1 {
			t.Errorf("ground first: %v: they do not collide without the joint", groundFirst)
		}
	}
}

// TestBrokenJointsLeaveTheList destroys and breaks joints in one step.
func TestBrokenJointsLeaveTheList(t *testing.T) {
	g := newRig(t, gravity())
	ground := g.ground()
	var joints []Joint
	for i := range 30 {
		d := JointDef{Kind: WeldJoint, A: ground, B: g.box(float64(i)*3, 20), AnchorA: Vec{X: float64(i) * 3, Y: 20}, BreakForce: 1e9}
		if i%3 == 0 {
			d.BreakForce = 1e-3
		}
		joints = append(joints, g.joint(d))
	}
	for i := 1; i < 30; i += 3 {
		check(t, g.DestroyJoint(joints[i]))
	}
	g.run(3)
	if len(g.registry.joints) != 10 || len(g.links.breakable) != 10 {
		t.Errorf("%d joints, %d are looked at; want 10", len(g.registry.joints), len(g.links.breakable))
	}
	for range 1000 { // and without a step
		d := JointDef{Kind: WeldJoint, A: ground, B: g.registry.bodies[g.registry.first.next.handle].handle, BreakForce: 1}
		check(t, g.DestroyJoint(g.joint(d)))
	}
	if len(g.links.breakable) > 3*len(g.registry.joints) {
		t.Errorf("%d joints are looked at, of %d", len(g.links.breakable), len(g.registry.joints))
	}
}

// BenchmarkCallsOnMany measures one of n calls in one tick. Its time should
// hardly depend on n.
func BenchmarkCallsOnMany(b *testing.B) {
	for _, n := range []int{1000, 8000} {
		each := func(name string, step bool, f func(g *rig, body Body, s Shape)) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					g := newRig(b, gravity())
					g.body(BodyDef{Shapes: []ShapeDef{Box(float64(n)*2, .5)}})
					var all []Body
					for i := range n {
						all = append(all, g.box(float64(i-n/2)*2, 1))
					}
					if step {
						g.run(1)
					}
					b.StartTimer()
					for _, one := range all {
						f(g, one, g.registry.bodies[one].shapes[0].handle)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/call")
			})
		}
		each("DestroyBody before a step", false, func(g *rig, body Body, _ Shape) { check(b, g.DestroyBody(body)) })
		each("DestroyBody", true, func(g *rig, body Body, _ Shape) { check(b, g.DestroyBody(body)) })
		each("SetSensor", true, func(g *rig, _ Body, s Shape) { check(b, g.SetSensor(s, true)) })
		each("ReplaceShape", true, func(g *rig, _ Body, s Shape) { check(b, g.ReplaceShape(s, Box(.4, .4))) })
	}
}

func TestDestroyedBodiesAreCollected(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	const n = 32
	var gone sync.WaitGroup
	gone.Add(n)
	var bodies []Body
	for range n {
		b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 4}, Shapes: []ShapeDef{Box(.5, .5), CircleAt(2, 0, 1)}})
		runtime.AddCleanup(r.BodyPointer(b), func(int) { gone.Done() }, 0)
		bodies = append(bodies, b)
	}
	r.start()
	r.run(3)
	for i, b := range bodies {
		if i%2 == 0 {
			shapes, _ := r.Shapes(b)
			check(t, r.DestroyShape(shapes[0]))
		}
		check(t, r.DestroyBody(b))
	}
	r.run(1) // state that lasts only until the next step ends with it
	r.events()
	r.structure()
	done := make(chan bool)
	go func() { gone.Wait(); close(done) }()
	for range 200 {
		runtime.GC()
		select {
		case <-done:
			runtime.KeepAlive(r)
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
	t.Error("destroyed bodies are still reachable")
	runtime.KeepAlive(r)
}
