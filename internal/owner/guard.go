//go:build !race

package owner

// Checked reports whether a Guard checks anything. It does so only in builds with -race.
const Checked = false

// Guard is empty in builds without -race. The file guard_race.go explains its methods.
type Guard struct{}

func (*Guard) Enter()       {}
func (*Guard) Leave()       {}
func (*Guard) Release()     {}
func (*Guard) Check(string) {}
