package soft

import "github.com/ByteArena/box2d"

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
