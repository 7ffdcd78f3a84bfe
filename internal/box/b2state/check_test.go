package b2state

import (
	"errors"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/box/fast"
	"halfstep/internal/binenc"
	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/box/store"
)

// sampleState is the state of a small world after a step.
func sampleState(t *testing.T) *sample {
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
	if err := NewPast(&w, box.New(&w, true), new(store.Store), new(Shapes)).Save(&state); err != nil {
		t.Fatal(err)
	}
	return &sample{&state, state.Order()}
}

// sample is a State whose values can be written, by the order of the objects.
type sample struct {
	*State
	order Order
}

func (s *sample) body(i int) *box2d.B2Body { return &s.State.body(s.order.Bodies[i]).value }

// fixture returns the last fixture of a body, and the proxies of that fixture.
func (s *sample) fixture(body int) (*savedFixture, []savedProxy) {
	of := s.shapes(s.order.Bodies[body])
	return &of.fixtures[0], of.proxies
}

func (s *sample) joint(i int) *savedJoint { return s.State.joint(s.order.Joints[i]) }

func (s *sample) surface(i int) *surface {
	return s.past.surfaces.At(&s.Values, int(s.order.Contacts[i]))
}

// manifold returns a manifold that was written to before.
func (s *sample) manifold() *box2d.B2Manifold {
	for _, n := range s.order.Contacts {
		if v, m := s.contactValues(n); v.touched {
			return m
		}
	}
	return nil
}

func TestWhatNoWorldCanHoldIsRefused(t *testing.T) {
	leaf := func(s *sample) int { _, p := s.fixture(0); return int(p[0].id) }
	for name, spoil := range map[string]func(s *sample){
		"":                        func(*sample) {},
		"a locked world":          func(s *sample) { s.world.flags |= 2 },
		"a body type":             func(s *sample) { s.body(1).M_type = 3 },
		"too many fixtures":       func(s *sample) { s.body(1).M_fixtureCount++ },
		"too few fixtures":        func(s *sample) { s.body(1).M_fixtureCount-- },
		"no fixtures":             func(s *sample) { s.body(0).M_fixtureCount = -1 },
		"a sweep":                 func(s *sample) { s.body(0).M_sweep.Alpha0 = 1 },
		"proxies of what is off":  func(s *sample) { s.body(1).M_flags &^= b2.BodyActive },
		"some proxies":            func(s *sample) { f, _ := s.fixture(3); f.value.M_proxyCount = 1 },
		"a proxy out of range":    func(s *sample) { _, p := s.fixture(0); p[0].id = 1 << 30 },
		"a proxy below 0":         func(s *sample) { _, p := s.fixture(0); p[0].id = -2 },
		"two proxies of a leaf":   func(s *sample) { _, p := s.fixture(3); p[0].id = p[1].id },
		"a child":                 func(s *sample) { _, p := s.fixture(3); p[1].child = 5 },
		"three points":            func(s *sample) { s.manifold().PointCount = 3 },
		"a manifold type":         func(s *sample) { s.manifold().Type = 3 },
		"a time of impact":        func(s *sample) { s.surface(0).toi = 1.5 },
		"a move":                  func(s *sample) { s.moves[0] = int32(s.counts.nodes) },
		"a move of no leaf":       func(s *sample) { s.moves[0] = int32(s.world.root) },
		"a root":                  func(s *sample) { s.world.root = s.counts.nodes },
		"no root":                 func(s *sample) { s.world.root = -1 },
		"a ring in the tree":      func(s *sample) { s.node(s.world.root).child1 = int32(s.world.root) },
		"a height":                func(s *sample) { s.node(s.world.root).height++ },
		"a parent":                func(s *sample) { s.node(leaf(s)).parent = int32(leaf(s)) },
		"a leaf with a child":     func(s *sample) { s.node(leaf(s)).child1 = 0 },
		"a ring in the free list": func(s *sample) { s.node(s.world.freeList).next = int32(s.world.freeList) },
		"a short free list":       func(s *sample) { s.node(s.world.freeList).next = -1 },
		"the free list's start":   func(s *sample) { s.world.freeList = -7 },
		"the number of nodes":     func(s *sample) { s.world.nodeCount++ },
		"the number of proxies":   func(s *sample) { s.world.proxyCount++ },
		"a polygon": func(s *sample) {
			f, _ := s.fixture(0)
			p := *f.shape.(*box2d.B2PolygonShape)
			p.M_count = 9
			f.shape = &p
		},
		"a chain": func(s *sample) {
			f, _ := s.fixture(3)
			c := *f.shape.(*box2d.B2ChainShape)
			c.M_count = 30
			f.shape = &c
		},
		"a joint of one body": func(s *sample) { s.joint(2).base.M_bodyB = s.joint(2).base.M_bodyA },
		"a joint type":        func(s *sample) { s.joint(2).base.M_type = 77 },
		"a gear of gears":     func(s *sample) { s.joint(0).value.(*box2d.B2GearJoint).M_joint1 = s.joint(0).of.J },
		"a gear of nothing":   func(s *sample) { s.joint(0).value.(*box2d.B2GearJoint).M_joint1 = nil },
		"a gear of one joint": func(s *sample) {
			g := s.joint(0).value.(*box2d.B2GearJoint)
			g.M_joint1 = g.M_joint2
		},
	} {
		s := sampleState(t)
		if len(s.order.Contacts) == 0 || s.manifold() == nil || len(s.moves) == 0 || len(s.order.Joints) != 3 || s.world.freeList < 0 {
			t.Fatalf("a dull world: %d contacts, manifold %v, %d moves", len(s.order.Contacts), s.manifold(), len(s.moves))
		}
		spoil(s)
		b, _ := s.Append(nil, &s.order)
		r := &binenc.Reader{Rest: b, Finite: true}
		Read(r, false)
		if err := r.Err; (name == "") != (err == nil) || name != "" && !errors.Is(err, binenc.ErrContradiction) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestShapesThatNoWorldOfItsOwnCanHoldAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(s *State, leaf func(n int) *savedLeaf, first *box2d.B2Fixture){
		"":                     func(*State, func(int) *savedLeaf, *box2d.B2Fixture) {},
		"a move of no shape":   func(s *State, _ func(int) *savedLeaf, _ *box2d.B2Fixture) { s.moves[0] = 99 },
		"a move below 0":       func(s *State, _ func(int) *savedLeaf, _ *box2d.B2Fixture) { s.moves[0] = -1 },
		"a move of a free one": func(s *State, _ func(int) *savedLeaf, _ *box2d.B2Fixture) { s.moves[0] = 1 },
		"a locked world":       func(s *State, _ func(int) *savedLeaf, _ *box2d.B2Fixture) { s.world.flags |= 2 },
		"too few children":     func(_ *State, leaf func(int) *savedLeaf, _ *box2d.B2Fixture) { leaf(3).of.Prev = -1 },
		"another's child":      func(_ *State, leaf func(int) *savedLeaf, _ *box2d.B2Fixture) { leaf(3).of.Prev = 0 },
		"one number twice":     func(_ *State, _ func(int) *savedLeaf, first *box2d.B2Fixture) { first.M_proxyCount = ^2 },
		"no number":            func(_ *State, _ func(int) *savedLeaf, first *box2d.B2Fixture) { first.M_proxyCount = 0 },
		"a number beyond":      func(_ *State, _ func(int) *savedLeaf, first *box2d.B2Fixture) { first.M_proxyCount = ^70 },
	} {
		w := box2d.MakeB2World(box2d.B2Vec2{})
		set := box.New(&w, true)
		set.GoSoft(nil)
		var all []*box2d.B2Body
		for i := range 5 { // the numbers 0 to 2, of which 1 is then freed; after that a chain with 1 and 3
			def := box2d.MakeB2BodyDef()
			def.Position.X = float64(i)
			b := set.CreateBody(&def, false)
			all = append(all, b)
			circle, chain := box2d.MakeB2CircleShape(), box2d.MakeB2ChainShape()
			chain.CreateChain([]box2d.B2Vec2{{X: -5}, {X: .2}, {X: 5}}, 3)
			switch fix := box2d.MakeB2FixtureDef(); i {
			case 3:
				set.DestroyBody(all[1])
				fix.Shape = &chain
				set.CreateFixture(b, &fix)
			case 4:
				set.DestroyBody(b)
			default:
				circle.M_radius = .5
				fix.Shape = &circle
				set.CreateFixture(b, &fix)
			}
		}
		var s State
		p := NewPast(&w, set, new(store.Store), new(Shapes))
		if err := p.Save(&s); err != nil {
			t.Fatal(err)
		}
		order := s.Order()
		first := &s.shapes(order.Bodies[len(order.Bodies)-1]).fixtures[0].value
		if name == "a move of a free one" {
			set.DestroyBody(all[3])
			set.Shapes.PutMoves([]int32{0})
			if err := p.Save(&s); err != nil {
				t.Fatal(err)
			}
			order = s.Order()
		}
		spoil(&s, func(n int) *savedLeaf { return p.leaves.At(&s.Values, n) }, first)
		b, _ := s.Append(nil, &order)
		r := &binenc.Reader{Rest: b, Finite: true}
		Read(r, true)
		if err := r.Err; (name == "") != (err == nil) || name != "" && !errors.Is(err, binenc.ErrContradiction) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
