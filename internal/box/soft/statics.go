package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/halving"
)

// staticTree holds a box around the fat box of each shape whose body is not dynamic. The box of
// a kinematic body's shape also holds its way in this step. The tree only gives candidates:
// its boxes depend on earlier steps, so whoever searches it checks the shape's own box.
type staticTree struct {
	tree    box2d.B2DynamicTree
	shapes  []int32 // by node: the shape of its box
	leaves  []int32 // by shape: the node of its box + 1, or 0
	changed []int32 // shapes that syncStatics has to look at
}

// syncStatics brings the tree in line with the shapes.
func (s *Stepper) syncStatics() {
	t := &s.statics
	if t.tree.M_nodes == nil {
		s.buildStatics()
		for k := range s.shapes {
			s.syncStatic(int32(k))
		}
	}
	for _, k := range t.changed {
		s.syncStatic(k)
	}
	t.changed = t.changed[:0]
}

// noteStatics has syncStatics look at the shapes of a body.
func (s *Stepper) noteStatics(i int32) {
	for k := s.bodies[i].first; k >= 0; k = s.shapes[k].next {
		s.statics.changed = append(s.statics.changed, k)
	}
}

// buildStatics makes the tree from all shapes at once, in a fifth of the time that it takes
// to insert them one after the other.
func (s *Stepper) buildStatics() {
	t := &s.statics
	var leaves []halving.Placed[float32]
	for k := range s.shapes {
		if sh := &s.shapes[k]; sh.f != nil && s.bodies[sh.body].fixed {
			b := &s.fatBoxes[k]
			middle := [2]float32{float32(b.lx + b.ux), float32(b.ly + b.uy)} // doubled
			leaves = append(leaves, halving.Placed[float32]{At: middle, Of: int32(k)})
		}
	}
	t.tree = b2.MakeTree(2 * len(leaves))
	for i := range leaves {
		of := &leaves[i].Of
		*of = int32(t.leaf(*of, &s.fatBoxes[*of]))
	}
	if len(leaves) > 0 {
		t.tree.M_root = t.split(leaves)
	}
}

// split makes the subtree of some leaves: it cuts them in halves across the longer
// side of where they are.
func (t *staticTree) split(leaves []halving.Placed[float32]) int {
	if len(leaves) == 1 {
		return int(leaves[0].Of)
	}
	half := len(leaves) / 2
	halving.Part(leaves, half)
	n := t.tree.AllocateNode()
	a, b := t.split(leaves[:half]), t.split(leaves[half:])
	nodes := t.tree.M_nodes
	nodes[a].Parent, nodes[b].Parent = n, n
	nodes[n].Child1, nodes[n].Child2 = a, b
	boxA, boxB := boxOf(&nodes[a].Aabb), boxOf(&nodes[b].Aabb)
	all := boxA.union(&boxB)
	nodes[n].Aabb, nodes[n].Height = all.toB2(), 1+max(nodes[a].Height, nodes[b].Height)
	return n
}

func (s *Stepper) syncStatic(k int32) {
	sh := &s.shapes[k]
	if sh.f == nil || !s.bodies[sh.body].fixed {
		s.statics.remove(k)
		return
	}
	s.statics.put(k, &s.fatBoxes[k], &s.fatBoxes[k])
}

// put gives a shape the box fat, unless it has one that holds b.
func (t *staticTree) put(k int32, b, fat *aabb) {
	leaf := int(t.leaves[k]) - 1
	if leaf >= 0 {
		if old := boxOf(&t.tree.M_nodes[leaf].Aabb); old.contains(b) {
			return
		}
		b2.RemoveLeaf(&t.tree, leaf, nil)
	} else {
		leaf = t.leaf(k, fat)
	}
	t.tree.M_nodes[leaf].Aabb = fat.toB2()
	b2.InsertLeaf(&t.tree, leaf, nil)
}

// leaf makes the node of a shape.
func (t *staticTree) leaf(k int32, b *aabb) int {
	n := t.tree.AllocateNode()
	t.shapes = growTo(t.shapes, n+1)
	t.shapes[n], t.leaves[k] = k, int32(n+1)
	t.tree.M_nodes[n].Aabb = b.toB2()
	return n
}

func (t *staticTree) remove(k int32) {
	if leaf := int(t.leaves[k]) - 1; leaf >= 0 {
		t.leaves[k] = 0
		b2.RemoveLeaf(&t.tree, leaf, nil)
		t.tree.FreeNode(leaf)
	}
}
