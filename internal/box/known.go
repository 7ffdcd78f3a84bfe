package box

// known is what a World knows of the library's objects. It is one value with few states:
//
//	state    | comes from                              | goes to
//	nothing  | Expose                                  | numbers, when all objects are numbered
//	numbers  | New, LookAtAll, a look between two steps | looked, when a step begins
//	putBack  | PutAll, where all was known             | all, when a step begins
//	looked   | a step that looked at everything        | all, when the next step begins
//	all      | a step                                  |
type known uint8

const (
	nothing known = iota // others had the objects since they were numbered
	numbers              // everything may have changed, but no objects came or went unseen
	putBack              // all; what came back when the world went back in time stays listed for a step
	looked               // all; in the step that is done now or was done last, everything was looked at
	all
)

// sight is what a World knows, and who else may change the library's objects.
type sight struct {
	known known
	told  bool // others tell of what they change; if not, each step looks at everything
	lent  bool // somebody may hold the library's own objects, and change anything
}

// isBlind reports whether the next step looks at everything.
func (s *sight) isBlind() bool { return s.known <= numbers || !s.told }

// isRaw reports whether the library's objects may have come and gone unseen.
func (s *sight) isRaw() bool { return s.known == nothing }

// lend follows when somebody was given the library's own objects.
func (s *sight) lend() { s.known, s.lent = nothing, true }

// doubt follows unknown changes of the objects that there are.
func (s *sight) doubt() { s.known = min(s.known, numbers) }

// number follows when all objects were numbered.
func (s *sight) number() { s.known = max(s.known, numbers) }

// goBack follows when the world went back in time.
func (s *sight) goBack() {
	if !s.isBlind() {
		s.known = putBack
	}
}

// begin comes when a step begins. stay reports whether all that is listed stays so for this step.
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

// LookedAtAll reports whether the step under way, or the last one, began with a look at the whole world.
func (s *World) LookedAtAll() bool { return s.sight.known == looked }

// LookAtAll is called after unknown changes. The next step looks at everything.
func (s *World) LookAtAll() {
	s.sight.doubt()
	s.Proxies.forgetMoves()
}

// Expose says that somebody may hold the library's own objects, and change anything.
func (s *World) Expose() {
	s.sight.lend()
	s.Proxies.forgetMoves()
	if s.Soft() && !s.Shapes.library.is {
		s.Shapes.show()
	}
}

// Exposed reports whether somebody may hold the library's own objects.
func (s *World) Exposed() bool { return s.sight.lent }

// TakeBack ends what Expose began.
func (s *World) TakeBack() {
	s.sight.lent = false
	s.Proxies.forgetMoves()
	s.FollowRaw()
}

// FollowRaw brings the shapes in line with what raw access has done.
func (s *World) FollowRaw() {
	if s.Soft() {
		s.Shapes.Follow(s.sight.lent)
	}
}
