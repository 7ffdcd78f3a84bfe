//go:build race

package buffer

// poison clears a slot before it is written again, in race builds only. A reader
// that kept a slice past its next Acquire then sees its bodies vanish.
const poison = true
