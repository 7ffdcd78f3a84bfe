//go:build race

package buffer

// poison moves the states of a slot to other memory before they are written again,
// and clears where they were, in race builds only. A reader that kept a slice past
// its next Acquire then sees its bodies vanish.
const poison = true
