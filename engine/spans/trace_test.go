package spans

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/world"
)

// parsed is a trace as a reader of the format sees it.
type parsed struct {
	TraceEvents []struct {
		Name, Cat, Ph, Bp, S string
		Ts, Dur              *float64
		Pid, Tid             *int
		ID                   *uint64
		Args                 map[string]any
	}
}

// check holds a trace to Chrome's trace event format and returns how many events
// there are of each kind, by ph and thread.
func check(t *testing.T, data []byte) map[string]int {
	t.Helper()
	var p parsed
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatalf("%v: %.300s", err, data)
	}
	type slice struct{ from, to float64 }
	counts, open := map[string]int{}, map[string][]slice{}
	begun, ended := map[uint64]float64{}, map[uint64]float64{}
	threads, processes := map[string]bool{}, map[int]bool{}
	for i, e := range p.TraceEvents {
		if e.Name == "" || e.Pid == nil || e.Tid == nil || e.Ts == nil {
			t.Fatalf("event %d has no name, pid, tid or ts: %+v", i, e)
		}
		thread := fmt.Sprintf("%d/%d", *e.Pid, *e.Tid)
		counts[fmt.Sprintf("%s %d", e.Ph, *e.Tid)]++
		switch e.Ph {
		case "M":
			if e.Name == "thread_name" {
				threads[thread] = true
			}
			if e.Name == "process_name" {
				processes[*e.Pid] = true
			}
			continue
		case "X":
			if e.Dur == nil || *e.Dur < 0 {
				t.Fatalf("a slice without dur: %+v", e)
			}
			s := slice{*e.Ts, *e.Ts + *e.Dur}
			// A slice lies within the one that is open, or after it.
			stack := open[thread]
			const rounding = 1e-6
			for len(stack) > 0 && stack[len(stack)-1].to <= s.from+rounding {
				stack = stack[:len(stack)-1]
			}
			if n := len(stack); n > 0 && (s.from < stack[n-1].from || s.to > stack[n-1].to+rounding) {
				t.Errorf("%s from %v to %v overlaps the slice from %v to %v", e.Name, s.from, s.to, stack[n-1].from, stack[n-1].to)
			}
			open[thread] = append(stack, s)
		case "s", "f":
			ends := map[string]map[uint64]float64{"s": begun, "f": ended}[e.Ph]
			if e.ID == nil {
				t.Fatalf("a flow without id: %+v", e)
			}
			if _, again := ends[*e.ID]; again {
				t.Errorf("flow %d has two ends of kind %s", *e.ID, e.Ph)
			}
			ends[*e.ID] = *e.Ts
			if e.Ph == "f" && e.Bp != "e" {
				t.Errorf("flow %d ends at the next slice and not at its own", *e.ID)
			}
			// Slices come before the ends of their flows, and enclose them.
			inside := false
			for _, s := range open[thread] {
				inside = inside || s.from <= *e.Ts && *e.Ts <= s.to
			}
			for _, other := range p.TraceEvents[:i] {
				if other.Ph == "X" && *other.Tid == *e.Tid && *other.Ts <= *e.Ts && *e.Ts <= *other.Ts+*other.Dur {
					inside = true
				}
			}
			if !inside {
				t.Errorf("flow %d has an end at %v outside all slices", *e.ID, *e.Ts)
			}
		case "C":
			if len(e.Args) == 0 {
				t.Errorf("a counter without values: %+v", e)
			}
		case "i":
			if e.S != "g" && e.S != "p" && e.S != "t" {
				t.Errorf("an instant with the scope %q", e.S)
			}
		default:
			t.Errorf("ph is %q", e.Ph)
		}
		if !processes[*e.Pid] || e.Ph != "C" && !threads[thread] {
			t.Errorf("%s is of a thread or a process without a name", e.Name)
		}
	}
	if len(begun) != len(ended) {
		t.Errorf("%d flows begin, %d end", len(begun), len(ended))
	}
	for id, from := range begun {
		if to, ok := ended[id]; !ok || to < from {
			t.Errorf("flow %d goes from %v to %v", id, from, to)
		}
	}
	return counts
}

func TestATraceOfARunHoldsToTheFormat(t *testing.T) {
	for _, sync := range []bool{false, true} {
		var b bytes.Buffer
		rec := Record(&b)
		e, err := engine.New(engine.Config{Name: `run "1"`, Setup: func(w *world.World) error {
			w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Box(40, 1)}})
			_, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: 2}, Shapes: []world.ShapeDef{world.Box(1, 1)}})
			return err
		}})
		if err != nil {
			t.Fatal(err)
		}
		rec.Watch(e.Trace())
		frames := 0
		for start := time.Now(); time.Since(start) < 500*time.Millisecond; frames++ {
			e.Frame()
			e.Trace().EnterPhase(phase.Draw)
			e.Trace().EnterPhase(phase.Swap)
			e.Trace().PlanSleep(4 * time.Millisecond)
			time.Sleep(4 * time.Millisecond)
		}
		rec.Hitch(e.Name(), phase.Now()-1e6, phase.Now(), "why")
		if sync { // whoever ends first
			rec.Forget(e.Trace())
			e.Close()
		} else {
			e.Close()
		}
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
		rec.Forget(e.Trace())
		for range 100 { // more than is buffered
			rec.Hitch("late", 0, 1, "after the end")
		}
		if rec.Close() != nil {
			t.Error("closing twice fails")
		}
		n := check(t, b.Bytes())
		if n["X 1"] < frames || n["X 2"] < 10 || n["s 2"] == 0 || n["C 0"] < 3 || n["X 3"] != 1 || n["i 3"] != 1 {
			t.Errorf("%d frames: %v", frames, n)
		}
	}
}

func TestAFlowNeedsBothItsEnds(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	step := func(tick uint64, at int64) {
		s := phase.Span{Thread: phase.Physics, Number: tick, Start: at, End: at + 5e6}
		s.Spent[phase.Step.Index()] = 9e6 // more than there is
		s.Stages[phase.Solve] = 8e6
		w.Span("e", &s)
	}
	frame := func(n, tick uint64, fresh bool, at int64) {
		s := phase.Span{Thread: phase.Render, Number: n, Start: at, End: at + 20e6, Tick: tick, Fresh: fresh}
		s.Spent[phase.Draw.Index()] = 2e6
		w.Span("e", &s)
	}
	step(1, 1e6)
	frame(1, 1, true, 10e6)
	frame(2, 1, false, 30e6) // not the first to show it
	frame(3, 7, true, 50e6)  // a tick that nobody has seen
	step(8, 71e6)
	frame(4, 8, true, 70e6) // begun before the step was over, as in Lockstep
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := check(t, b.Bytes()); n["s 2"] != 2 || n["f 1"] != 2 || n["X 2"] != 6 {
		t.Errorf("%v", n)
	}
}

func TestTheGraphicsProcessorHasALaneOfItsOwn(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	for n := range uint64(20) {
		s := phase.Span{Thread: phase.Render, Number: n, Start: int64(n) * 10e6, End: int64(n)*10e6 + 10e6}
		if n >= 2 {
			s.GPU, s.GPUFrame = 14e6, n-2 // longer than a frame
		}
		if n == 19 {
			s.GPUFrame = 1 // long ago
		}
		w.Span("e", &s)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := check(t, b.Bytes()); n["X 4"] != 17 {
		t.Errorf("%v", n)
	}
}

// full is a disk with no space left.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestAFullDiskIsAnError(t *testing.T) {
	rec := Record(full{})
	rec.Hitch("e", 0, 1, "why")
	for range 2 {
		if rec.Close() == nil {
			t.Error("no error")
		}
	}
}

type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("on purpose") }

// slow is a writer that fails, and only when it may.
type slow struct{ begun, may chan struct{} }

func (s slow) Write([]byte) (int, error) {
	close(s.begun)
	<-s.may
	return 0, errors.New("no room")
}

func TestASecondCloseWaitsForTheFirstAndHasItsError(t *testing.T) {
	w := slow{make(chan struct{}), make(chan struct{})}
	rec := Record(w)
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- rec.Close() }()
	<-w.begun
	go func() { second <- rec.Close() }()
	select {
	case err := <-second:
		t.Fatalf("it did not wait: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(w.may)
	if a, b := <-first, <-second; a == nil || b == nil {
		t.Errorf("%v, %v", a, b)
	}
}

func TestAWriterThatPanicsIsAnErrorOfClose(t *testing.T) {
	rec := Record(panicking{})
	for range 1000 {
		rec.Hitch("e", 0, 1, "why") // more than is buffered
	}
	if err := rec.Close(); err == nil || !strings.Contains(err.Error(), "on purpose") {
		t.Errorf("error %v", err)
	}
}

func TestATapeKeepsEachSpanOnceAndNoMoreThanItsTime(t *testing.T) {
	e, err := engine.New(engine.Config{Name: "tape", Time: engine.Time{Simulated: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	tape := NewTape(e.Trace(), time.Minute)
	for range 5 {
		for range 100 {
			e.Advance(time.Second / 60)
		}
		tape.Collect(nil)
		tape.Collect(nil)
	}
	for thread, list := range map[string][]phase.Span{"frames": tape.Spans(phase.Render), "steps": tape.Spans(phase.Physics)} {
		if len(list) < 490 {
			t.Errorf("%d %s", len(list), thread)
		}
		for i := 1; i < len(list); i++ {
			if list[i].Number != list[i-1].Number+1 {
				t.Fatalf("%s: %d after %d", thread, list[i].Number, list[i-1].Number)
			}
		}
	}
	tape.keep = 0
	tape.Collect(nil)
	if n := len(tape.Spans(phase.Render)) + len(tape.Spans(phase.Physics)); n != 0 {
		t.Errorf("%d spans are too old", n)
	}
}
