// Package norace skips tests, or rounds of them, in builds with -race.
package norace

import (
	"testing"

	"halfstep/internal/owner"
)

// Only skips a test in a build with -race. It is for tests that -race makes many times
// slower, or makes allocate, and that cannot find a race: they start no goroutines, or
// only such as other tests also start.
func Only(t testing.TB) {
	t.Helper()
	if owner.Checked {
		t.Skip("runs without -race, which finds nothing here")
	}
}

// Rounds returns n. With -race it returns withRace, which is smaller, because more rounds
// would find no other races.
func Rounds(n, withRace int) int {
	if owner.Checked {
		return withRace
	}
	return n
}

// Some returns all. With -race it returns the first withRace elements, because the others
// would find no other races.
func Some[T any](all []T, withRace int) []T {
	if owner.Checked {
		return all[:withRace]
	}
	return all
}
