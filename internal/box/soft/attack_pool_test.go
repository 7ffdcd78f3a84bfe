package soft

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"halfstep/internal/box/workers"
	"halfstep/internal/owner"
	"halfstep/test/attack"
	"halfstep/test/benchscene"
	"halfstep/test/worldhash"

	"github.com/ByteArena/box2d"
)

// heap builds a few boxes and discs over a ground, some of them on a chain.
func heap(r *rand.Rand) benchscene.Scene {
	s := benchscene.Scene{Bodies: []benchscene.Body{{HX: 12, HY: .5, Collides: true}}}
	for i := range 8 + r.IntN(24) {
		s.Bodies = append(s.Bodies, benchscene.Body{
			X: float64(i%8) - 4 + .1*r.Float64(), Y: 1.2 + 1.1*float64(i/8), HX: .45, HY: .45,
			Type: benchscene.Dynamic, Circle: r.IntN(4) == 0, Collides: true,
		})
		if i%8 > 0 && r.IntN(5) == 0 {
			s.Joints = append(s.Joints, benchscene.Joint{A: i, B: i + 1, AX: .5, BX: -.5})
		}
	}
	return s
}

// The test runs short steps of small worlds on 2 to 8 workers, with the least or the
// usual patience. During the steps GOMAXPROCS changes, the garbage collector runs, and
// pauses send the workers to sleep. If a wake-up is lost, the test hangs. If a block
// runs twice, never or too late, the state differs from that of one worker.
func TestAttackSoftPool(t *testing.T) {
	a := attack.Start(t)
	defer CutFinely()()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	steps := 500
	if owner.Checked { // with -race the steps take long
		steps = 100
	}
	for r := range a.Rounds() {
		scene, pushes := heap(r), r.Uint64()
		play := func(n int, between func(s *Stepper, step int)) (hashes []uint64) {
			w := benchscene.NewWorld()
			bodies := scene.AddTo(w)
			s := New(w, Options{Workers: 1})
			s.opts.Workers = n
			s.ForceParallel()
			defer s.Close()
			choices := rand.New(rand.NewPCG(pushes, 1))
			for i := range steps {
				if b := bodies[choices.IntN(len(bodies))]; choices.IntN(10) == 0 {
					b.ApplyLinearImpulse(box2d.B2Vec2{X: choices.Float64() - .5, Y: 4 * choices.Float64()}, b.GetWorldCenter(), true)
				}
				between(s, i)
				s.Step(benchscene.StepSeconds, 0, 0)
				if i%50 == 49 {
					hashes = append(hashes, worldhash.Objects(w), s.HashAll())
				}
			}
			return hashes
		}
		want := play(1, func(*Stepper, int) {})

		n, rests := 2+r.IntN(7), []int{0, 0, 100, 10, 3}[r.IntN(5)]
		usual := workers.Usual
		impatience := [][3]int{{usual.Help, usual.Linger, usual.Stay}, {1, 2, 2}, {2, 1, 3}, {2, 5, 1}, {30, 200, 1000}}[r.IntN(5)]
		procs, garbage, every := r.IntN(2) == 0, r.IntN(2) == 0, time.Duration(1+r.IntN(10))*time.Millisecond
		over := make(chan struct{})
		var meddling sync.WaitGroup
		meddling.Go(func() {
			var keep [][]byte
			for i := 0; ; i++ {
				select {
				case <-over:
					runtime.KeepAlive(keep)
					return
				case <-time.After(every):
				}
				if procs {
					runtime.GOMAXPROCS(1 + i*7%9)
				}
				if garbage {
					for range 100 {
						keep = append(keep, make([]byte, 1<<10))
					}
					if runtime.GC(); i%20 == 0 {
						keep = nil
					}
				}
			}
		})
		got := play(n, func(s *Stepper, step int) {
			if step == 0 {
				s.crew.pool.Help, s.crew.pool.Linger, s.crew.pool.Stay = impatience[0], impatience[1], impatience[2]
			}
			if rests > 0 && step%rests == 0 {
				time.Sleep(100 * time.Microsecond) // this is long enough for the workers to fall asleep
			}
		})
		close(over)
		meddling.Wait()
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%d workers: another state than one worker has, after %d steps", n, 50*(i/2+1))
			}
		}
		a.Count(fmt.Sprintf("steps with %d workers", n), uint64(steps))
		if procs {
			a.Count("of them while GOMAXPROCS changes", uint64(steps))
		}
		if garbage {
			a.Count("while garbage is collected", uint64(steps))
		}
	}
}
