// Package attack helps tests that search for unforeseen failures with random input: the tests
// TestAttack… of several packages. They run for a given time, so an ordinary go test skips them;
// scripts/check/attack runs them all.
//
// An attack is a series of rounds. A round depends only on the seed and on its number, so every
// finding can be reproduced:
//
//	HALFSTEP_ATTACK=1m ATTACK_SEED=7 ATTACK_ROUND=1234 go test ./engine/rube -run TestAttackScenes
//
// A round that hangs, or takes too much memory, is also a finding.
package attack

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/test/cputime"
)

const (
	hung     = 2 * time.Minute // of processor time: a round that takes longer counts as hung
	tooLarge = 2 << 30         // bytes of heap
)

// Attack is one test's series of rounds.
type Attack struct {
	*testing.T
	Seed  uint64
	until time.Time
	first uint64 // the number of the first round

	round atomic.Uint64
	began atomic.Int64 // when the round began, Unix ns; 0 between rounds
	spent atomic.Int64 // the processor time that was used before the round, ns
	done  chan struct{}
	limit atomic.Uint64 // bytes of heap
	after []func()      // the functions from Cleanup in this round

	names  []string // the names of the numbers that Count adds up, in the order of the first call
	counts map[string]uint64
}

// Start begins an attack. It skips the test if no attack was requested.
func Start(t *testing.T) *Attack {
	t.Helper()
	text := os.Getenv("HALFSTEP_ATTACK")
	if text == "" {
		t.Skip("HALFSTEP_ATTACK does not say for how long; see scripts/check/attack")
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		t.Fatalf("HALFSTEP_ATTACK=%s: not a time such as 10s", text)
	}
	a := &Attack{
		T: t, Seed: number(t, "ATTACK_SEED", 1), first: number(t, "ATTACK_ROUND", 0),
		until: time.Now().Add(d), done: make(chan struct{}), counts: map[string]uint64{},
	}
	a.limit.Store(tooLarge)
	go a.watch()
	t.Cleanup(func() {
		a.cleanUp() // of a failed round
		close(a.done)
		if t.Failed() {
			t.Logf("have it again with %s", a.again())
			return
		}
		t.Logf("attack: %s", a.summary())
	})
	return a
}

func number(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s=%s: not a number", name, text)
	}
	return n
}

// Rounds yields a source of random numbers for each round, until time is up or the test has
// failed. There is at least one round.
func (a *Attack) Rounds() iter.Seq[*rand.Rand] {
	return func(yield func(*rand.Rand) bool) {
		for n := a.first; n == a.first || a.Left() > 0; n++ {
			a.round.Store(n)
			a.spent.Store(int64(cputime.Used()))
			a.began.Store(time.Now().UnixNano())
			more := yield(rand.New(rand.NewPCG(a.Seed, n)))
			a.cleanUp()
			a.began.Store(0)
			if !more || a.Failed() {
				return
			}
			a.Count("rounds", 1)
		}
	}
}

// Cleanup calls f at the end of the round. With the Cleanup of testing.T, the worlds of all rounds
// would stay in memory until the end of the test.
func (a *Attack) Cleanup(f func()) { a.after = append(a.after, f) }

func (a *Attack) cleanUp() {
	for _, f := range slices.Backward(a.after) {
		f()
	}
	a.after = nil
}

// Left is the time that is left for the attack, or 0 after its end.
func (a *Attack) Left() time.Duration { return max(0, time.Until(a.until)) }

// Bound sets the limit on the memory of a round, in bytes of heap. It is for limits below the
// usual one.
func (a *Attack) Bound(bytes uint64) { a.limit.Store(bytes) }

// Try runs f, and reports a panic of f as a finding.
func (a *Attack) Try(what string, f func()) {
	a.Helper()
	defer func() {
		if v := recover(); v != nil {
			stack := make([]byte, 16<<10)
			a.Fatalf("%s: panic: %v\n%s", what, v, stack[:runtime.Stack(stack, false)])
		}
	}()
	f()
}

// Count adds n to one of the numbers in the summary. Only the goroutine of the test may call it.
func (a *Attack) Count(what string, n uint64) {
	if _, ok := a.counts[what]; !ok {
		a.names = append(a.names, what)
	}
	a.counts[what] += n
}

func (a *Attack) summary() string {
	var parts []string
	for _, what := range a.names {
		parts = append(parts, fmt.Sprintf("%d %s", a.counts[what], what))
	}
	return strings.Join(parts, ", ")
}

func (a *Attack) again() string {
	return fmt.Sprintf("HALFSTEP_ATTACK=1m ATTACK_SEED=%d ATTACK_ROUND=%d and -run '^%s$'", a.Seed, a.round.Load(), a.Name())
}

// watch ends the process when a round hangs or uses too much memory, because a test cannot end
// another goroutine.
func (a *Attack) watch() {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for {
		select {
		case <-a.done:
			return
		case <-time.After(100 * time.Millisecond):
		}
		metrics.Read(sample)
		began := a.began.Load()
		switch {
		case sample[0].Value.Uint64() > a.limit.Load():
			a.end(fmt.Sprintf("%d MB on the heap", sample[0].Value.Uint64()>>20))
		case began == 0:
		case cputime.Used()-time.Duration(a.spent.Load()) > hung:
			a.end(fmt.Sprintf("does not end within %v of processor time", hung))
		case time.Since(time.Unix(0, began)) > 10*hung: // the round waits for ever, or the machine has too much to do
			a.end(fmt.Sprintf("does not end within %v", 10*hung))
		}
	}
}

// end ends the process with the stacks of all goroutines.
func (a *Attack) end(why string) {
	stacks := make([]byte, 256<<10)
	stacks = stacks[:runtime.Stack(stacks, true)]
	fmt.Printf("%s\n--- FAIL: %s: %s; have it again with %s\nFAIL\n", stacks, a.Name(), why, a.again())
	os.Exit(1)
}
