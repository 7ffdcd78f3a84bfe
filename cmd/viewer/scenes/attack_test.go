package scenes

import (
	"math"
	"runtime"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/attack"
	"halfstep/world"
)

// leaky are the scenes that leak memory on purpose.
var leaky = map[string]bool{"leak": true}

// used returns the heap in use after a garbage collection, in bytes.
func used() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// soaked is the result of a run: the heap and the number of goroutines after each
// third of the run.
type soaked struct {
	ticks    uint64
	heap     [4]int64
	routines [4]int
}

// settled is the number of ticks that a scene must run before it is measured.
// Until then falling bodies make contacts, which take memory.
const settled = 3000

// grows reports whether the memory or the number of goroutines has grown in each
// of the last two thirds. This is a leak. It is neither the timing of the garbage
// collector nor a goroutine that a scene starts from time to time (lock).
func (s *soaked) grows() bool {
	const some = 512 << 10
	return s.ticks > settled && s.heap[2] > s.heap[1]+some && s.heap[3] > s.heap[2]+some ||
		s.routines[2] > s.routines[1] && s.routines[3] > s.routines[2]
}

func TestALeakIsToldFromChance(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct {
		soaked
		grows bool
	}{
		{soaked{settled + 1, [4]int64{1, 1, mb, 2 * mb}, [4]int{4, 4, 4, 4}}, true},
		{soaked{settled + 1, [4]int64{1, mb, 2 * mb, 2 * mb}, [4]int{4, 4, 4, 4}}, false},
		{soaked{settled + 1, [4]int64{}, [4]int{4, 4, 5, 6}}, true},
		{soaked{settled + 1, [4]int64{}, [4]int{4, 4, 4, 5}}, false},
		{soaked{settled, [4]int64{1, 1, mb, 2 * mb}, [4]int{4, 4, 4, 4}}, false},
	} {
		if got := c.soaked.grows(); got != c.grows {
			t.Errorf("%+v grows: %v", c.soaked, got)
		}
	}
}

// soak plays a scene for up to an hour of simulated time, or until the time d has
// passed. The parameter drain says whether it takes the events.
func soak(t *testing.T, s Scene, d time.Duration, drain bool) (out soaked) {
	t.Helper()
	c := s.Config()
	c.Time.Simulated, c.Time.Sync = true, renderloop.Lockstep
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if !drain { // the memory for events that nobody takes is there from the start
		e.Do(func(w *world.World) {
			for range renderloop.MaxPendingEvents {
				if b, err := w.CreateBody(world.BodyDef{}); err == nil {
					_ = w.DestroyBody(b)
				}
			}
		})
	}
	hour := uint64(math.Ceil(3600 * e.Rate().Float()))
	for third := range uint64(4) {
		began := time.Now()
		for e.View().Tick < hour*third/3 && (time.Since(began) < d/3 || e.View().Tick < least*third/3) {
			e.Advance(time.Second / 60)
			if err := e.Failure(); err != nil {
				t.Fatalf("%s: %v", s.Name, err)
			}
			if drain {
				for range e.Events() {
				}
			}
		}
		out.heap[third], out.routines[third] = used(), runtime.NumGoroutine()
	}
	for b, p := range e.Poses() {
		if sum := p.X + p.Y + p.Angle; math.IsNaN(sum) || math.IsInf(sum, 0) {
			t.Errorf("%s: %v is at %+v", s.Name, b, p)
		}
	}
	out.ticks = e.View().Tick
	return out
}

// least is the number of ticks of a scene, however slow the machine is.
const least = 300

// leakTime is long enough to detect a leak, and too short for the leak to fill
// the memory.
const leakTime = 5 * time.Second

// Every scene runs for its share of the time, once with its events taken, and
// once without. Memory and goroutines must not grow, except in the scene that
// leaks. If there is little time, only some scenes run, in an order that depends
// on the seed.
func TestAttackMemoryOfScenes(t *testing.T) {
	a := attack.Start(t)
	all := All()
	share := max(3*time.Second, a.Left()/time.Duration(2*len(all)))
	var order []int
	var longest uint64
	for r := range a.Rounds() {
		if len(order) == 0 {
			if a.Left() < share && longest > 0 {
				break
			}
			order = r.Perm(2 * len(all))
		}
		s, drain := all[order[0]/2], order[0]%2 == 0
		order = order[1:]
		time := share
		if leaky[s.Name] {
			time = min(time, leakTime)
		}
		out := soak(t, s, time, drain)
		longest = max(longest, out.ticks)
		switch grows := out.grows(); {
		case out.ticks <= settled:
			a.Count("too short to judge", 1)
		case grows != leaky[s.Name]:
			t.Errorf("%s, events taken: %v, %d ticks: bytes %v, goroutines %v after each third", s.Name, drain, out.ticks, out.heap, out.routines)
		default:
			a.Count("simulated s judged", out.ticks/60)
		}
	}
}
