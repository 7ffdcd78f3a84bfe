package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
)

// rules are the filters and the listener of a step.
type rules struct {
	listener      Listener                       // may be nil
	tellsPreSolve bool                           // the listener wants PreSolve
	filter        box2d.B2ContactFilterInterface // filter is the world's filter if it must be asked about pairs of shapes. Otherwise it is nil.
	passer        Filter                         // passer is the world's filter if it is a Filter.
	filters       bool                           // filters says that the filters of the shapes apply.
}

// begin finds out how the world's filter and the listener must be used in this step.
func (r *rules) begin(filter box2d.B2ContactFilterInterface, l Listener) {
	r.passer, _ = filter.(Filter)
	_, own := filter.(*box2d.B2ContactFilter)
	if r.filters = own || r.passer != nil; own || r.passer != nil && !r.passer.WantsShouldCollide() {
		filter = nil
	}
	r.filter = filter
	r.listener = l
	r.tellsPreSolve = l != nil && l.WantsPreSolve()
}

// Listener receives the events of contacts. In each step the stepper asks which calls the
// listener wants.
type Listener interface {
	box.Listener
	// Approach is called when two solid shapes are so close, or approach so fast, that they may
	// touch in this step. BeginContact follows when they touch. If they overlap it follows at
	// once. If one pushes the other in the step, it follows after the step and after PreSolve.
	Approach(box.Contact)
	// WantsPreSolve reports whether PreSolve must be called.
	WantsPreSolve() bool
	// Stops reports whether a fast shape stops at another shape if their contact has not begun.
	// The vector way is the displacement of the fast shape relative to the other shape in this
	// step, in m. The stepper calls Stops only if WantsPreSolve returns true. Several goroutines
	// may call it at once.
	Stops(fast, other *box2d.B2Fixture, way box2d.B2Vec2) bool
	// WantsPostSolve reports whether PostSolve must be called for all contacts. If it returns
	// false, PostSolve is called only for contacts that have begun in this step.
	WantsPostSolve() bool
}

// Filter is a contact filter that need not be asked about every pair of fast shapes. Any
// other filter is asked in every step in which a fast shape comes near a shape with which it
// has no contact. The library's own filter is an exception: it is not asked about every pair
// either.
type Filter interface {
	box2d.B2ContactFilterInterface
	// Of returns the filter of a shape. The stepper keeps the result until the shape's body is
	// edited, or until [Stepper.ForgetFilters] is called. Several goroutines call Of.
	Of(*box2d.B2Fixture) box.Filter
	// WantsShouldCollide reports whether ShouldCollide uses more than these filters.
	WantsShouldCollide() bool
}
