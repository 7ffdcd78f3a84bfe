package soft

import (
	"math"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/slab"
)

// Fat boxes leave a shape room to move before it gets another box. Small shapes get less, as
// they would have too many neighbours otherwise.
const (
	marginFraction = 0.125 // of the body's extent
	mostMargin     = 0.05  // m
)

// newBox gives shape k of body i a new fat box if it cannot keep the one it had, and reports
// whether it did. moveProxy then brings it to the tree. A fast body gets a new box in each
// step, so its box needs no room. A kinematic body's box is larger by the way that it goes in a
// step, as it goes on in the same direction.
func (s *Stepper) newBox(i, k int32) bool {
	p, g, fat := &s.poses[i], &s.geometries[k], &s.fatBoxes[k]
	e := g.extremes(p.q)
	tight := e.at(p.x, p.y, speculative)
	if p.flags&poseFast != 0 {
		*fat, s.room[k] = tight, 0
		return true
	}
	left := !fat.contains(&tight) || s.swept[k] != (way{})
	if left {
		*fat = e.at(p.x, p.y, s.margin(p))
		if p.flags&poseDynamic == 0 {
			fat.grow(s.stateAt(i).d)
		}
	}
	room := min(tight.lx-fat.lx, tight.ly-fat.ly, fat.ux-tight.ux, fat.uy-tight.uy)
	s.room[k] = float32(room) - float32(1e-5*p.extent) // boxes are rounded
	return left
}

// way is a distance in two directions, m.
type way struct{ x, y float64 }

// beyond is how far the box of a shape in the tree reaches beyond its fat box: the way of a fast
// body in the next step. Without it some pairs would come too late for predict.
func (a *aabb) beyond(fat *aabb) way {
	return way{a.lx - fat.lx + a.ux - fat.ux, a.ly - fat.ly + a.uy - fat.uy}
}

// mayMeet reports whether two shapes may touch before their boxes are looked at again: their
// fat boxes overlap, or will as one moves past the other. Fast bodies that fly side by side
// meet in the tree but not here.
func (s *Stepper) mayMeet(a, b int32) bool {
	fa, fb := &s.fatBoxes[a], &s.fatBoxes[b]
	return fa.overlaps(fb) || fa.willMeet(fb, s.swept[a], s.swept[b])
}

// willMeet reports whether two boxes overlap on their ways.
func (fa *aabb) willMeet(fb *aabb, wa, wb way) bool {
	x, y := wb.x-wa.x, wb.y-wa.y
	// All doubled: B's centre from A's, halfway, and the sum of the half sides. A segment misses
	// a box if an axis, or the direction across the segment, separates them.
	dx, dy := fb.lx+fb.ux-fa.lx-fa.ux+x, fb.ly+fb.uy-fa.ly-fa.uy+y
	hx, hy := fa.ux-fa.lx+fb.ux-fb.lx, fa.uy-fa.ly+fb.uy-fb.ly
	ax, ay := math.Abs(x), math.Abs(y)
	return math.Abs(dx) <= hx+ax && math.Abs(dy) <= hy+ay &&
		math.Abs(float64(x*dy)-float64(y*dx)) <= float64(ax*hy)+float64(ay*hx)
}

// farthest returns how far a point of a body at p may have gone in this step.
func (e *body) farthest(p *pose) float32 {
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

// moveProxy writes the box of a shape, which holds its fat box and the way that it goes, to the
// tree. The shape keeps its place in the tree; endMoves computes the boxes above it.
func (s *Stepper) moveProxy(k int32, box *aabb) {
	bp := &s.world.M_contactManager.M_broadPhase
	nodes, written := bp.M_tree.M_nodes, &s.set.Dirty
	nodes[k].Aabb = box.toB2()
	written.Nodes.Mark(k)
	written.Leaves.Mark(k)
	for n := nodes[k].Parent; n != box2d.B2_nullNode && !s.allDirty && !s.dirty[n]; n = nodes[n].Parent {
		s.dirty[n] = true
		s.above = append(s.above, nodeAt{int32(n), int32(nodes[n].Height)})
		written.Nodes.Mark(int32(n))
	}
	bp.BufferMove(int(k))
	s.packed.fits = false
	s.setMoved(k, movedHere)
}

// nodeAt is a node of the world's tree, and its height: that of a shape is 0.
type nodeAt struct{ node, height int32 }

// endMoves computes the boxes above shapes that have moved, and moves strays in the tree.
func (s *Stepper) endMoves() {
	if s.allDirty {
		nodes := s.tree()
		s.set.Dirty.Nodes.MarkAll(len(nodes))
		for k := range nodes {
			if h := nodes[k].Height; h > 0 {
				s.above = append(s.above, nodeAt{int32(k), int32(h)})
			}
		}
		s.allDirty = false
	}
	s.strays = s.strays[:0]
	ends, from := s.sortByHeight(s.above), int32(0)
	s.above = s.above[:0]
	for _, to := range ends {
		s.level = s.sorted[from:to]
		blocks := s.blocksOf(len(s.level), manyBodies, 1)
		s.strayed = growTo(s.strayed, blocks)
		s.run(stageRefit, len(s.level), blocks)
		lower := len(s.strays)
		for _, strays := range s.strayed[:blocks] {
			s.strays = append(s.strays, strays...)
		}
		slices.Sort(s.strays[lower:]) // shapes may move in another order after a restore
		from = to
	}
	for _, k := range s.strays {
		s.set.MoveLeaf(int(k)) // with all below it, if it is an inner node
	}
}

// sortByHeight puts nodes into sorted, the lowest first, and returns where those of each height end.
func (s *Stepper) sortByHeight(nodes []nodeAt) (ends []int32) {
	highest := int32(-1)
	for _, n := range nodes {
		highest = max(highest, n.height)
	}
	s.ends = slab.Sized(s.ends[:0], int(highest+1))
	for _, n := range nodes {
		s.ends[n.height]++
	}
	sum := int32(0)
	for h, count := range s.ends {
		s.ends[h] = sum
		sum += count
	}
	s.sorted = slab.Any(s.sorted, len(nodes))
	for _, n := range nodes {
		s.sorted[s.ends[n.height]] = n.node
		s.ends[n.height]++
	}
	return s.ends
}

// refitBlock computes the boxes of some nodes of one height, of which those below are computed.
func (s *Stepper) refitBlock(block, from, to int) {
	nodes, strays := s.tree(), s.strayed[block][:0]
	for _, k := range s.level[from:to] {
		s.dirty[k] = false
		n := &nodes[k]
		a, b := boxOf(&nodes[n.Child1].Aabb), boxOf(&nodes[n.Child2].Aabb)
		both := a.union(&b)
		n.Aabb = both.toB2()
		if both.perimeter() > 2*(a.perimeter()+b.perimeter()) {
			// The two children have got too far apart. The lower one, a shape or a whole subtree, is
			// inserted anew.
			stray := n.Child1
			if nodes[n.Child2].Height < nodes[stray].Height {
				stray = n.Child2
			}
			strays = append(strays, int32(stray))
		}
	}
	s.strayed[block] = strays
}
