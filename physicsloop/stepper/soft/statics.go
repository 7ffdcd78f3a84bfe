package soft

import "github.com/ByteArena/box2d"

// staticTree holds a box around the fat box of each shape whose body is not dynamic. That
// of a kinematic body's shape holds its way in this step as well. It is a first choice:
// which boxes it has depends on what was before, so who asks looks at the shape's own.
type staticTree struct {
	tree    box2d.B2DynamicTree
	shapes  []int32 // by node: whose box it is
	leaves  []int32 // by shape: the node of its box + 1, or 0
	changed []int32 // shapes that are to be looked at
	valid   bool    // no other shape is
}

// syncStatics brings the tree in line with the shapes that there are.
func (s *Stepper) syncStatics() {
	t := &s.statics
	if t.tree.M_nodes == nil {
		t.tree = box2d.MakeB2DynamicTree()
	}
	t.leaves = growTo(t.leaves, len(s.shapes))
	if !t.valid {
		t.valid = true
		for k := range s.shapes {
			s.syncStatic(int32(k))
		}
	}
	for _, k := range t.changed {
		s.syncStatic(k)
	}
	t.changed = t.changed[:0]
}

func (s *Stepper) syncStatic(k int32) {
	sh := &s.shapes[k]
	if sh.f == nil || !s.bodies[sh.body].fixed {
		s.statics.remove(k)
		return
	}
	s.statics.put(k, &s.fats[k], &s.fats[k])
}

// put gives a shape the box fat, unless it has one that holds b.
func (t *staticTree) put(k int32, b, fat *box) {
	leaf := int(t.leaves[k]) - 1
	if leaf >= 0 {
		if old := boxOf(&t.tree.M_nodes[leaf].Aabb); old.contains(b) {
			return
		}
		t.tree.RemoveLeaf(leaf)
	} else {
		leaf = t.tree.AllocateNode()
		t.shapes = growTo(t.shapes, leaf+1)
		t.shapes[leaf], t.leaves[k] = k, int32(leaf+1)
	}
	t.tree.M_nodes[leaf].Aabb = fat.toB2()
	t.tree.InsertLeaf(leaf)
}

func (t *staticTree) remove(k int32) {
	if leaf := int(t.leaves[k]) - 1; leaf >= 0 {
		t.leaves[k] = 0
		t.tree.RemoveLeaf(leaf)
		t.tree.FreeNode(leaf)
	}
}
