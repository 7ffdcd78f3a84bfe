// Package norace leaves tests, or rounds of them, out of builds with -race.
package norace

import (
	"testing"

	"halfstep/internal/owner"
)

// Only skips a test in a build with -race, where it would take many times as long
// or allocate, and nothing would be found: it has no threads, or none that other
// tests do not have.
func Only(t testing.TB) {
	t.Helper()
	if owner.Checked {
		t.Skip("runs without -race, which finds nothing here")
	}
}

// Rounds is n, and with -race the smaller number: its rounds show -race all that the
// others would.
func Rounds(n, withRace int) int {
	if owner.Checked {
		return withRace
	}
	return n
}

// Some is all, and with -race the first few: they show -race all that the others would.
func Some[T any](all []T, withRace int) []T {
	if owner.Checked {
		return all[:withRace]
	}
	return all
}
