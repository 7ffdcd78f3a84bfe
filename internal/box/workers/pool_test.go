package workers

import (
	"testing"
	"time"
)

// eventually waits until a goroutine is at its place of sleep.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

func idle(int) {}

// The goroutine of Step, or that of a block, may have no processor for a long time.
func TestWorkersThatWaitInAStepSleep(t *testing.T) {
	p := New(3, idle)
	defer p.Close()
	asleep := func() bool { return p.parked[0].Load() && p.parked[1].Load() }
	p.Wake()
	eventually(t, "workers spin on while a step has come to no stage", asleep)
	for range 100 {
		p.Run(1 << 10)
	}
	eventually(t, "workers spin on after a stage", asleep)
	p.Rest()
}

func TestWorkersLookForLongerInAStepThanAfterOne(t *testing.T) {
	p := New(2, idle)
	defer p.Close()
	p.Linger, p.Stay = 1<<10, 1<<30
	p.Wake()
	for range 20 { // in each, the goroutine of Step works alone for a while
		p.Run(2)
		time.Sleep(time.Millisecond)
		if p.parked[0].Load() {
			t.Fatal("a worker sleeps in a step")
		}
	}
	p.Rest()
	eventually(t, "a worker spins on after a step", p.parked[0].Load)
}

func TestAStepThatWaitsForAWorkerSleeps(t *testing.T) {
	p := New(2, idle)
	p.started = true // the only worker is this test
	for range 3 {
		p.shares[1].next.Store((p.number+1)<<24 | 2) // the worker has taken the second block
		done := make(chan struct{})
		go func() {
			defer close(done)
			p.Run(2)
		}()
		eventually(t, "the step spins on while a worker does its last block", p.asleep.Load)
		p.finish(1, 2)
		<-done
	}
}
