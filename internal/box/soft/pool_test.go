package soft

import (
	"fmt"
	"testing"
	"time"

	"halfstep/test/benchscene"
)

// eventually waits until a goroutine has come to where it sleeps.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

// idle is a block without work.
func idle(int) {}

// The goroutine of Step, or that of a block, may be without a processor for long.
func TestWorkersThatWaitInAStepSleep(t *testing.T) {
	p := newPool(2, idle)
	defer p.close()
	asleep := func() bool { return p.parked[0].Load() && p.parked[1].Load() }
	p.wake()
	eventually(t, "workers spin on while a step has come to no stage", asleep)
	for range 100 {
		p.run(1 << 10)
	}
	eventually(t, "workers spin on after a stage", asleep)
	p.rest()
}

func TestWorkersLookForLongerInAStepThanAfterOne(t *testing.T) {
	p := newPool(1, idle)
	defer p.close()
	p.linger, p.stay = 1<<10, 1<<30
	p.wake()
	for range 20 { // in each the goroutine of Step has something to do alone
		p.run(2)
		time.Sleep(time.Millisecond)
		if p.parked[0].Load() {
			t.Fatal("a worker sleeps in a step")
		}
	}
	p.rest()
	eventually(t, "a worker spins on after a step", p.parked[0].Load)
}

func TestAStepThatWaitsForAWorkerSleeps(t *testing.T) {
	p := newPool(1, idle)
	p.started = true // the only worker is this test
	for range 3 {
		p.shares[1].next.Store((p.number+1)<<24 | 2) // it has taken the second block
		done := make(chan struct{})
		go func() {
			defer close(done)
			p.run(2)
		}()
		eventually(t, "the step spins on while a worker does its last block", p.asleep.Load)
		p.finish(1, 2)
		<-done
	}
}

// BenchmarkStages measures single stages of a step.
func BenchmarkStages(b *testing.B) {
	for _, workers := range []int{1, 2} {
		for st, name := range map[stage]string{stageSolve: "solve", stageRelax: "relax"} {
			b.Run(fmt.Sprint(name, "/", workers), func(b *testing.B) {
				scene, err := benchscene.Build("pyramid")
				if err != nil {
					b.Fatal(err)
				}
				w := benchscene.NewWorld()
				scene.AddTo(w)
				s := New(w, Options{Workers: workers})
				defer s.Close()
				for range 50 {
					s.Step(benchscene.StepSeconds, 0, 0)
				}
				if s.pool != nil {
					s.pool.wake()
					defer s.pool.rest()
				}
				for range b.N {
					s.run(st, s.regionCount, s.regionBlocks(s.regionCount))
				}
			})
		}
	}
}
