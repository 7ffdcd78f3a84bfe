// Package owner finds code that runs on the wrong goroutine.
package owner

import (
	"bytes"
	"fmt"
	"runtime"
)

// Header is memory for ID.
type Header [64]byte

// ID is the number of the calling goroutine. Go has no quick way to it: the
// call takes microseconds and is for places that are not hot. It allocates
// nothing, and leaves the race detector's picture of the program as it is.
func ID(h *Header) uint64 {
	text := h[:runtime.Stack(h[:], false)] // goroutine 18 [running]: …
	number, _, _ := bytes.Cut(bytes.TrimPrefix(text, []byte("goroutine ")), []byte(" "))
	var id uint64
	for _, digit := range number {
		if digit < '0' || digit > '9' {
			panic("owner: the runtime has another form of stack: " + string(text))
		}
		id = id*10 + uint64(digit-'0')
	}
	return id
}

// WouldWait is the error about a call that waits for a step, made by code that
// the step runs.
func WouldWait(call string) error {
	return fmt.Errorf("%s was called in a function that physics runs, and would wait for that function to return: call it from the goroutine that draws", call)
}
