// Package whole shortens tests that play many worlds. It does not shorten them if
// HALFSTEP_WHOLE is set, as scripts/check/whole does.
package whole

import "os"

var asked = os.Getenv("HALFSTEP_WHOLE") != ""

// Asked reports whether tests must play all worlds.
func Asked() bool { return asked }

// Rounds returns n if HALFSTEP_WHOLE is set, and otherwise few, which is smaller.
func Rounds(n, few int) int {
	if asked {
		return n
	}
	return few
}
