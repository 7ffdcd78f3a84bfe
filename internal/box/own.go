package box

import "github.com/ByteArena/box2d"

// OwnContact is a contact that the World keeps instead of the library: see World.Soft.
type OwnContact struct {
	OwnPlace
	Flags uint32 // Flags has the same bits as in B2Contact.
	Surface
}

// OwnPlace has the shapes of a contact and its links in three lists. The lists are the world's, that of
// the body of A and that of the body of B, each with the newest contact first. A link is 3 × a contact's
// number + the number of the list (0 to 2) + 1, or 0 at the end of a list.
type OwnPlace struct {
	A, B       *box2d.B2Fixture
	Child      int32 // the number of the segment if A is a chain; B is never a chain
	Prev, Next [3]int32
}

// Manifolds has the points at which the shapes of the World's own contacts touch.
type Manifolds interface {
	Points(n int32) int
	MayTouch(n int32) bool
	Impulse(n int32, point int) (normal, tangent float64)
	Place(n int32, to *box2d.B2WorldManifold)
}
