package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// PreSolveContact is the argument of the PreSolve hook. It describes a pair of solid shapes that touch, or may
// touch in this step. The hook may set Friction, Restitution, TangentSpeed and Solid for this step. The argument
// is valid only during the call.
type PreSolveContact struct {
	Contact         // Impulse is 0
	Began   bool    // the shapes did not touch before this step; they may only come near each other in this step
	Points  []Vec   // one or two points of the world, in m; Point is the middle between them
	Depth   float64 // depth of the overlap along Normal, in m; negative for a gap

	// Friction and Restitution are at least 0. They start with the mixed values of the two shapes; see
	// Surfaces.Mixes.
	Friction, Restitution float64
	// TangentSpeed is the speed at which A carries B along, in m/s. It starts with the sum of the shapes'
	// speeds. ShapeDef.SurfaceSpeed defines the direction.
	TangentSpeed float64
	Solid        bool // at first true; if it becomes false, the two shapes pass through each other in this step
}

// SetPreSolve sets a function that is called, while Box2D steps, for every pair of solid shapes that
// touch, before the pair is solved. It may set the pair's friction, restitution and tangent speed for this
// step, or let the shapes pass through each other. It is not called for pairs that pass through a one-way
// shape. The function must not change the world (see the package comment). Its result must depend only on
// the world and the contact. If one of the three numbers is invalid, all three keep their values, and at the
// first time a CommandRejected event reports this. Nil removes the function. A function that is set while
// Box2D steps is called from the next step on.
func (w *World) SetPreSolve(f func(w *World, c *PreSolveContact)) {
	w.checkGoroutine()
	if w.when.phase == stepping {
		w.Later(func(w *World) { w.SetPreSolve(f) })
		return
	}
	if w.preSolve != nil { // ends the surface values that the old hook has set
		for c := range w.box.EachContact() {
			w.box.SetSurface(c, w.surfaces.mixed(c))
		}
		w.box.LookAtAll()
	}
	w.preSolve, w.refused = f, false
}

// skin returns the distance by which the library's shape extends beyond its outline, in m.
func skin(s box2d.B2ShapeInterface) float64 {
	if t := s.GetType(); t == b2.CircleShape || t == b2.RoundShape {
		return 0
	}
	return min(s.GetRadius(), box2d.B2_polygonRadius)
}

// ask calls the hook for a contact, and stores the changes that the hook makes.
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
	m := &w.contacts.manifold // the call of contact has set the manifold
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
