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

// ID is the ID of the calling goroutine. Go has no fast way to get it: the call
// takes microseconds, so keep it out of hot paths. It allocates nothing and does
// not affect the race detector.
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

// CallbackGuard checks that calls that wait for a goroutine are not made on it. It
// allocates once.
type CallbackGuard struct {
	header atomic.Pointer[Header] // nil while it is in use
}

// Check panics if the calling goroutine is the one for which the call waits.
func (o *CallbackGuard) Check(goroutine uint64, call string) {
	if o.runsOn(goroutine) {
		panic(WouldWait(call))
	}
}

// Refuse panics with a complaint if the calling goroutine is that one.
func (o *CallbackGuard) Refuse(goroutine uint64, complaint string) {
	if o.runsOn(goroutine) {
		panic(errors.New(complaint))
	}
}

func (o *CallbackGuard) runsOn(goroutine uint64) bool {
	h := o.header.Swap(nil) // a frame and a callback may be here at the same time
	if h == nil {
		h = new(Header)
	}
	inside := goroutine == ID(h)
	o.header.Store(h)
	return inside
}

// WouldWait is the error of a call that waits for a step, if the step itself made
// the call.
func WouldWait(call string) error {
	return fmt.Errorf("%s was called in a function that physics runs, and would wait for that function to return: call it from the goroutine that draws", call)
}
