// Package whole shortens long sweeps unless HALFSTEP_WHOLE is set, as
// scripts/check/whole does.
package whole

import "os"

var asked = os.Getenv("HALFSTEP_WHOLE") != ""

// Asked reports whether sweeps are whole.
func Asked() bool { return asked }

// Rounds is n in a whole sweep, and the smaller number few otherwise.
func Rounds(n, few int) int {
	if asked {
		return n
	}
	return few
}
