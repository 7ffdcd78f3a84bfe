//go:build !race

package owner

// Checked reports whether a Guard checks anything.
const Checked = false

// Guard is empty; see guard_race.go.
type Guard struct{}

func (*Guard) Enter()       {}
func (*Guard) Leave()       {}
func (*Guard) Release()     {}
func (*Guard) Check(string) {}
