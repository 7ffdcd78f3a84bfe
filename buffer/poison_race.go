//go:build race

package buffer

// poison, in race builds only, moves the states of a slot to other memory before
// they are written again, and clears the old memory. A reader that keeps a slice
// past its next Acquire then sees its bodies vanish.
const poison = true
