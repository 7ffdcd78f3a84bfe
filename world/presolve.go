package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// PreSolveContact is a pair of solid shapes that touch, or may in this step, as the PreSolve
// hook is shown it. What the hook writes to Friction, Restitution, TangentSpeed and Solid
// holds for this step. It is valid only during the call.
type PreSolveContact struct {
	Contact         // Impulse is 0
	Began   bool    // they have not touched before this step; they may only come near in it
	Points  []Vec   // one or two, of the world, m; Point is their middle
	Depth   float64 // how far they overlap along Normal, m; below 0 where there is a gap

	// Friction and Restitution, 0 and up, are at first what the shapes have together; see
	// Surfaces.Mixes.
	Friction, Restitution float64
	// TangentSpeed is how fast B is carried along A, in m/s; see
	// ShapeDef.SurfaceSpeed for the direction. At first it is the sum of the
	// shapes' speeds.
	TangentSpeed float64
	Solid        bool // at first true; if false, the two pass through each other in this step
}

// SetPreSolve sets a function that is called, while Box2D steps, for every pair
// of solid shapes that touch, before they are kept apart. It may set the pair's
// friction, restitution and tangent speed for this step, or let the two pass
// through each other. Pairs that pass through a one-way shape are left out. The
// function must not change the world (see the package comment), and it must do
// the same whenever the world and the contact are the same. If one of the three numbers
// is one that Box2D could not take, all three stay as they were, and the first time that
// happens a CommandRejected event says so. Nil removes the function. What is set while
// Box2D steps is called from the next step on.
func (w *World) SetPreSolve(f func(w *World, c *PreSolveContact)) {
	w.checkGoroutine()
	if w.when.phase == stepping {
		w.Later(func(w *World) { w.SetPreSolve(f) })
		return
	}
	if w.preSolve != nil { // the surfaces that the old hook set end with it
		for c := range w.box.EachContact() {
			w.box.SetSurface(c, w.surfaces.mixed(c))
		}
		w.box.LookAtAll()
	}
	w.preSolve, w.refused = f, false
}

// skin is how far the library's shape reaches beyond its outline, m.
func skin(s box2d.B2ShapeInterface) float64 {
	if t := s.GetType(); t == b2.CircleShape || t == b2.RoundShape {
		return 0
	}
	return min(s.GetRadius(), box2d.B2_polygonRadius)
}

// ask calls the hook for a contact, and takes over what it has written.
func (w *World) ask(c box.Contact) {
	surface := w.surfaces.mixed(c)
	c.SetSurface(surface)
	_, began := w.contacts.begun[c]
	began = began || !c.IsTouching()
	p := &w.presolving
	*p = PreSolveContact{
		Contact: w.contacts.contact(c, true), Began: began, // true: with Point and Normal
		Points:   p.Points[:0],
		Friction: surface.Friction, Restitution: surface.Restitution, TangentSpeed: surface.TangentSpeed, Solid: true,
	}
	m := &w.contacts.manifold // as contact has left it
	least := m.Separations[0]
	for k := range c.Points() {
		p.Points = append(p.Points, fromB2(m.Points[k]))
		least = min(least, m.Separations[k])
	}
	p.Depth = -least
	if w.soft == nil {
		a, b := c.Shapes()
		p.Depth -= skin(a.M_shape) + skin(b.M_shape)
	}
	w.preSolve(w, p)
	if !p.Solid {
		c.Disable()
	}
	if err := firstError(
		checkPositive("friction", p.Friction),
		checkPositive("restitution", p.Restitution),
		checkNumber("tangent speed", p.TangentSpeed),
	); err != nil {
		if !w.refused {
			w.refused = true
			w.news.reject(opNone, p.A, err)
		}
		return
	}
	c.SetSurface(box.Surface{Friction: p.Friction, Restitution: p.Restitution, TangentSpeed: p.TangentSpeed})
}
