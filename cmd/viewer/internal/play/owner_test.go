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
	o.beginWait()
	o.endWait()
	if o.TakeOver() {
		t.Error("taken from a thread that draws again")
	}
	var kept Ownership
	kept.Keep()
	kept.beginWait()
	if kept.TakeOver() {
		t.Error("taken from a thread that has written the files")
	}
	kept.endWait()
	o.beginWait()
	if !o.TakeOver() || o.TakeOver() {
		t.Error("not taken once from a thread that waits")
	}
	back := make(chan bool)
	go func() { o.endWait(); close(back) }()
	select {
	case <-back:
		t.Error("the thread goes on with what it no longer owns")
	case <-time.After(50 * time.Millisecond):
	}
}
