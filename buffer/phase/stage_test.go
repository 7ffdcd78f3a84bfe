package phase

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestAStageIsPartOfTheStepAndEndsWithIt(t *testing.T) {
	l := NewLane(Physics, "e")
	l.Begin(7, Commands)
	l.EnterStage(Solve) // not in a step
	l.Enter(Step)
	l.EnterStage(Pairs)
	time.Sleep(time.Millisecond)
	l.EnterStage(Solve)
	time.Sleep(2 * time.Millisecond)
	l.EnterStage(Sleep)
	time.Sleep(time.Millisecond)
	l.Enter(Contacts) // ends the stage
	time.Sleep(2 * time.Millisecond)
	l.End()
	s := l.Spans(make([]Span, 0, 1))[0]
	sum := int64(0)
	for _, ns := range s.Stages {
		sum += ns
	}
	step := s.Spent[Step.Index()]
	if s.Stages[Pairs] < int64(time.Millisecond) || s.Stages[Sleep] < int64(time.Millisecond) || s.Stages[Solve] < int64(2*time.Millisecond) || s.Stages[Islands] != 0 {
		t.Errorf("stages %v", s.Stages)
	}
	if sum > step || step-sum > int64(time.Millisecond)/2+step/2 {
		t.Errorf("the stages took %d ns of the step's %d", sum, step)
	}
	if l.stage != NoStage {
		t.Errorf("after the step it is in %v", l.stage)
	}
}

func TestTheLongestStageMayBeNone(t *testing.T) {
	var s Span
	s.Spent[Step.Index()] = 100
	s.Stages[Solve], s.Stages[Pairs] = 30, 20
	if at, ns := s.LongestStage(); at != NoStage || ns != 50 {
		t.Errorf("%v, %d", at, ns)
	}
	s.Stages[Solve] = 60
	if at, ns := s.LongestStage(); at != Solve || ns != 60 {
		t.Errorf("%v, %d", at, ns)
	}
}

func TestARingKeepsAllOfASpan(t *testing.T) {
	want := Span{
		Thread: Physics, Number: 1, Start: 2, End: 3, PlannedSleep: 4, Spent: [PerThread]int64{5, 6, 7, 8, 9, 10, 11},
		Tick: 12, Fresh: true, Stages: [Stages]int64{0, 13, 14, 15, 16, 17, 18},
		Work:  Work{19, 20, 21, 22, 1 << 31},
		Usage: Usage{true, 1 << 40, 24, 25, 26, 27, 28},
		GPU:   29, GPUFrame: 30,
	}
	var r ring
	r.put(&want)
	if got := r.read(make([]Span, 0, 1)); len(got) != 1 || got[0] != want {
		t.Errorf("%+v", got)
	}
}

func TestWhatAThreadUsesIsMeasuredWhileSomebodyWatches(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("measured on Linux only")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	l := NewLane(Render, "e")
	frame := func(work func()) Usage {
		l.Begin(1, Draw)
		work()
		l.End()
		return l.Spans(make([]Span, 0, 1))[0].Usage
	}
	if u := frame(func() {}); u != (Usage{}) {
		t.Errorf("nobody watches: %+v", u)
	}
	l.OnLate(time.Hour, func(Span) {})
	debug.FreeOSMemory() // memory that was touched before would do
	u := frame(func() {
		b := make([]byte, 64<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		runtime.KeepAlive(b)
		time.Sleep(time.Millisecond)
	})
	if !u.Known || u.CPU <= 0 || u.System <= 0 || u.Faults == 0 || u.Blocked == 0 {
		t.Errorf("%+v", u)
	}
	p := NewLane(Physics, "e")
	p.OnLate(time.Hour, func(Span) {})
	step := func(work func()) (known bool) {
		p.Begin(1, Step)
		work()
		p.End()
		return p.Spans(make([]Span, 0, 1))[0].Usage.Known
	}
	known := false
	for try := 0; try < 100 && !known; try++ { // the system may make any thread wait
		known = step(func() {})
	}
	if !known {
		t.Error("what a step used is never known")
	}
	if step(func() { time.Sleep(time.Millisecond) }) {
		t.Error("what a step used that waited is known")
	}
	if n := testing.AllocsPerRun(20, func() { l.Begin(2, Draw); l.End() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	l.Begin(3, Draw)
	l.used.thread++ // as if it had moved
	l.End()
	if u := l.Spans(make([]Span, 0, 1))[0].Usage; u.Known {
		t.Errorf("a span on two threads: %+v", u)
	}
}
