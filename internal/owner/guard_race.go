//go:build race

package owner

import "errors"

// Checked reports whether a Guard checks anything. It does so only in builds with
// -race.
const Checked = true

// Guard detects the use of a resource by a goroutine that does not own it. Its
// fields are read and written without synchronization on purpose. Concurrent use is
// then a data race, which the race detector reports, and any other use by the wrong
// goroutine panics. In builds without -race a Guard is empty and checks nothing.
// The zero Guard has no owner.
type Guard struct {
	owner  uint64 // owner is the ID of the goroutine that owns the resource, or 0.
	depth  int    // depth is the number of calls of Enter without a call of Leave.
	uses   uint64 // uses is written by every Check, so that a wrong use races with a recent write.
	header Header // for Enter
}

// Enter makes the calling goroutine the owner until it calls Leave.
func (g *Guard) Enter() {
	if g.depth == 0 {
		g.owner = ID(&g.header)
	}
	g.depth++
}

// Leave undoes Enter.
func (g *Guard) Leave() { g.depth-- }

// Release leaves the guard without an owner.
func (g *Guard) Release() { *g = Guard{} }

// Check panics if the calling goroutine is not the owner.
func (g *Guard) Check(complaint string) {
	g.uses++
	if g.depth == 0 && g.owner != 0 && g.owner != ID(new(Header)) {
		panic(errors.New(complaint))
	}
}
