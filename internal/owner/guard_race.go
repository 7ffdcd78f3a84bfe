//go:build race

package owner

import "errors"

// Checked tells whether a Guard checks anything: in race builds.
const Checked = true

// Guard stands beside something that only one goroutine at a time may use, and
// finds out who else does. Its fields are read and written without
// synchronisation on purpose: a use beside the owner's is a data race that the
// race detector reports, and one that is not beside it panics. Where nothing is
// checked a Guard is empty. The zero Guard has no owner.
type Guard struct {
	owner  uint64
	inside int
	uses   uint64 // written by every Check, so that a race is with a recent write
	header Header // for Enter
}

// Enter makes the calling goroutine the owner, busy until Leave.
func (g *Guard) Enter() {
	if g.inside == 0 {
		g.owner = ID(&g.header)
	}
	g.inside++
}

// Leave ends what Enter began.
func (g *Guard) Leave() { g.inside-- }

// Release leaves the guard without an owner.
func (g *Guard) Release() { *g = Guard{} }

// Check panics if the calling goroutine is not the owner.
func (g *Guard) Check(complaint string) {
	g.uses++
	if g.inside == 0 && g.owner != 0 && g.owner != ID(new(Header)) {
		panic(errors.New(complaint))
	}
}
