//go:build race

package buffer

// With poison, in race builds only, the states of a slot are moved to other
// memory before they are written again, and the old memory is cleared. If a
// reader keeps a slice for longer than it may, the bodies in it vanish.
const poison = true
