//go:build !interleave && !linux

package interleave

import "time"

// pause returns at once, because nothing in the standard library sleeps so briefly
// everywhere. A goroutine that yields may have to wait until another one has ended
// its step.
func pause(time.Duration) {}
