package engine_test

import (
	"testing"
	"time"

	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/engine/fault"
	"halfstep/internal/timing"
)

func injected(t *testing.T, c engine.Config, faults ...string) *engine.Engine {
	t.Helper()
	for _, text := range faults {
		f, err := fault.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		c.Testing.Faults = append(c.Testing.Faults, f)
	}
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func TestAnEngineRefusesAFaultThatIsNotValid(t *testing.T) {
	for _, f := range []fault.Fault{{Kind: 9}, {Kind: fault.LateStep, At: 1}, {Delay: time.Second}} {
		if _, err := engine.New(engine.Config{Testing: engine.Testing{Faults: []fault.Fault{f}}}); err == nil {
			t.Errorf("an engine takes %+v", f)
		}
	}
}

const sixtieth = time.Second / 60

// At 60 frames and 60 steps a second, a step that takes three frames longer than
// usual stops the picture for three frames.
func TestALateStepOnASimulatedClockIsLateInSimulatedTime(t *testing.T) {
	run := func(faults ...string) (held uint64, took time.Duration) {
		e := injected(t, engine.Config{Time: engine.Time{Simulated: true}, Testing: engine.Testing{FixedLag: true, NoGovernor: true}}, faults...)
		start := time.Now()
		for range 120 {
			e.Advance(sixtieth)
		}
		return e.Metrics().HeldFrames, time.Since(start)
	}
	if held, _ := run(); held != 0 {
		t.Fatalf("%d frames held without a fault", held)
	}
	held, took := run("step:10s@60")
	if held < 50 {
		t.Errorf("%d frames held", held)
	}
	if took > 9*time.Second {
		t.Errorf("the simulated delay took %v of the real clock", took)
	}
}

func TestALateFrameOnASimulatedClockMakesTheNextFrameTimeLonger(t *testing.T) {
	e := injected(t, engine.Config{Time: engine.Time{Simulated: true, MaxSteps: 60}}, "frame:100ms@10")
	for range 11 {
		e.Advance(sixtieth)
	}
	before := e.Ledger().Scaled()
	if want := 11 * sixtieth.Seconds(); before < want-1e-9 || before > want+1e-9 {
		t.Errorf("after frame 10 the clock is at %v, not %v", before, want)
	}
	e.Advance(sixtieth)
	if d := e.Ledger().Scaled() - before; d < (sixtieth+100*time.Millisecond).Seconds()-1e-9 {
		t.Errorf("the frame after the late one took %v s", d)
	}
}

func TestFaultsAreRealOnTheWallClockAndNoted(t *testing.T) {
	late := make(chan engine.Late, 64)
	e := injected(t, engine.Config{}, "step:80ms@5", "frame:90ms@20", "gc@30")
	e.Trace().OnLate(50*time.Millisecond, 50*time.Millisecond, func(l engine.Late) {
		select {
		case late <- l:
		default:
		}
	})
	for range 60 {
		e.Frame()
		e.Trace().EnterPhase(phase.Swap)
		time.Sleep(5 * time.Millisecond)
	}
	for len(e.Trace().InjectedFaults()) < 3 { // if this machine is slow, the step may be late
		time.Sleep(5 * time.Millisecond)
		e.Frame()
	}
	e.Close()
	var step, frame *timing.Span
	for len(late) > 0 {
		s := (<-late).Span
		if s.Thread == phase.Physics && s.Number == 5 {
			step = &s
		}
		if s.Thread == phase.Render && s.Number == 20 {
			frame = &s
		}
	}
	if step == nil || step.Longest() != phase.Step || step.Took() < 80*time.Millisecond {
		t.Errorf("late step: %+v", step)
	}
	if frame == nil || frame.Longest() != phase.Swap || frame.Took() < 90*time.Millisecond {
		t.Errorf("late frame: %+v", frame)
	}
	seen := map[string]int{}
	for _, i := range e.Trace().InjectedFaults() {
		seen[i.String()]++
	}
	if len(seen) != 3 || seen["step:80ms@5"] != 1 || seen["frame:90ms@20"] != 1 || seen["gc@30"] != 1 {
		t.Errorf("noted: %v", seen)
	}
}

func TestALateFrameIsLateForThoseWhoTellNoPhases(t *testing.T) {
	e := injected(t, engine.Config{}, "frame:50ms@3")
	for range 4 {
		e.Frame()
	}
	before := e.Ledger().Scaled()
	e.Frame()
	if d := e.Ledger().Scaled() - before; d < .05 {
		t.Errorf("the frame after the late one saw %v s", d)
	}
}
