package box

import "github.com/ByteArena/box2d"

// OwnContact is a contact that the World keeps itself, in place of the library: see World.Soft.
type OwnContact struct {
	OwnPlace
	Flags uint32 // as in B2Contact
	Surface
}

// OwnPlace has the shapes of a contact and its links in three lists, newest first: the world's
// list, and those of the bodies of A and B. A link is an end: 3 times a contact's number + which
// of its three lists is meant + 1. 0 is none.
type OwnPlace struct {
	A, B       *box2d.B2Fixture
	Child      int32 // which segment of A, where that is a chain; only A may be one
	Prev, Next [3]int32
}

// Manifolds knows where the shapes of the World's own contacts touch.
type Manifolds interface {
	Points(n int32) int
	MayTouch(n int32) bool
	Impulse(n int32, point int) (normal, tangent float64)
	Place(n int32, to *box2d.B2WorldManifold)
}
