package play

import (
	"slices"

	"halfstep/world"
)

// The user can choose several bodies. The page Body describes Chosen.Body. The
// other chosen bodies are in Chosen.More.

// Bodies returns the chosen bodies.
func (n *Chosen) Bodies() []world.Body {
	if n.Body == 0 {
		return nil
	}
	return append([]world.Body{n.Body}, n.More...)
}

// Has reports whether a body is chosen.
func (n *Chosen) Has(b world.Body) bool {
	return b != 0 && (b == n.Body || slices.Contains(n.More, b))
}

// ChooseAll chooses several bodies in one half of the picture. The page Body
// describes the first of them.
func (n *Inspector) ChooseAll(all []world.Body, right bool) {
	if len(all) == 0 {
		n.ChooseIn(0, right)
		return
	}
	n.ChooseIn(all[0], right)
	n.Shape, n.Joint = 0, 0
	n.More = slices.Clone(all[1:])
	n.stale()
}

// Toggle adds a body to the chosen bodies. If the body is already chosen,
// Toggle removes it.
func (n *Inspector) Toggle(b world.Body, right bool) {
	all := n.Bodies()
	switch i := slices.Index(all, b); {
	case b == 0:
		return
	case right != n.Right || len(all) == 0:
		all = []world.Body{b}
	case i >= 0:
		all = slices.Delete(all, i, i+1)
	default:
		all = append(all, b)
	}
	n.ChooseAll(all, right)
}

// ChooseEach chooses all bodies that are not static.
func (n *Inspector) ChooseEach() {
	var all []world.Body
	s := n.Inspected().View().Scene
	for i := range s.Bodies {
		if b := &s.Bodies[i]; b.Exists && world.BodyKind(b.Type) != world.Static {
			all = append(all, world.Body(b.Handle))
		}
	}
	n.ChooseAll(all, n.Right)
}

// framed returns the bodies that a player shows completely inside a frame. The
// frame has the corners from and to.
func framed(by *Player, from, to world.Vec) (all []world.Body) {
	low := world.Vec{X: min(from.X, to.X), Y: min(from.Y, to.Y)}
	high := world.Vec{X: max(from.X, to.X), Y: max(from.Y, to.Y)}
	s := by.View().Scene
	for slot := range s.Bodies {
		if !s.Bodies[slot].Exists {
			continue
		}
		b, empty, inside := world.Body(s.Bodies[slot].Handle), true, true // empty says that the body has no shapes
		p, ok := by.Pose(b)
		for g := range s.ShapesOf(slot) {
			empty = false
			for i := range max(int(g.N), 1) { // a circle has 0 points, but its first point is its centre
				at, r := p.WorldPoint(world.Vec{X: float64(g.Points[i][0]), Y: float64(g.Points[i][1])}), float64(g.Radius)
				inside = inside && at.X-r >= low.X && at.Y-r >= low.Y && at.X+r <= high.X && at.Y+r <= high.Y
			}
		}
		if ok && inside && !empty {
			all = append(all, b)
		}
	}
	return all
}
