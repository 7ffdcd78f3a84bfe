package box

import "github.com/ByteArena/box2d"

// OwnContact is a contact that the World keeps instead of the library: see World.Soft.
type OwnContact struct {
	OwnPlace
	Flags uint32 // as in B2Contact
	Surface
}

// OwnPlace has the shapes of a contact and its links in three lists, newest first: the world's
// list, and those of the bodies of A and B. A link is 3 × a contact's number + the number of the
// list (0 to 2) + 1. 0 is no link.
type OwnPlace struct {
	A, B       *box2d.B2Fixture
	Child      int32 // the segment of A, if A is a chain; B is never a chain
	Prev, Next [3]int32
}

// Manifolds has the points at which the shapes of the World's own contacts touch.
type Manifolds interface {
	Points(n int32) int
	MayTouch(n int32) bool
	Impulse(n int32, point int) (normal, tangent float64)
	Place(n int32, to *box2d.B2WorldManifold)
}
