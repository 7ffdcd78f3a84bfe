package fast

import "github.com/ByteArena/box2d"

// prefetchBatch is how many contacts are prefetched at a time.
const prefetchBatch = 16

// prefetch reads a word of each cache line that the solver needs of the next
// contacts. They are scattered in memory, and are fetched together in this way.
// The sum only keeps the compiler from dropping the loads.
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

// prefetchManifolds does the same for the manifolds in which impulses are
// stored.
//
//go:noinline
func prefetchManifolds(manifolds []*box2d.B2Manifold) float64 {
	sum := 0.0
	for _, m := range manifolds {
		sum += m.Points[0].NormalImpulse + m.Points[1].NormalImpulse
	}
	return sum
}

// prefetchFlags does the same for the data of contacts that collide reads.
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
