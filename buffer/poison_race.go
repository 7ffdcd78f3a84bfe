//go:build race

package buffer

// poison wipes a slot before it is written again, so that a reader that kept a
// slice past its next acquire sees its bodies vanish. In race builds only.
const poison = true
