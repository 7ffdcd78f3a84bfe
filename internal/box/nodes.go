package box

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/tree"
)

// Nodes are the nodes of the tree of all shapes of enabled bodies, for queries. They are valid until
// the world changes.
type Nodes struct {
	of  *World
	own *tree.Tree // nil means the library's
	all []box2d.B2TreeNode
}

// Nodes returns the nodes of the tree. During raw access the tree is the library's, which has the
// changes of raw access.
func (s *World) Nodes() Nodes {
	if s.Soft() && !s.Shapes.library.is {
		return Nodes{of: s, own: &s.Shapes.Tree}
	}
	return Nodes{of: s, all: s.world.M_contactManager.M_broadPhase.M_tree.M_nodes}
}

// Root returns the topmost node. ok is false if the tree is empty.
func (n *Nodes) Root() (id int32, ok bool) {
	if n.own != nil {
		return n.own.Root()
	}
	root := n.of.world.M_contactManager.M_broadPhase.M_tree.M_root
	return int32(root), root != box2d.B2_nullNode
}

// Box returns the box around all shapes below a node, or around the shape at the node.
func (n *Nodes) Box(id int32) *box2d.B2AABB {
	if n.own != nil {
		return n.own.Box(id)
	}
	return &n.all[id].Aabb
}

// Children returns the two children of a node. ok is false if there is a shape at the node.
func (n *Nodes) Children(id int32) (a, b int32, ok bool) {
	if n.own != nil {
		return n.own.Children(id)
	}
	a, b = int32(n.all[id].Child1), int32(n.all[id].Child2)
	return a, b, a != box2d.B2_nullNode
}

// Shape returns the fixture at a node and the child of that fixture. The fixture is nil if there is
// none at the node.
func (n *Nodes) Shape(id int32) (f *box2d.B2Fixture, child int) {
	if n.own != nil {
		of := &n.of.Shapes.All[id]
		return of.F, int(of.Child)
	}
	if p, ok := n.all[id].UserData.(*box2d.B2FixtureProxy); ok {
		return p.Fixture, p.ChildIndex
	}
	return nil, 0
}
