package play

import (
	"testing"
	"time"
)

func TestTheRunIsTakenOverOnlyFromAThreadThatWaits(t *testing.T) {
	var o Ownership
	if o.TakeOver() {
		t.Error("taken from a thread that draws")
	}
	o.physicsMayBlock()
	o.physicsReturned()
	if o.TakeOver() {
		t.Error("taken from a thread that draws again")
	}
	var kept Ownership
	kept.Keep()
	kept.physicsMayBlock()
	if kept.TakeOver() {
		t.Error("taken from a thread that has written the files")
	}
	kept.physicsReturned()
	o.physicsMayBlock()
	if !o.TakeOver() || o.TakeOver() {
		t.Error("not taken once from a thread that waits")
	}
	back := make(chan bool)
	go func() { o.physicsReturned(); close(back) }()
	select {
	case <-back:
		t.Error("the thread goes on with what it no longer owns")
	case <-time.After(50 * time.Millisecond):
	}
}
