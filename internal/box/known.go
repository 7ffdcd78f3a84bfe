package box

// known is the World's knowledge of the library's objects. It has these states:
//
//	state    | comes from                              | goes to
//	nothing  | Expose                                  | numbers, when all objects are numbered
//	numbers  | New, LookAtAll, Renumber between steps  | looked, when a step begins
//	putBack  | PutAll, if all was known                | all, when a step begins
//	looked   | a step that looked at everything        | all, when the next step begins
//	all      | a step                                  |
type known uint8

const (
	nothing known = iota // other code has had the objects since the last numbering
	numbers              // any object may have changed, but each creation and removal was reported
	putBack              // the World knows all changes; objects that a restore has put back are listed for one step
	looked               // the World knows all changes; the present or the last step looked at everything
	all
)

// sight is the World's knowledge of the library's objects. It also says whether other code may change
// them.
type sight struct {
	known known
	told  bool // other code reports its changes; if not, each step looks at everything
	lent  bool // other code may hold the library's own objects, and change them
}

// isBlind reports whether the next step looks at everything.
func (s *sight) isBlind() bool { return s.known <= numbers || !s.told }

// isRaw reports whether objects of the library may have been created or destroyed without a
// report.
func (s *sight) isRaw() bool { return s.known == nothing }

// lend is called when other code gets the library's own objects.
func (s *sight) lend() { s.known, s.lent = nothing, true }

// doubt is called after existing objects may have changed without a report.
func (s *sight) doubt() { s.known = min(s.known, numbers) }

// number is called when all objects have numbers.
func (s *sight) number() { s.known = max(s.known, numbers) }

// goBack is called when the world has gone back in time.
func (s *sight) goBack() {
	if !s.isBlind() {
		s.known = putBack
	}
}

// begin is called when a step begins. The result stay reports whether all listed objects must stay
// listed for this step.
func (s *sight) begin() (stay bool) {
	blind := s.isBlind()
	stay = blind || s.known == putBack
	if s.known = all; blind {
		s.known = looked
	}
	return stay
}

// Current reports whether the World knows of all changes.
func (s *World) Current() bool { return !s.sight.isBlind() }

// LookedAtAll reports whether the present step has looked at everything. Between two steps the result
// is about the last step.
func (s *World) LookedAtAll() bool { return s.sight.known == looked }

// LookAtAll is called after changes without a report. It makes the next step look at
// everything.
func (s *World) LookAtAll() {
	s.sight.doubt()
	s.Proxies.forgetMoves()
}

// Expose is called when other code gets the library's own objects, and may change them.
func (s *World) Expose() {
	s.sight.lend()
	s.Proxies.forgetMoves()
	if s.Soft() && !s.Shapes.library.is {
		s.Shapes.show()
	}
}

// Exposed reports whether other code may hold the library's own objects.
func (s *World) Exposed() bool { return s.sight.lent }

// TakeBack is called when other code no longer has the library's objects.
func (s *World) TakeBack() {
	s.sight.lent = false
	s.Proxies.forgetMoves()
	s.FollowRaw()
}

// FollowRaw updates the shapes after other code has had the library's objects.
func (s *World) FollowRaw() {
	if s.Soft() {
		s.Shapes.Follow(s.sight.lent)
	}
}
