package soft

import "github.com/ByteArena/box2d"

// Fat boxes leave a shape room to move before it gets another one: less to small
// shapes, which would have too many neighbours otherwise, and more in the
// direction in which it moves.
const (
	marginFraction = 0.125 // of the body's extent
	mostMargin     = 0.05  // m
)

// newBox gives the shape k of body i a fat box if it cannot keep the one it had, and
// reports whether it did. moveProxy then brings it to the tree. The box of a fast
// body has to hold the next step's way as well, or predict would hear of some pairs
// too late.
func (s *Stepper) newBox(i, k int32) bool {
	p, st, g, fat := &s.poses[i], s.stateAt(i), &s.geometries[k], &s.fatBoxes[k]
	e := g.extremes(p.q)
	tight := e.at(p.x, p.y, speculative)
	way := tight
	if p.flags&poseFast != 0 {
		way.grow(st.d)
	}
	left := !fat.contains(&way)
	if left {
		*fat = e.at(p.x, p.y, s.margin(p))
		fat.grow(st.d)
	}
	room := min(tight.lx-fat.lx, tight.ly-fat.ly, fat.ux-tight.ux, fat.uy-tight.uy)
	s.room[k] = float32(room) - float32(1e-5*p.extent) // boxes are rounded
	return left
}

// farthest returns how far a point of a body may have gone in this step.
func (s *Stepper) farthest(i int32) float32 {
	e, p := &s.bodies[i], &s.poses[i]
	w := &e.b.M_sweep
	return 1.001 * (abs(float32(p.x-w.C0.X)) + abs(float32(p.y-w.C0.Y)) + float32(abs(float32(e.a-w.A0))*p.extent))
}

// grow adds a way to a box.
func (a *aabb) grow(way vec) {
	dx, dy := float64(way.x), float64(way.y)
	a.lx, a.ux = a.lx+min(dx, 0), a.ux+max(dx, 0)
	a.ly, a.uy = a.ly+min(dy, 0), a.uy+max(dy, 0)
}

// margin is how much larger than its shape a fat box is.
func (s *Stepper) margin(p *pose) float32 {
	return speculative + lesser(mostMargin, float32(marginFraction*p.extent))
}

// moveProxy brings the fat box of a shape to the tree. Most shapes keep their place in
// it, and endMoves computes the inner boxes again.
func (s *Stepper) moveProxy(k int32) {
	bp, fat := &s.world.M_contactManager.M_broadPhase, &s.fatBoxes[k]
	nodes, written := bp.M_tree.M_nodes, &s.set.Dirty
	nodes[k].Aabb = fat.toB2()
	written.Nodes.Mark(k)
	written.Leaves.Mark(k)
	for n := nodes[k].Parent; n != box2d.B2_nullNode && !s.dirty[n]; n = nodes[n].Parent {
		s.dirty[n] = true
		written.Nodes.Mark(int32(n))
	}
	bp.BufferMove(int(k))
	s.setMoved(k, movedHere)
}

// endMoves brings the tree in order.
func (s *Stepper) endMoves() {
	t := &s.world.M_contactManager.M_broadPhase.M_tree
	s.strays = s.strays[:0]
	if t.M_root != box2d.B2_nullNode {
		s.refit(t.M_nodes, t.M_root)
	}
	for _, k := range s.strays {
		s.set.MoveLeaf(int(k)) // it may be an inner node as well
	}
}

// refit computes the boxes of inner nodes above what has moved. Where the two children
// of a node have got too far away from each other, the smaller one is to be inserted
// anew: a shape, or all that moves with it.
func (s *Stepper) refit(nodes []box2d.B2TreeNode, i int) {
	if !s.dirty[i] {
		return
	}
	s.dirty[i] = false
	n := &nodes[i]
	s.refit(nodes, n.Child1)
	s.refit(nodes, n.Child2)
	a, b := boxOf(&nodes[n.Child1].Aabb), boxOf(&nodes[n.Child2].Aabb)
	both := a.union(&b)
	n.Aabb = both.toB2()
	if both.perimeter() > 2*(a.perimeter()+b.perimeter()) {
		stray := n.Child1
		if nodes[n.Child2].Height < nodes[stray].Height {
			stray = n.Child2
		}
		s.strays = append(s.strays, int32(stray))
	}
}
