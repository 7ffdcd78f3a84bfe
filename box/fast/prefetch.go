package fast

import "github.com/ByteArena/box2d"

// prefetchBatch is the number of contacts in one call of prefetch.
const prefetchBatch = 16

// prefetch reads a word of each cache line that the solver needs for the next
// contacts. These lines are scattered in memory, and arrive faster if all are
// requested together. The sum is needed only so that the compiler keeps the
// reads.
//
//go:noinline
func prefetch(refs []contactRef, contacts []islandContact) float64 {
	sum := 0.0
	for i := range contacts {
		r := &refs[contacts[i].contact]
		sum += r.c.M_friction + r.manifold.Points[0].NormalImpulse + r.manifold.LocalPoint.Y
	}
	return sum
}

// prefetchManifolds reads a word of each manifold in which impulses will be stored.
//
//go:noinline
func prefetchManifolds(manifolds []*box2d.B2Manifold) float64 {
	sum := 0.0
	for _, m := range manifolds {
		sum += m.Points[0].NormalImpulse + m.Points[1].NormalImpulse
	}
	return sum
}

// prefetchFlags reads the data of contacts that collide needs.
//
//go:noinline
func prefetchFlags(refs []contactRef) uint32 {
	sum := uint32(0)
	for i := range refs {
		r := &refs[i]
		sum += r.c.M_flags + uint32(r.manifold.PointCount)
	}
	return sum
}
