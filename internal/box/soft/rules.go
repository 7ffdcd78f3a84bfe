package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
)

// rules are whom a step asks which shapes meet, and whom it tells of it.
type rules struct {
	listener      Listener                       // or nil
	tellsPreSolve bool                           // the listener wants PreSolve
	filter        box2d.B2ContactFilterInterface // the world's filter if it has to be asked about pairs of shapes, or nil
	passer        Filter                         // the world's filter, if it is a Filter
	filters       bool                           // the filters of the shapes count
}

// begin looks what the world's filter and the listener want in this step.
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

// Listener is told of contacts. The stepper asks in each step what it wants to be told.
type Listener interface {
	box.Listener
	// Approach is called when two solid shapes are so close, or come so fast, that they may
	// touch in this step. BeginContact follows when they do: where they overlap, or after
	// the step in which one pushes the other, and after PreSolve.
	Approach(box.Contact)
	// WantsPreSolve reports whether PreSolve is to be called.
	WantsPreSolve() bool
	// Stops reports whether a fast shape that meets another is stopped there, if
	// the contact of the two has not begun. way is how the fast one moves towards
	// the other in this step, m. Several goroutines ask at once, where
	// WantsPreSolve.
	Stops(fast, other *box2d.B2Fixture, way box2d.B2Vec2) bool
	// WantsPostSolve reports whether PostSolve is to be called for all contacts,
	// and not only for those that have begun in this step.
	WantsPostSolve() bool
}

// Filter is a contact filter that need not always be asked which fast shapes may meet.
// Any other is asked in every step in which a fast shape comes near one with which it has no
// contact. The library's own filter is not asked either.
type Filter interface {
	box2d.B2ContactFilterInterface
	// Of returns what a shape collides with, which is kept until its body is edited or
	// [Stepper.ForgetFilters] is called. Several goroutines ask.
	Of(*box2d.B2Fixture) box.Filter
	// WantsShouldCollide reports whether ShouldCollide looks at more than these.
	WantsShouldCollide() bool
}
