// Package whole shortens long sweeps unless HALFSTEP_WHOLE is set, as
// scripts/check/whole does.
package whole

import "os"

var asked = os.Getenv("HALFSTEP_WHOLE") != ""

// Asked reports whether sweeps are whole.
func Asked() bool { return asked }

// Rounds returns n in a whole sweep, and otherwise few, which is smaller.
func Rounds(n, few int) int {
	if asked {
		return n
	}
	return few
}
