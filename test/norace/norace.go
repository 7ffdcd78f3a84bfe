// Package norace leaves tests, or rounds of them, out of builds with -race.
package norace

import (
	"testing"

	"halfstep/internal/owner"
)

// Only skips a test in a build with -race, where it would take many times as long
// or allocate, and find no race: it has no goroutines, or only those that other tests
// have, too.
func Only(t testing.TB) {
	t.Helper()
	if owner.Checked {
		t.Skip("runs without -race, which finds nothing here")
	}
}

// Rounds is n, and with -race the smaller number withRace: more rounds would find no other
// races.
func Rounds(n, withRace int) int {
	if owner.Checked {
		return withRace
	}
	return n
}

// Some is all, and with -race the first withRace of them: the others would find no other
// races.
func Some[T any](all []T, withRace int) []T {
	if owner.Checked {
		return all[:withRace]
	}
	return all
}
