package physicsloop

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
)

// TestMain ignores a goroutine that js/wasm itself starts.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("runtime.handleEvent"))
}

// counter is a simulation whose only state is a number. It records every call.
type counter struct {
	calls []string
	value uint64
	boom  uint64 // the tick at which Step panics
	exit  string // the call in which the goroutine is ended
	each  func() // called in Step, or nil
	out   *buffer.Outbox[string]
}

type link = buffer.Link[uint64, string, string]

func (c *counter) note(format string, a ...any) { c.calls = append(c.calls, fmt.Sprintf(format, a...)) }

func (c *counter) leave(at string) {
	if c.exit == at {
		runtime.Goexit()
	}
}

func (c *counter) Start(out *buffer.Outbox[string]) { c.leave("start"); c.out = out }
func (c *counter) BeginFrame()                      { c.note("begin") }
func (c *counter) EndFrame()                        { c.note("end") }
func (c *counter) Apply(tick uint64, s *string, scheduled bool) {
	c.leave("apply")
	c.note("apply %s@%d %v", *s, tick, scheduled)
	c.value += 1000
}
func (c *counter) Step(tick uint64, dt float64) {
	if tick == c.boom {
		panic(errors.New("boom"))
	}
	c.leave("step")
	if c.each != nil {
		c.each()
	}
	c.note("step %d", tick)
	c.value++
	c.out.Events.Append(fmt.Sprint("event ", tick))
}
func (c *counter) Capture(dst []uint64) []uint64 { return append(dst, c.value) }
func (c *counter) Counts() body2d.Counts         { return body2d.Counts{Bodies: 1} }

type rig struct {
	sim  *counter
	link *link
	loop *Loop[uint64, string, string]
}

func start(sim *counter) rig {
	l := buffer.NewLink[uint64, string, string]()
	return rig{sim, l, Start(sim, l, Options{})}
}

// frame posts a frame with commands and steps up to demand.
func (r rig) frame(demand uint64, commands ...string) {
	for _, c := range commands {
		r.link.Commands.Append(buffer.Scheduled[string]{Command: c})
	}
	r.post(demand)
}

func (r rig) at(tick uint64, command string) {
	r.link.Commands.Append(buffer.Scheduled[string]{At: tick, Command: command})
}

func (r rig) post(demand uint64) {
	r.link.Demand.Post(buffer.Frame{Demand: demand, Dt: .1, Commands: r.link.Commands.Count()})
}

func (r rig) await(t *testing.T, tick uint64) {
	t.Helper()
	if !r.link.Await(tick, r.link.Demand.Posted()) {
		t.Fatalf("physics stopped: %v", r.link.Failure())
	}
	r.link.Exchange.Acquire()
}

func (r rig) want(t *testing.T, calls ...string) {
	t.Helper()
	if !slices.Equal(r.sim.calls, calls) {
		t.Errorf("calls:\n got %q\nwant %q", r.sim.calls, calls)
	}
}

func TestCommandsOfAFrameComeBeforeItsStepsAndForcesEndAfterThem(t *testing.T) {
	r := start(&counter{})
	defer r.loop.Close()
	r.frame(2, "a", "b")
	r.frame(3)
	r.await(t, 3)
	r.want(t, "begin", "apply a@0 false", "apply b@0 false", "step 1", "step 2", "end", "begin", "step 3", "end")
}

func TestAWorldAtRestCanBeEdited(t *testing.T) {
	r := start(&counter{})
	defer r.loop.Close()
	r.frame(2)
	r.await(t, 2)
	r.frame(2, "edit")
	r.await(t, 2)
	cur, prev := r.link.Exchange.Current(), r.link.Exchange.Previous()
	if cur.Tick != 2 || cur.Revision != 1 || cur.States[0] != 1002 {
		t.Errorf("current is tick %d revision %d, %v", cur.Tick, cur.Revision, cur.States)
	}
	if prev.Tick != 1 || prev.States[0] != 1 {
		t.Errorf("previous is tick %d, %v", prev.Tick, prev.States)
	}
	r.frame(3)
	r.await(t, 3)
	if prev := r.link.Exchange.Previous(); prev.States[0] != 1002 {
		t.Errorf("the step after an edit starts from %v", prev.States)
	}
}

func TestSeveralStepsBetweenTwoLooksKeepPreviousOneStepBefore(t *testing.T) {
	r := start(&counter{})
	defer r.loop.Close()
	r.frame(5)
	r.await(t, 5)
	if p, c := r.link.Exchange.Previous(), r.link.Exchange.Current(); p.States[0] != 4 || c.States[0] != 5 {
		t.Errorf("pair %v, %v", p.States, c.States)
	}
}

func TestScheduledCommandTakesEffectAtItsTickInWhateverFrame(t *testing.T) {
	for _, demands := range [][]uint64{{1, 2, 3, 4, 5}, {5}, {2, 5}, {3, 3, 5}} {
		r := start(&counter{})
		r.at(3, "late")
		r.at(2, "early")
		r.at(3, "later")
		for _, d := range demands {
			r.post(d)
			r.await(t, d)
		}
		r.loop.Close()
		var got []string
		for _, c := range r.sim.calls {
			if c != "begin" && c != "end" {
				got = append(got, c)
			}
		}
		want := []string{"step 1", "step 2", "apply early@2 true", "step 3", "apply late@3 true", "apply later@3 true", "step 4", "step 5"}
		if !slices.Equal(got, want) {
			t.Errorf("frames %v: %q", demands, got)
		}
	}
}

func TestEventsTravelWithTheStateThatTheyLedTo(t *testing.T) {
	r := start(&counter{})
	defer r.loop.Close()
	r.frame(3)
	r.await(t, 3)
	if p, c := r.link.Exchange.Previous().Events, r.link.Exchange.Current().Events; p != 2 || c != 3 {
		t.Errorf("%d events by the previous tick, %d by the current", p, c)
	}
}

func TestIdlePhysicsSleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(&counter{})
		synctest.Wait() // returns only when every goroutine is durably blocked
		r.frame(1)
		synctest.Wait()
		if r.link.Tick() != 1 {
			t.Errorf("woken, but at tick %d", r.link.Tick())
		}
		r.loop.Close()
	})
}

func TestPhysicsWaitsAtTheLimitAndQuittingReleasesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(&counter{})
		r.link.Demand.SetLimit(2)
		r.frame(5)
		synctest.Wait()
		if r.link.Tick() != 2 {
			t.Errorf("at tick %d with the limit at 2", r.link.Tick())
		}
		r.link.Demand.SetLimit(4)
		synctest.Wait()
		if r.link.Tick() != 4 {
			t.Errorf("at tick %d with the limit at 4", r.link.Tick())
		}
		r.loop.Close()
	})
}

func TestPanicSurfacesAsAnErrorWithItsStackAndThePictureStays(t *testing.T) {
	r := start(&counter{boom: 3})
	r.frame(5)
	if r.link.Await(5, 1) {
		t.Fatal("tick 5 was reached")
	}
	f := r.link.Failure()
	if f == nil || f.Tick != 2 || !strings.Contains(string(f.Stack), "(*counter).Step") {
		t.Fatalf("failure %+v", f)
	}
	if f.Unwrap() == nil || strings.Contains(f.Error(), "\n") {
		t.Errorf("error %q", f)
	}
	r.link.Exchange.Acquire()
	if c := r.link.Exchange.Current(); c.Tick != 2 || c.States[0] != 2 {
		t.Errorf("the last picture is tick %d, %v", c.Tick, c.States)
	}
	r.loop.Close()
	r.loop.Close()
}

func TestGoexitInTheSimulationIsAFailure(t *testing.T) {
	for name, sim := range map[string]*counter{"Start": {exit: "start"}, "Apply": {exit: "apply"}, "Step": {exit: "step"}} {
		r := start(sim)
		r.frame(3, "a")
		if r.link.Await(3, 1) {
			t.Fatalf("%s: tick 3 was reached", name)
		}
		f := r.link.Failure()
		if f == nil || !errors.Is(f, buffer.ErrGoexit) || !strings.Contains(string(f.Stack), "(*counter)."+name) {
			t.Errorf("%s: failure %+v", name, f)
		}
		r.loop.Close()
	}
}

func TestCloseOnThePhysicsGoroutineIsAFailure(t *testing.T) {
	var r rig
	sim := &counter{}
	sim.each = func() { r.loop.Close() }
	r = start(sim)
	r.frame(3)
	if r.link.Await(3, 1) || r.link.Failure() == nil || !strings.Contains(r.link.Failure().Error(), "Close was called") {
		t.Errorf("failure %v", r.link.Failure())
	}
	r.loop.Close()
}

func TestCloseFinishesWhatWasDemanded(t *testing.T) {
	for range 200 {
		r := start(&counter{})
		r.frame(3)
		r.loop.Close()
		if got := r.link.Tick(); got != 3 {
			t.Fatalf("closed at tick %d", got)
		}
	}
}

func TestAStepAllocatesNothingInTheLoop(t *testing.T) {
	link, loop := startQuiet()
	defer loop.Close()
	tick := uint64(0)
	step := func() {
		tick++
		link.Demand.Post(buffer.Frame{Demand: tick, Dt: .1})
		link.Await(tick, tick)
		link.Exchange.Acquire()
	}
	for range 1000 {
		step()
	}
	if n := testing.AllocsPerRun(1000, step); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// quiet is a simulation that does nothing, and takes no time.
type quiet struct{}

func startQuiet() (*buffer.Link[uint64, int, int], *Loop[uint64, int, int]) {
	link := buffer.NewLink[uint64, int, int]()
	return link, Start(quiet{}, link, Options{})
}

func (quiet) Start(*buffer.Outbox[int])     {}
func (quiet) BeginFrame()                   {}
func (quiet) EndFrame()                     {}
func (quiet) Apply(uint64, *int, bool)      {}
func (quiet) Step(uint64, float64)          {}
func (quiet) Capture(dst []uint64) []uint64 { return append(dst, 0) }
func (quiet) Counts() body2d.Counts         { return body2d.Counts{} }

// The benchmark measures what the loop itself adds to a step: the time from the demand to
// the published state, with an empty step.
func BenchmarkRoundTrip(b *testing.B) {
	link, loop := startQuiet()
	defer loop.Close()
	tick := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		tick++
		link.Demand.Post(buffer.Frame{Demand: tick, Dt: .1})
		link.Await(tick, tick)
		link.Exchange.Acquire()
	}
}
