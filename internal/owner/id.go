// Package owner finds code that runs on the wrong goroutine.
package owner

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
)

// Header is the memory into which ID writes the beginning of a stack trace.
type Header [64]byte

// ID returns the ID of the calling goroutine. Go has no fast way to get an ID: the
// call takes microseconds, so do not call ID in hot code. It allocates nothing,
// and does not affect the race detector.
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

// CallbackGuard checks that calls that wait for a goroutine are not made on that
// goroutine. It allocates memory once.
type CallbackGuard struct {
	header atomic.Pointer[Header] // header is nil while a call uses the header.
}

// Check panics if the calling goroutine is the goroutine with that ID, for which
// the call would wait.
func (o *CallbackGuard) Check(goroutine uint64, call string) {
	if o.runsOn(goroutine) {
		panic(WouldWait(call))
	}
}

// Refuse panics with a complaint if the calling goroutine has that ID.
func (o *CallbackGuard) Refuse(goroutine uint64, complaint string) {
	if o.runsOn(goroutine) {
		panic(errors.New(complaint))
	}
}

func (o *CallbackGuard) runsOn(goroutine uint64) bool {
	h := o.header.Swap(nil) // a frame and a callback may both need the header at the same time
	if h == nil {
		h = new(Header)
	}
	inside := goroutine == ID(h)
	o.header.Store(h)
	return inside
}

// WouldWait returns the error for a call that waits for a step but was made during
// the step.
func WouldWait(call string) error {
	return fmt.Errorf("%s was called in a function that physics runs, and would wait for that function to return: call it from the goroutine that draws", call)
}
