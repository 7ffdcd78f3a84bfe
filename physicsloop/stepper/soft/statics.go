package soft

import "slices"

// staticTree holds the boxes of all static shapes, in depth-first order. It is
// made anew when one of them changes.
type staticTree struct {
	nodes []flatNode
	valid bool
	items []flatNode // scratch
}

// build makes the tree of the shapes of static bodies.
func (s *Stepper) buildStatics() {
	t := &s.statics
	if t.valid {
		return
	}
	t.valid = true
	t.items, t.nodes = t.items[:0], t.nodes[:0]
	for i := range s.bodies {
		if s.poses[i].flags&poseStatic == 0 {
			continue
		}
		for k := s.bodies[i].first; k >= 0; k = s.shapes[k].next {
			t.items = append(t.items, flatNode{box: s.fats[k], proxy: k})
		}
	}
	if len(t.items) > 0 {
		t.split(t.items)
	}
}

// split adds the subtree of some shapes: it cuts them in halves across the longer
// side of their box.
func (t *staticTree) split(items []flatNode) {
	at := len(t.nodes)
	if len(items) == 1 {
		items[0].skip = int32(at + 1)
		t.nodes = append(t.nodes, items[0])
		return
	}
	all := items[0].box
	for i := range items {
		all = all.union(&items[i].box)
	}
	t.nodes = append(t.nodes, flatNode{box: all, proxy: -1})
	wide := all.ux-all.lx > all.uy-all.ly
	slices.SortFunc(items, func(a, b flatNode) int {
		x, y := a.ly+a.uy, b.ly+b.uy
		if wide {
			x, y = a.lx+a.ux, b.lx+b.ux
		}
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return int(a.proxy - b.proxy)
	})
	t.split(items[:len(items)/2])
	t.split(items[len(items)/2:])
	t.nodes[at].skip = int32(len(t.nodes))
}

// visit calls f for the shapes whose boxes meet b.
func (t *staticTree) visit(b *box, f func(id int32)) {
	for i := 0; i < len(t.nodes); {
		n := &t.nodes[i]
		if !n.overlaps(b) {
			i = int(n.skip)
			continue
		}
		if n.proxy >= 0 {
			f(n.proxy)
		}
		i++
	}
}
