package phasetrace

import (
	"reflect"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"halfstep/buffer/phase"
	"halfstep/internal/timing"
)

func TestAStageIsPartOfTheStepAndEndsWithIt(t *testing.T) {
	l := New(phase.Physics, "e")
	// Time is simulated, so that the speed of the machine has no effect.
	const ms = int64(time.Millisecond)
	stage := func(s timing.Stage, took int64) {
		l.EnterStage(s)
		l.began -= took * ms
	}
	l.Begin(7, phase.Commands)
	stage(timing.Solve, 100) // not in a step
	l.Enter(phase.Step)
	l.since -= 600 * ms // 400 ms of these are in stages
	stage(timing.Pairs, 100)
	stage(timing.Solve, 200)
	stage(timing.Sleep, 100)
	l.Enter(phase.Contacts) // ends the stage
	l.since -= 200 * ms
	l.End()
	s := l.Spans(make([]timing.Span, 0, 1))[0]
	sum := int64(0)
	for _, ns := range s.Stages {
		sum += ns
	}
	if s.Stages[timing.Pairs] < 100*ms || s.Stages[timing.Solve] < 200*ms || s.Stages[timing.Sleep] < 100*ms || s.Stages[timing.Islands] != 0 {
		t.Errorf("stages %v", s.Stages)
	}
	if step := s.Spent[phase.Step.Index()]; step < 600*ms || step-sum < 200*ms {
		t.Errorf("the stages took %d ns of the step's %d", sum, step)
	}
	if l.stage != timing.NoStage {
		t.Errorf("after the step it is in %v", l.stage)
	}
}

// A ring stores spans as words, in which the garbage collector finds no pointers.
func TestASpanHasNoPointers(t *testing.T) {
	var check func(reflect.Type)
	check = func(of reflect.Type) {
		switch kind := of.Kind(); {
		case kind == reflect.Struct:
			for i := range of.NumField() {
				check(of.Field(i).Type)
			}
		case kind == reflect.Array:
			check(of.Elem())
		case kind == reflect.Uintptr || kind > reflect.Complex128:
			t.Errorf("it has a %v", of)
		}
	}
	check(reflect.TypeFor[timing.Span]())
}

func TestARingKeepsAllOfASpan(t *testing.T) {
	want := timing.Span{
		Thread: phase.Physics, Number: 1, Start: 2, End: 3, PlannedSleep: 4, Spent: [phase.PerThread]int64{5, 6, 7, 8, 9, 10, 11},
		Tick: 12, Fresh: true, Stages: [timing.Stages]int64{0, 13, 14, 15, 16, 17, 18},
		Work:  timing.Work{Commands: 19, Bodies: 20, Contacts: 21, Islands: 22, Largest: 1 << 31},
		Usage: timing.Usage{Known: true, CPU: 1 << 40, System: 24, Faults: 25, MajorFaults: 26, Preempted: 27, Blocked: 28},
		GPU:   29, GPUFrame: 30,
	}
	var r ring
	r.put(&want)
	if got := r.read(make([]timing.Span, 0, 1)); len(got) != 1 || got[0] != want {
		t.Errorf("%+v", got)
	}
}

func TestWhatAThreadUsesIsMeasuredWhileSomebodyWatches(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("measured on Linux only")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	l := New(phase.Render, "e")
	frame := func(work func()) timing.Usage {
		l.Begin(1, phase.Draw)
		work()
		l.End()
		return l.Spans(make([]timing.Span, 0, 1))[0].Usage
	}
	if u := frame(func() {}); u != (timing.Usage{}) {
		t.Errorf("nobody watches: %+v", u)
	}
	l.OnLate(time.Hour, func(timing.Span) {})
	debug.FreeOSMemory() // memory that was touched before causes no page faults
	u := frame(func() {
		b := make([]byte, 64<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		runtime.KeepAlive(b)
		for range 20 { // on a busy machine the thread may be woken before it sleeps
			time.Sleep(time.Millisecond)
		}
	})
	if !u.Known || u.CPU <= 0 || u.System <= 0 || u.Faults == 0 || u.Blocked == 0 {
		t.Errorf("%+v", u)
	}
	p := New(phase.Physics, "e")
	p.OnLate(time.Hour, func(timing.Span) {})
	step := func(work func()) (known bool) {
		p.Begin(1, phase.Step)
		work()
		p.End()
		return p.Spans(make([]timing.Span, 0, 1))[0].Usage.Known
	}
	known := false
	for try := 0; try < 100 && !known; try++ { // the system may make any thread wait
		known = step(func() {})
	}
	if !known {
		t.Error("what a step used is never known")
	}
	known = true
	for try := 0; try < 100 && known; try++ { // a busy machine may wake the thread before it sleeps
		known = step(func() { time.Sleep(time.Millisecond) })
	}
	if known {
		t.Error("what a step used that waited is known")
	}
	if n := testing.AllocsPerRun(20, func() { l.Begin(2, phase.Draw); l.End() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	l.Begin(3, phase.Draw)
	l.used.thread++ // this pretends that the goroutine has moved to another thread
	l.End()
	if u := l.Spans(make([]timing.Span, 0, 1))[0].Usage; u.Known {
		t.Errorf("a span on two threads: %+v", u)
	}
}
