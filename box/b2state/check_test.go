package b2state

import (
	"errors"
	"math"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/box/b2"
	"halfstep/box/fast"
	"halfstep/internal/plain"
)

// sampleState is the state of a small world after a step.
func sampleState(t *testing.T) *State {
	t.Helper()
	w := box2d.MakeB2World(box2d.B2Vec2{Y: -10})
	var bodies []*box2d.B2Body
	for i := range 4 {
		def := box2d.MakeB2BodyDef()
		def.Type = uint8(min(i, 1) * 2)
		def.Position = box2d.B2Vec2{X: .3 * float64(i), Y: .9 * float64(i)}
		b := w.CreateBody(&def)
		box, chain := box2d.MakeB2PolygonShape(), box2d.MakeB2ChainShape()
		if box.SetAsBox(.5, .5); i > 0 {
			b.CreateFixture(&box, 1)
		} else {
			chain.CreateChain([]box2d.B2Vec2{{X: -5}, {X: .2}, {X: 5}}, 3)
			b.CreateFixture(&chain, 0)
		}
		bodies = append(bodies, b)
	}
	var turn [2]box2d.B2JointInterface
	for i := range turn {
		def := box2d.MakeB2RevoluteJointDef()
		def.Initialize(bodies[0], bodies[1+i], box2d.B2Vec2{})
		turn[i] = w.CreateJoint(&def)
	}
	gear := box2d.MakeB2GearJointDef()
	gear.BodyA, gear.BodyB, gear.Joint1, gear.Joint2 = bodies[1], bodies[2], turn[0], turn[1]
	w.CreateJoint(&gear)
	s := fast.New(&w, fast.Options{Workers: 1})
	defer s.Close()
	for range 3 {
		s.Step(1./60, 8, 3)
	}
	bodies[1].SetTransform(box2d.B2Vec2{X: 3, Y: 3}, 0) // fills the move buffer
	var state State
	if err := state.Save(&w, new(Shapes), nil, Leave{}); err != nil {
		t.Fatal(err)
	}
	return &state
}

func TestWhatNoWorldCanHoldIsRefused(t *testing.T) {
	leaf := func(s *State) int32 { return s.proxies[0].id }
	for name, spoil := range map[string]func(s *State){
		"":                        func(*State) {},
		"a locked world":          func(s *State) { s.world.flags |= 2 },
		"a body type":             func(s *State) { s.bodies[1].value.M_type = 3 },
		"too many fixtures":       func(s *State) { s.bodies[1].value.M_fixtureCount++ },
		"too few fixtures":        func(s *State) { s.bodies[1].value.M_fixtureCount-- },
		"no fixtures":             func(s *State) { s.bodies[0].value.M_fixtureCount = -1 },
		"a sweep":                 func(s *State) { s.bodies[0].value.M_sweep.Alpha0 = 1 },
		"proxies of what is off":  func(s *State) { s.bodies[1].value.M_flags &^= b2.BodyActive },
		"some proxies":            func(s *State) { s.fixtures[3].value.M_proxyCount = 1 },
		"a proxy out of range":    func(s *State) { s.proxies[0].id = 1 << 30 },
		"a proxy below 0":         func(s *State) { s.proxies[0].id = -2 },
		"two proxies of a leaf":   func(s *State) { s.proxies[0].id = s.proxies[1].id },
		"a child":                 func(s *State) { s.proxies[len(s.proxies)-1].child = 5 },
		"three points":            func(s *State) { s.manifolds[0].PointCount = 3 },
		"a manifold type":         func(s *State) { s.manifolds[0].Type = 3 },
		"a manifold index":        func(s *State) { s.contacts[0].manifold = int32(len(s.manifolds)) },
		"a time of impact":        func(s *State) { s.surfaces[0].toi = math.Float64bits(1.5) },
		"a move":                  func(s *State) { s.moves[0] = int32(len(s.nodes)) },
		"a move of no leaf":       func(s *State) { s.moves[0] = int32(s.world.root) },
		"a root":                  func(s *State) { s.world.root = len(s.nodes) },
		"no root":                 func(s *State) { s.world.root = -1 },
		"a ring in the tree":      func(s *State) { s.nodes[s.world.root].child1 = int32(s.world.root) },
		"a height":                func(s *State) { s.nodes[s.world.root].height++ },
		"a parent":                func(s *State) { s.nodes[leaf(s)].parent = leaf(s) },
		"a leaf with a child":     func(s *State) { s.nodes[leaf(s)].child1 = 0 },
		"a ring in the free list": func(s *State) { s.nodes[s.world.freeList].next = int32(s.world.freeList) },
		"a short free list":       func(s *State) { s.nodes[s.world.freeList].next = -1 },
		"the free list's start":   func(s *State) { s.world.freeList = -7 },
		"the number of nodes":     func(s *State) { s.world.nodeCount++ },
		"the number of proxies":   func(s *State) { s.world.proxyCount++ },
		"a polygon": func(s *State) {
			p := *s.fixtures[0].shape.(*box2d.B2PolygonShape)
			p.M_count = 9
			s.fixtures[0].shape = &p
		},
		"a chain": func(s *State) {
			c := *s.fixtures[3].shape.(*box2d.B2ChainShape)
			c.M_count = 30
			s.fixtures[3].shape = &c
		},
		"a joint of one body": func(s *State) { s.joints[2].base.M_bodyB = s.joints[2].base.M_bodyA },
		"a joint type":        func(s *State) { s.joints[2].base.M_type = 77 },
		"a gear of gears":     func(s *State) { s.joints[0].value.(*box2d.B2GearJoint).M_joint1 = s.joints[0].j },
		"a gear of nothing":   func(s *State) { s.joints[0].value.(*box2d.B2GearJoint).M_joint1 = nil },
		"a gear of one joint": func(s *State) {
			g := s.joints[0].value.(*box2d.B2GearJoint)
			g.M_joint1 = g.M_joint2
		},
	} {
		s := sampleState(t)
		if len(s.contacts) == 0 || len(s.manifolds) == 0 || len(s.moves) == 0 || len(s.joints) != 3 || s.world.freeList < 0 {
			t.Fatalf("a dull world: %d contacts, %d manifolds, %d moves", len(s.contacts), len(s.manifolds), len(s.moves))
		}
		spoil(s)
		b, _ := s.Append(nil)
		if _, _, err := Read(b, true); (name == "") != (err == nil) || name != "" && !errors.Is(err, plain.ErrContradiction) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
