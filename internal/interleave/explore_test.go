//go:build interleave

package interleave

import (
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"
)

// word is an atomic whose operations the scheduler controls.
type word struct{ v atomic.Uint32 }

func (w *word) load() uint32   { Load(unsafe.Pointer(w)); return w.v.Load() }
func (w *word) store(n uint32) { Store(unsafe.Pointer(w)); w.v.Store(n) }

// search explores until a run fails.
func search(e *explorer) (failure string) {
	for more := true; more; more = e.backtrack() {
		if r := e.run(); r.failure != "" {
			return r.failure
		}
	}
	return ""
}

func TestALostUpdateIsFound(t *testing.T) {
	e := newExplorer(func(r *Run) {
		var n word
		for range 2 {
			r.Go("add", func() { n.store(n.load() + 1) })
		}
		r.After(func() {
			if got := n.load(); got != 2 {
				r.Errorf("sum %d", got)
			}
		})
	})
	if got := search(e); got != "sum 1" {
		t.Errorf("found %q", got)
	}
}

func TestALostWakeUpIsFoundAndABufferMendsIt(t *testing.T) {
	for _, buffer := range []int{0, 1} {
		failure := search(newExplorer(func(r *Run) {
			var ready word
			bell := make(chan struct{}, buffer)
			r.Go("sleeper", func() {
				for ready.load() == 0 {
					Receive(bell)
				}
			})
			ready.store(1)
			TrySend(bell)
		}))
		if lost := strings.Contains(failure, "wait for ever"); lost != (buffer == 0) {
			t.Errorf("with a buffer of %d: %q", buffer, failure)
		}
	}
}

func TestAReceiveFromAClosedChannelGoesOn(t *testing.T) {
	if failure := search(newExplorer(func(r *Run) {
		done := make(chan struct{})
		r.Go("closer", func() { close(done) })
		Receive(done)
		Receive(done)
	})); failure != "" {
		t.Error(failure)
	}
}

func TestAPanicAndARunWithoutEndAreFailures(t *testing.T) {
	if f := search(newExplorer(func(*Run) { panic("boom") })); !strings.HasPrefix(f, "main: panic: boom") {
		t.Errorf("a panic gives %q", f)
	}
	if f := search(newExplorer(func(*Run) {
		for w := new(word); ; {
			w.load()
		}
	})); !strings.HasPrefix(f, "no end") {
		t.Errorf("a run without end gives %q", f)
	}
}
