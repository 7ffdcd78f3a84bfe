package b2state

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ByteArena/box2d"

	"halfstep/box"
)

// State is the state of a world between two steps. The zero State is empty. It
// can be taken again and again, and keeps its memory.
type State struct {
	world     worldValues
	bodies    []savedBody    // in the order of the world's list
	fixtures  []savedFixture // body by body, in the order of the body's list
	proxies   []savedProxy   // fixture by fixture
	contacts  []savedContact // in the order of the world's list
	surfaces  []surface      // of the contacts; what several in a row have is here once
	manifolds []box2d.B2Manifold
	joints    []savedJoint // in the order of the world's list
	nodes     []savedNode
	moves     []int32

	changed []*box2d.B2Fixture // by the last restore: their looks, or their shapes

	pages any // *pages, instead of the tables above, but moves; see paged.Table
}

// worldValues is what a world is besides its objects.
type worldValues struct {
	flags                                     int
	gravity                                   box2d.B2Vec2
	allowSleep                                bool
	invDt0                                    float64
	warmStarting, continuous, sub, isComplete bool

	// What the world calls. A state that was read does not know.
	knowsCalls  bool
	destruction box2d.B2DestructionListenerInterface
	filter      box2d.B2ContactFilterInterface
	listener    box2d.B2ContactListenerInterface

	proxyCount                                   int
	root, nodeCount, freeList, path, insertCount int
}

type savedBody struct {
	b     *box2d.B2Body
	value box2d.B2Body
}

type savedFixture struct {
	f     *box2d.B2Fixture
	value box2d.B2Fixture
	shape box2d.B2ShapeInterface // a copy, which does not change
}

type savedProxy struct {
	aabb  box2d.B2AABB
	id    int32
	child int32
}

type savedContact struct {
	c        box2d.B2ContactInterface
	ends     savedEnds
	child    int32
	flags    uint32
	manifold int32 // index of the manifold; -1 if nothing was ever written to it
	surface  int32 // index
}

// savedEnds are the fixtures of a contact. They are saved because the contact's memory
// may be that of another one later. Only the first of them may have several children.
type savedEnds struct{ a, b *box2d.B2Fixture }

func endsOf(c *box2d.B2Contact) (e savedEnds, child int32) {
	return savedEnds{c.M_fixtureA, c.M_fixtureB}, int32(c.M_indexA)
}

func (e *savedEnds) restore(c *box2d.B2Contact, child int32) {
	c.M_fixtureA, c.M_fixtureB, c.M_indexA = e.a, e.b, int(child)
}

// surface is what a contact has besides, as bits.
type surface struct {
	toiCount                                 int32
	toi, friction, restitution, tangentSpeed uint64
}

type savedJoint struct {
	j     box2d.B2JointInterface
	value box2d.B2JointInterface // a copy, of the same type
	base  box2d.B2Joint
	extra *box.JointExtra // a copy that nobody changes, or nil
}

// savedNode is a node of the broad phase's tree. Leaves find their proxies by
// the proxies' ids.
type savedNode struct {
	aabb                                 box2d.B2AABB
	parent, next, child1, child2, height int32
}

// ErrLocked is returned by Save during a step.
var ErrLocked = errors.New("the world is locked")

// Size is how many bytes of memory a State holds on to, without what it shares
// with others: the copies of shapes.
func (s *State) Size() int {
	return size(s.bodies) + size(s.fixtures) + size(s.proxies) + size(s.contacts) + size(s.surfaces) + size(s.manifolds) +
		size(s.joints) + s.jointSize() + size(s.nodes) + size(s.moves) + pagesOf(s).size()
}

func size[T any](s []T) int {
	var t T
	return len(s) * int(unsafe.Sizeof(t))
}

// Forget drops all that the State points to, and keeps its memory.
func (s *State) Forget() {
	pagesOf(s).drop()
	s.bodies, s.fixtures, s.proxies = resized(s.bodies, 0), resized(s.fixtures, 0), resized(s.proxies, 0)
	s.contacts, s.joints = resized(s.contacts, 0), resized(s.joints, 0)
	s.world = worldValues{}
	s.surfaces, s.manifolds, s.nodes, s.moves = s.surfaces[:0], s.manifolds[:0], s.nodes[:0], s.moves[:0]
}

// resized returns a slice of length n, with what s holds so far. What is beyond that is
// cleared, so that it can be collected. The slice is not nil, which would have other
// bytes than an empty one.
func resized[T any](s []T, n int) []T {
	if n > cap(s) || s == nil {
		grown := make([]T, n, n+n/8)
		copy(grown, s)
		return grown
	}
	if n < len(s) {
		clear(s[n:])
	}
	return s[:n]
}

func errUnknown(what string, v any) error {
	return fmt.Errorf("a %s of a type that is not Box2D's own: %T", what, v)
}
