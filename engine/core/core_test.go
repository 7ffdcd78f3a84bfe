package core_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/engine/core"
	"halfstep/renderloop"
)

// counter is a simulation of one number. A command adds to the number and causes an event with the
// sum. A command with the value of panicking makes the simulation panic.
type counter struct {
	core.Base[float64, float64]
	sum, step float64
	applied   []uint64 // for each command the number of steps done before it
}

const panicking = -1

func (s *counter) Apply(tick uint64, c *float64, _ bool) {
	s.applied = append(s.applied, tick)
	s.sum += *c
	s.Out.Events.Append(s.sum)
}
func (s *counter) Step(uint64, float64) {
	if s.sum == panicking {
		panic("the sum is below 0")
	}
	s.step++
}
func (s *counter) Capture(dst []float64) []float64 { return append(dst, s.step) }

type counting = core.Engine[float64, float64, float64]

func start(t testing.TB, c core.Config) *counting {
	t.Helper()
	e, err := core.New(&counter{}, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

const frame = time.Second/60 + 1 // one step

func TestAFrameShowsTheInstantBetweenTwoSteps(t *testing.T) {
	e := start(t, core.Config{Simulated: true, Sync: renderloop.Lockstep})
	e.Advance(10 * time.Second / 60)
	for range 100 {
		v := e.Advance(7 * time.Millisecond)
		shown := v.Prev[0] + float64(v.Alpha)*(v.Cur[0]-v.Prev[0])
		if d := shown - v.Instant; d > 1e-6 || d < -1e-6 {
			t.Fatalf("at %v ticks the picture shows %v", v.Instant, shown)
		}
	}
	if v := e.Step(7); v.Cur[0] != float64(v.Tick) {
		t.Errorf("tick %d has counted %v steps", v.Tick, v.Cur[0])
	}
}

func TestCommandsOfAnyGoroutineArriveOnceAndAreAnswered(t *testing.T) {
	e := start(t, core.Config{Simulated: true, EventsAtOnce: true, Sync: renderloop.Lockstep})
	const each = 500
	var senders sync.WaitGroup
	for range 4 {
		senders.Go(func() {
			for range each {
				for !e.SendRemote(1) {
					time.Sleep(time.Millisecond)
				}
			}
		})
	}
	events, sum := 0, 0.
	for events < 4*each {
		e.Advance(frame)
		for s := range e.Events() {
			events++
			sum = s
		}
	}
	senders.Wait()
	e.Send(.5)
	e.Advance(frame)
	for s := range e.Events() {
		events, sum = events+1, s
	}
	if events != 4*each+1 || sum != 4*each+.5 {
		t.Errorf("%d commands were answered, and their sum is %v", events, sum)
	}
}

func TestACommandCanWaitForATick(t *testing.T) {
	sim := &counter{}
	e, err := core.New(sim, core.Config{Simulated: true})
	if err != nil {
		t.Fatal(err)
	}
	e.SendAt(5, 1)
	e.Send(1)
	for range 9 {
		e.Advance(frame)
	}
	e.Close()
	if want := []uint64{0, 5}; !slices.Equal(sim.applied, want) {
		t.Errorf("the commands took effect after ticks %v, want %v", sim.applied, want)
	}
}

func TestAPanicIsAFailureAndThePictureStays(t *testing.T) {
	e := start(t, core.Config{Simulated: true, Sync: renderloop.Lockstep})
	e.Step(3)
	e.Send(panicking)
	v := e.Advance(frame)
	var f *buffer.Failure
	if err := e.Failure(); !errors.As(err, &f) || !strings.Contains(err.Error(), "below 0") {
		t.Fatalf("the failure is %v", err)
	}
	if v.Tick != 3 || v.Cur[0] != 3 || e.SendRemote(1) || e.NewReader() != nil {
		t.Errorf("tick %d is shown, and physics still takes commands or readers", v.Tick)
	}
}

// calling is a simulation that calls a function of its engine in each step.
type calling struct {
	counter
	call func()
}

func (s *calling) Step(uint64, float64) { s.call() }

func TestACallThatWouldWaitForItselfIsAFailureAndNoHang(t *testing.T) {
	for name, call := range map[string]func(*counting){
		"Close": func(e *counting) { e.Close() }, "Step": func(e *counting) { e.Step(1) },
		"Frame": func(e *counting) { e.Frame() }, "Advance": func(e *counting) { e.Advance(frame) },
	} {
		for _, c := range []core.Config{{Simulated: true}, {Sync: renderloop.Lockstep}} {
			s := new(calling)
			e, err := core.New(s, c)
			if err != nil {
				t.Fatal(err)
			}
			s.call = func() { call(e) }
			e.Step(1)
			if err := e.Failure(); err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: failure %v", name, err)
			}
			e.Close()
		}
	}
}

func TestAReaderHasAPictureOfItsOwn(t *testing.T) {
	e := start(t, core.Config{Simulated: true, Sync: renderloop.Lockstep})
	r := e.NewReader()
	defer r.Close()
	e.Step(4)
	if r.Newest(); r.View().Tick != 4 || r.View().Cur[0] != 4 {
		t.Errorf("the reader sees tick %d, %v", r.View().Tick, r.View().Cur)
	}
}

func TestAReaderShowsThePicturesInstantToTheBit(t *testing.T) {
	e := start(t, core.Config{Simulated: true, Sync: renderloop.Lockstep})
	r := e.NewReader()
	defer r.Close()
	e.Step(50_000) // with so many ticks, an instant in one float64 loses bits of Alpha
	for i := range 2000 {
		v := e.Advance(5_123_457*time.Nanosecond + time.Duration(i))
		r.At(v.Tick, v.Alpha, v.Instant)
		if got := r.View(); got.Tick != v.Tick || got.Alpha != v.Alpha || got.Instant != v.Instant || got.Prev[0] != v.Prev[0] {
			t.Fatalf("the picture shows %v of tick %d, the reader %v of tick %d", v.Alpha, v.Tick, got.Alpha, got.Tick)
		}
	}
}

func TestAfterCloseTheViewStaysAndNothingIsTaken(t *testing.T) {
	e := start(t, core.Config{Simulated: true, Sync: renderloop.Lockstep})
	e.Step(2)
	e.Close()
	e.Close()
	if v := e.Advance(frame); v.Tick != 2 || e.Step(1).Tick != 2 || e.SendRemote(1) || e.NewReader() != nil || e.Failure() != nil {
		t.Errorf("tick %d after Close, failure %v", v.Tick, e.Failure())
	}
}

func TestAFrameWithCommandsAndEventsAllocatesNothing(t *testing.T) {
	e := start(t, core.Config{Simulated: true, EventsAtOnce: true, Sync: renderloop.Lockstep})
	round := func() {
		e.Send(1)
		e.SendRemote(1)
		e.Advance(frame)
		for range e.Events() {
		}
	}
	for range 600 { // after these frames no buffer grows any more
		round()
	}
	if n := testing.AllocsPerRun(200, round); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func TestASettingThatCannotBeIsRefused(t *testing.T) {
	if _, err := core.New(&counter{}, core.Config{MaxSteps: -1}); err == nil {
		t.Error("a negative bound was taken")
	}
	if _, err := core.New[float64, float64, float64](nil, core.Config{}); err == nil {
		t.Error("no simulation was taken")
	}
	if _, err := core.New(&counter{}, core.Config{Sync: renderloop.RunAhead}); err == nil {
		t.Error("what cannot predict was taken to run ahead")
	}
}

// still is the smallest simulation: Base has all methods except Step and Capture.
type still struct{ core.Base[int, string] }

func (*still) Step(uint64, float64)      {}
func (*still) Capture(dst []bool) []bool { return append(dst, true) }

func TestASimulationNeedsStepAndCaptureAlone(t *testing.T) {
	e, err := core.New[bool, int, string](&still{}, core.Config{Simulated: true, Sync: renderloop.Lockstep})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.Send("a command that nobody carries out")
	if v := e.Step(3); v.Tick != 3 || len(v.Cur) != 1 || e.Failure() != nil {
		t.Errorf("tick %d, %d states, %v", v.Tick, len(v.Cur), e.Failure())
	}
}
