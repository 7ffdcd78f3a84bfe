package phasetrace

import (
	"bytes"
	"runtime/trace"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/buffer/phase"
	"halfstep/internal/timing"
)

func TestANilLaneDoesNothing(t *testing.T) {
	var l *Recorder
	l.Attach()
	l.Begin(1, phase.Step)
	l.Enter(phase.Capture)
	l.PlanSleep(1)
	l.SetTick(1, true)
	l.End()
	if l.Spans(nil) != nil || l.Phase() != phase.Other {
		t.Error("a nil recorder has spans")
	}
}

func TestPhasesOfTheOtherLoopAreIgnored(t *testing.T) {
	l := New(phase.Render, "e")
	l.Begin(1, phase.Acquire)
	l.Enter(phase.Step)
	if l.Phase() != phase.Acquire {
		t.Errorf("a render recorder is in %v", l.Phase())
	}
}

func TestAPhaseThatDoesNotExistIsIgnored(t *testing.T) {
	l := New(phase.Render, "test")
	l.Begin(1, phase.Acquire)
	for _, p := range []phase.Phase{phases, phases + 1, 255} {
		if l.Enter(p); l.Phase() != phase.Acquire {
			t.Errorf("phase %d was entered", p)
		}
	}
	l.End()
}

func TestTheTimesOfASpanAddUp(t *testing.T) {
	l := New(phase.Physics, "e")
	for n := range uint64(3) {
		l.Begin(n, phase.Commands)
		l.Enter(phase.Step)
		busy(time.Millisecond)
		l.Enter(phase.Capture)
		l.Enter(phase.Other)
		l.Enter(phase.Step)
		l.End()
		l.End() // does nothing
	}
	spans := l.Spans(make([]timing.Span, 0, 10))
	if len(spans) != 3 {
		t.Fatalf("%d spans", len(spans))
	}
	for n, s := range spans {
		var sum int64
		for _, d := range s.Spent {
			sum += d
		}
		if s.Number != uint64(n) || sum != s.End-s.Start || s.Spent[phase.Step.Index()] < int64(time.Millisecond) {
			t.Errorf("span %d: %+v, sum %d", n, s, sum)
		}
	}
}

func TestASpanGoesOnUnderItsNumberAndIsForgottenWhenCancelled(t *testing.T) {
	l := New(phase.Physics, "e")
	l.Begin(1, phase.Commands)
	l.span.Spent[phase.Commands.Index()] = 100
	l.Begin(1, phase.Step)
	l.End()
	l.Begin(2, phase.Commands)
	l.Cancel()
	if l.Phase() != phase.Other {
		t.Errorf("cancelled in %v", l.Phase())
	}
	l.End()
	l.Begin(3, phase.Commands)
	l.Begin(4, phase.Commands)
	l.End()
	spans := l.Spans(make([]timing.Span, 0, 10))
	if len(spans) != 2 || spans[0].Spent[phase.Commands.Index()] < 100 || spans[1].Number != 4 {
		t.Errorf("%+v", spans)
	}
}

func busy(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
}

func TestOnlyWhatTakesTooLongIsReported(t *testing.T) {
	var late []timing.Span
	l := New(phase.Render, "e")
	l.OnLate(500*time.Millisecond, func(s timing.Span) { late = append(late, s) })
	// Time is simulated, so that the speed of the machine has no effect.
	frame := func(took, rest time.Duration) {
		l.Begin(uint64(took), phase.Draw)
		l.span.Start -= int64(took)
		l.span.Spent[0] += int64(rest)
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

func TestASleepThatEndsEarlyTakesNoTimeFromOthers(t *testing.T) {
	l := New(phase.Render, "e")
	l.Begin(1, phase.Draw)
	l.PlanSleep(time.Hour)
	l.End()
	if s := l.Spans(make([]timing.Span, 0, 1))[0]; s.SpentIn(0) < 0 || s.Took() < 0 {
		t.Errorf("%d ns of other time, took %v", s.SpentIn(0), s.Took())
	}
}

func TestAnInstrumentedStepAllocatesNothing(t *testing.T) {
	l := New(phase.Physics, "e")
	l.OnLate(time.Hour, func(timing.Span) {})
	dst := make([]timing.Span, 0, 64)
	n := testing.AllocsPerRun(1000, func() {
		l.Begin(1, phase.Commands)
		l.Enter(phase.Controllers)
		l.Enter(phase.Step)
		l.Enter(phase.Contacts)
		l.Enter(phase.Capture)
		l.Enter(phase.Publish)
		l.SetTick(3, true)
		l.End()
		l.Spans(dst)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A reader never sees a span that is mixed from two spans.
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
			s := timing.Span{Number: n, Start: k, End: k, PlannedSleep: k, Tick: n, Fresh: n%2 == 1}
			for i := range s.Spent {
				s.Spent[i] = k
			}
			r.put(&s)
		}
	})
	dst := make([]timing.Span, 0, timing.MaxSpans)
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
	l := New(phase.Physics, "e")
	l.Begin(4711, phase.Step)
	l.Enter(phase.Capture)
	l.End()
	r := New(phase.Render, "e")
	r.Begin(42, phase.Acquire)
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
	l := New(phase.Physics, "e")
	expect := func(number uint64, p phase.Phase, busy bool) {
		t.Helper()
		n, at, lasted, ok := l.Busy()
		if n != number || at != p || ok != busy || lasted < 0 {
			t.Errorf("busy %v with %d in %v for %v", ok, n, at, lasted)
		}
	}
	expect(0, phase.Other, false)
	l.Begin(812, phase.Commands)
	expect(812, phase.Commands, true)
	l.Enter(phase.Step)
	expect(812, phase.Step, true)
	l.Begin(812, phase.Commands) // goes on
	busy(time.Millisecond)
	if _, _, lasted, _ := l.Busy(); lasted < time.Millisecond {
		t.Errorf("for %v", lasted)
	}
	l.End()
	expect(0, phase.Other, false)
	l.Begin(813, phase.Step)
	l.Cancel()
	expect(0, phase.Other, false)
	var none *Recorder
	if _, _, _, ok := none.Busy(); ok {
		t.Error("a nil recorder is busy")
	}
}

// If a number were combined with the start of another step, the result would be a step
// that never existed.
func TestWhatALaneIsBusyWithIsOfOneStep(t *testing.T) {
	l := New(phase.Physics, "e")
	const steps = 100_000
	var starts [steps + 1]atomic.Int64
	var done atomic.Bool
	go func() {
		for n := uint64(1); n <= steps; n++ {
			l.Begin(n, phase.Step)
			starts[n].Store(l.span.Start)
			busy(500)
			l.End()
		}
		done.Store(true)
	}()
	read := 0
	for !done.Load() {
		before := timing.Now()
		n, _, lasted, ok := l.Busy()
		after := timing.Now()
		if !ok {
			continue
		}
		start := starts[n].Load()
		if start == 0 {
			continue // the step has only just begun
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
