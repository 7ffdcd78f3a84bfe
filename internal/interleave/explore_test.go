//go:build interleave

package interleave

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"
)

// word is an atomic that the scheduler knows.
type word struct{ v atomic.Uint32 }

func (w *word) load() uint32   { Load(unsafe.Pointer(w)); return w.v.Load() }
func (w *word) store(n uint32) { Store(unsafe.Pointer(w)); w.v.Store(n) }

// search explores until something goes wrong.
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

// Random programs of loads, stores, sends and receives: with the reduction the
// tasks must see everything that they can see without it.
func TestTheReductionMissesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	saved, seen := 0, 0
	for range 300 {
		programs := make([][]int, 2+random.IntN(2))
		for i := range programs {
			programs[i] = make([]int, 1+random.IntN(10/len(programs)))
			for k := range programs[i] {
				programs[i][k] = random.IntN(8)
			}
		}
		outcomes := func(reduce bool) (map[string]bool, int) {
			all := map[string]bool{}
			var stuck func() string
			e := newExplorer(func(r *Run) {
				var words [2]word
				bell := make(chan struct{}, 1)
				var log [maxTasks]string
				for i, p := range programs {
					r.Go(fmt.Sprint(i), func() {
						for k, what := range p {
							switch what {
							case 6:
								TrySend(bell)
							case 7:
								Receive(bell)
								log[i] += "!"
							default:
								if w := &words[what%2]; what < 4 {
									log[i] += fmt.Sprint(w.load(), " ")
								} else {
									w.store(uint32(10*i + k + 1))
								}
							}
						}
						log[i] += "."
					})
				}
				r.After(func() { all[fmt.Sprint(log, words[0].load(), words[1].load())] = true })
				stuck = func() string { return fmt.Sprint(log) }
			})
			e.reduce = reduce
			for more := true; more; more = e.backtrack() {
				if r := e.run(); r.failure != "" {
					all[r.failure+stuck()] = true
				}
			}
			return all, e.runs
		}
		full, runs := outcomes(false)
		reduced, fewer := outcomes(true)
		for o := range full {
			if !reduced[o] {
				t.Fatalf("programs %v: %q is missed", programs, o)
			}
		}
		saved += runs - fewer
		seen += runs
	}
	t.Logf("%d of %d schedules are enough", seen-saved, seen)
}
