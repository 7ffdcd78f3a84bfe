package phase

import (
	"bytes"
	"runtime/trace"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestEveryPhaseHasANameAndASlotOfItsLoop(t *testing.T) {
	seen := map[string]bool{}
	for loop := Physics; loop <= Render; loop++ {
		for slot := 1; slot < PerThread; slot++ {
			p := loop.Phase(slot)
			if p.Index() != slot || seen[p.String()] || p.String() == "" {
				t.Errorf("%v: slot %d holds %v, whose slot is %d", loop, slot, p, p.Index())
			}
			seen[p.String()] = true
		}
	}
	if len(seen) != int(count)-1 || Other.Index() != 0 || Physics.Phase(0) != Other || Phase(99).String() != "unknown" {
		t.Errorf("%d phases: %v", len(seen), seen)
	}
}

func TestANilLaneDoesNothing(t *testing.T) {
	var l *Lane
	l.Attach()
	l.Begin(1, Step)
	l.Enter(Capture)
	l.PlanSleep(1)
	l.SetTick(1, true)
	l.End()
	if l.Spans(nil) != nil || l.Phase() != Other {
		t.Error("a nil lane has spans")
	}
}

func TestPhasesOfTheOtherLoopAreIgnored(t *testing.T) {
	l := NewLane(Render, "e")
	l.Begin(1, Acquire)
	l.Enter(Step)
	if l.Phase() != Acquire {
		t.Errorf("a render lane is in %v", l.Phase())
	}
}

func TestAPhaseThatDoesNotExistIsIgnored(t *testing.T) {
	l := NewLane(Render, "test")
	l.Begin(1, Acquire)
	for _, p := range []Phase{count, count + 1, 255} {
		if l.Enter(p); l.Phase() != Acquire {
			t.Errorf("phase %d was entered", p)
		}
	}
	l.End()
}

func TestTheTimesOfASpanAddUp(t *testing.T) {
	l := NewLane(Physics, "e")
	for n := range uint64(3) {
		l.Begin(n, Commands)
		l.Enter(Step)
		busy(time.Millisecond)
		l.Enter(Capture)
		l.Enter(Other)
		l.Enter(Step)
		l.End()
		l.End() // does nothing
	}
	spans := l.Spans(make([]Span, 0, 10))
	if len(spans) != 3 {
		t.Fatalf("%d spans", len(spans))
	}
	for n, s := range spans {
		var sum int64
		for _, d := range s.Spent {
			sum += d
		}
		if s.Number != uint64(n) || sum != s.End-s.Start || s.Spent[Step.Index()] < int64(time.Millisecond) || s.Longest() != Step {
			t.Errorf("span %d: %+v, sum %d", n, s, sum)
		}
	}
}

func TestASpanGoesOnUnderItsNumberAndIsForgottenWhenCancelled(t *testing.T) {
	l := NewLane(Physics, "e")
	l.Begin(1, Commands)
	l.span.Spent[Commands.Index()] = 100
	l.Begin(1, Step)
	l.End()
	l.Begin(2, Commands)
	l.Cancel()
	if l.Phase() != Other {
		t.Errorf("cancelled in %v", l.Phase())
	}
	l.End()
	l.Begin(3, Commands)
	l.Begin(4, Commands)
	l.End()
	spans := l.Spans(make([]Span, 0, 10))
	if len(spans) != 2 || spans[0].Spent[Commands.Index()] < 100 || spans[1].Number != 4 {
		t.Errorf("%+v", spans)
	}
}

func busy(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
}

func TestOnlyWhatTakesTooLongIsReported(t *testing.T) {
	var late []Span
	l := NewLane(Render, "e")
	l.OnLate(500*time.Millisecond, func(s Span) { late = append(late, s) })
	// Time is made by hand: a busy machine must not decide.
	frame := func(took, rest time.Duration) {
		l.Begin(uint64(took), Draw)
		l.span.Start -= int64(took)
		l.PlanSleep(rest)
		l.End()
	}
	frame(1, 0)
	frame(400*time.Millisecond, 0)
	frame(time.Second, 900*time.Millisecond)
	if len(late) != 0 {
		t.Fatalf("reported %+v", late)
	}
	frame(time.Second, 0)
	if len(late) != 1 || late[0].Number != uint64(time.Second) {
		t.Errorf("reported %+v", late)
	}
	l.OnLate(0, nil)
	frame(time.Second, 0)
	if len(late) != 1 {
		t.Error("reported to nobody")
	}
}

func TestRestThatWasMeantIsNotTheLongestPhase(t *testing.T) {
	s := Span{Thread: Render, PlannedSleep: 95}
	s.Spent[0], s.Spent[Draw.Index()] = 100, 10
	if p := s.Longest(); p != Draw {
		t.Error(p)
	}
	s.PlannedSleep = 20
	if p := s.Longest(); p != Other {
		t.Error(p)
	}
}

func TestAnInstrumentedStepAllocatesNothing(t *testing.T) {
	l := NewLane(Physics, "e")
	l.OnLate(time.Hour, func(Span) {})
	dst := make([]Span, 0, 64)
	n := testing.AllocsPerRun(1000, func() {
		l.Begin(1, Commands)
		l.Enter(Controllers)
		l.Enter(Step)
		l.Enter(Contacts)
		l.Enter(Capture)
		l.Enter(Publish)
		l.SetTick(3, true)
		l.End()
		l.Spans(dst)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A reader never sees a span put together from two.
func TestSpansReadWhileWrittenAreWhole(t *testing.T) {
	var r ring
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() {
		for n := uint64(1); ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			k := int64(n)
			s := Span{Number: n, Start: k, End: k, PlannedSleep: k, Tick: n, Fresh: n%2 == 1}
			for i := range s.Spent {
				s.Spent[i] = k
			}
			r.put(&s)
		}
	})
	dst := make([]Span, 0, MaxSpans)
	last, read := uint64(0), 0
	for deadline := time.Now().Add(5 * time.Second); read < 20_000 && time.Now().Before(deadline); {
		for i, s := range r.read(dst) {
			read++
			if i == 0 {
				last = 0
			}
			k := int64(s.Number)
			ok := s.Start == k && s.End == k && s.PlannedSleep == k && s.Tick == s.Number && s.Fresh == (k%2 == 1) && s.Number > last
			for _, d := range s.Spent {
				ok = ok && d == k
			}
			if !ok {
				t.Fatalf("after %d: %+v", last, s)
			}
			last = s.Number
		}
	}
	close(stop)
	wg.Wait()
	if read == 0 {
		t.Error("nothing was read")
	}
}

func TestATraceShowsPhasesAndTicks(t *testing.T) {
	var out bytes.Buffer
	if err := trace.Start(&out); err != nil {
		t.Skip(err)
	}
	l := NewLane(Physics, "e")
	l.Begin(4711, Step)
	l.Enter(Capture)
	l.End()
	r := NewLane(Render, "e")
	r.Begin(42, Acquire)
	r.SetTick(4711, true)
	r.End()
	trace.Stop()
	for _, want := range []string{"physics step", "physics capture", "render acquire", "shows tick", "4711", "frame"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in the trace", want)
		}
	}
}

func TestALaneTellsOthersWhatItIsBusyWith(t *testing.T) {
	l := NewLane(Physics, "e")
	expect := func(number uint64, p Phase, busy bool) {
		t.Helper()
		n, at, lasted, ok := l.Busy()
		if n != number || at != p || ok != busy || lasted < 0 {
			t.Errorf("busy %v with %d in %v for %v", ok, n, at, lasted)
		}
	}
	expect(0, Other, false)
	l.Begin(812, Commands)
	expect(812, Commands, true)
	l.Enter(Step)
	expect(812, Step, true)
	l.Begin(812, Commands) // goes on
	busy(time.Millisecond)
	if _, _, lasted, _ := l.Busy(); lasted < time.Millisecond {
		t.Errorf("for %v", lasted)
	}
	l.End()
	expect(0, Other, false)
	l.Begin(813, Step)
	l.Cancel()
	expect(0, Other, false)
	var none *Lane
	if _, _, _, ok := none.Busy(); ok {
		t.Error("a nil lane is busy")
	}
}

// A number with the start of another step would be a step that never was.
func TestWhatALaneIsBusyWithIsOfOneStep(t *testing.T) {
	l := NewLane(Physics, "e")
	const steps = 100_000
	var starts [steps + 1]atomic.Int64
	var done atomic.Bool
	go func() {
		for n := uint64(1); n <= steps; n++ {
			l.Begin(n, Step)
			starts[n].Store(l.span.Start)
			busy(500)
			l.End()
		}
		done.Store(true)
	}()
	read := 0
	for !done.Load() {
		before := Now()
		n, _, lasted, ok := l.Busy()
		after := Now()
		if !ok {
			continue
		}
		start := starts[n].Load()
		if start == 0 {
			continue // its step has only just begun
		}
		read++
		if start < before-int64(lasted) || start > after-int64(lasted) {
			t.Fatalf("step %d began at %d, not in %d to %d", n, start, before-int64(lasted), after-int64(lasted))
		}
	}
	if read == 0 {
		t.Error("never seen busy")
	}
}
