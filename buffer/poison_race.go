//go:build race

package buffer

// poison is true in race builds: before the writer writes the states of a slot again, it moves these
// states to new memory and clears the old memory. So the bodies in a slice that a reader
// keeps too long vanish.
const poison = true
