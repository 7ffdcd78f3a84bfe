package soft

import "halfstep/internal/box/tree"

// staticTree has a box around the fat box of each shape whose body is not dynamic. The box of a
// kinematic body's shape also contains the displacement of the shape in this step. The tree
// only finds candidates. Its boxes depend on earlier steps, so a search must check the box of
// each shape that it finds.
type staticTree struct {
	tree.Tree
	built   bool
	changed []int32 // changed are the shapes that syncStatics must update.
}

// syncStatics updates the tree for the changed shapes.
func (s *shapes) syncStatics() {
	t := &s.statics
	if !t.built {
		t.built = true
		t.Build(s.fixedShapes(), func(k int32) *tree.Box {
			b := s.fatBoxes[k].toB2()
			return &b
		})
		t.changed = t.changed[:0]
	}
	for _, k := range t.changed {
		if sh := &s.all[k]; sh.f != nil && s.bodies.all[sh.body].fixed {
			t.put(k, &s.fatBoxes[k], &s.fatBoxes[k])
		} else if t.Has(k) {
			t.Remove(k)
		}
	}
	t.changed = t.changed[:0]
}

// fixedShapes returns the shapes of bodies that are not dynamic.
func (s *shapes) fixedShapes() (all []int32) {
	for k := range s.all {
		if sh := &s.all[k]; sh.f != nil && s.bodies.all[sh.body].fixed {
			all = append(all, int32(k))
		}
	}
	return all
}

// noteStatics makes syncStatics update the shapes of a body.
func (s *shapes) noteStatics(i int32) {
	for k := s.bodies.all[i].first; k >= 0; k = s.all[k].next {
		s.statics.changed = append(s.statics.changed, k)
	}
}

// put gives a shape the box fat, unless the shape's present box contains b.
func (t *staticTree) put(k int32, b, fat *aabb) {
	is := fat.toB2()
	if !t.Has(k) {
		t.Insert(k, &is)
	} else if old := boxOf(t.Box(k)); !old.contains(b) {
		t.Move(k, &is)
	}
}
