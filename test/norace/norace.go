// Package norace skips tests, or rounds of them, in builds with -race.
package norace

import (
	"testing"

	"halfstep/internal/owner"
)

// Only skips a test in a build with -race. It is for tests that would take many times as
// long or allocate there, and find no race: they have no goroutines, or only those of
// other tests.
func Only(t testing.TB) {
	t.Helper()
	if owner.Checked {
		t.Skip("runs without -race, which finds nothing here")
	}
}

// Rounds is n, and with -race the smaller number withRace, because more rounds would find
// no other races.
func Rounds(n, withRace int) int {
	if owner.Checked {
		return withRace
	}
	return n
}

// Some is all, and with -race the first withRace of them, because the others would find no
// other races.
func Some[T any](all []T, withRace int) []T {
	if owner.Checked {
		return all[:withRace]
	}
	return all
}
