//go:build race

package owner

import "errors"

// Checked reports whether a Guard checks anything.
const Checked = true

// Guard detects the use of a resource by a goroutine that does not own it. Its
// fields are read and written without synchronization on purpose: concurrent use is
// a data race that the race detector reports, and any other use by the wrong
// goroutine panics. In normal builds a Guard is empty and checks nothing. The zero
// Guard has no owner.
type Guard struct {
	owner  uint64 // ID of the goroutine, 0 for none
	depth  int    // how many Enters have no Leave yet
	uses   uint64 // written by every Check, so that a race is with a recent write
	header Header // for Enter
}

// Enter makes the calling goroutine the owner, busy until Leave.
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
