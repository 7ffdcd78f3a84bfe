package hitch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/internal/timing"
)

// Burn is a function for processes that the package's external tests start.
var Burn func()

// TestMain ignores a goroutine that js/wasm itself starts.
func TestMain(m *testing.M) {
	if Burn != nil {
		Burn()
	}
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("runtime.handleEvent"))
}

// tape is a flight recorder that records nothing.
type tape struct {
	size    int
	err     error
	running bool
}

func (f *tape) Start() error { f.running = true; return nil }
func (f *tape) Stop()        { f.running = false }
func (f *tape) WriteTo(w io.Writer) (int64, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := w.Write(make([]byte, f.size))
	return int64(n), err
}

// rig is a recorder in a synctest bubble.
type rig struct {
	*Recorder
	t      *testing.T
	dir    string
	engine *engine.Engine
	tape   *tape
}

func start(t *testing.T, o Options) *rig {
	t.Helper()
	return startWith(t, o, engine.Config{Name: "rig"})
}

func startWith(t *testing.T, o Options, c engine.Config) *rig {
	t.Helper()
	r := &rig{t: t, dir: t.TempDir(), tape: &tape{size: 1000}}
	o.Dir, o.Threshold, o.tracer = r.dir, 60*time.Millisecond, r.tape
	var err error
	if r.engine, err = engine.New(c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.engine.Close() })
	if r.Recorder, err = Start(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	r.Watch(r.engine.Trace())
	return r
}

const millisecond = time.Millisecond

// late reports a step or frame that has just ended and has taken that long.
func (r *rig) late(l phase.Thread, number uint64, p phase.Phase, took time.Duration) {
	now := nanos(time.Now())
	s := timing.Span{Thread: l, Number: number, Start: now - int64(took), End: now}
	s.Spent[p.Index()] = int64(took)
	r.tell(r.engine.Trace(), s, 1000, time.Hour)
}

// tell reports a span of an engine as late.
func (r *rig) tell(of Source, s timing.Span, frames uint64, age time.Duration) {
	r.t.Helper()
	for _, w := range r.engines() {
		if w.of == of {
			r.report(late{by: w, Late: engine.Late{Span: s, Frames: frames, Age: age}})
			return
		}
	}
	r.t.Error("it is not watched")
}

func (r *rig) step(tick uint64, took time.Duration) {
	r.late(phase.Physics, tick, phase.Step, took)
}

func (r *rig) frame(n uint64, took time.Duration) {
	r.late(phase.Render, n, phase.Swap, took)
}

// pass lets time go by.
func (r *rig) pass(d time.Duration) { time.Sleep(d); synctest.Wait() }

// reports reads the reports that were written.
func (r *rig) reports() (list []report) {
	r.t.Helper()
	entries, _ := os.ReadDir(r.dir)
	traces, pages := 0, 0
	for _, e := range entries {
		switch {
		case strings.HasSuffix(e.Name(), ".json"):
			data, err := os.ReadFile(filepath.Join(r.dir, e.Name()))
			var rep report
			if err == nil {
				err = json.Unmarshal(data, &rep)
			}
			if err != nil {
				r.t.Fatal(err)
			}
			list = append(list, rep)
		case strings.HasSuffix(e.Name(), ".trace"):
			traces++
		case strings.HasSuffix(e.Name(), ".html"):
			pages++
		default:
			r.t.Errorf("left over: %s", e.Name())
		}
	}
	if pages != len(list) {
		r.t.Errorf("%d pages, %d reports", pages, len(list))
	}
	if r.tape.err == nil && traces != len(list) {
		r.t.Errorf("%d traces, %d reports", traces, len(list))
	}
	return list
}

// oneHitch makes a single hitch: a step of 80 ms and a frame are late, in the given order. It
// returns the report. The parameter in is the phase that took the frame's time.
func oneHitch(t *testing.T, order []string, in phase.Phase, took time.Duration) report {
	r := start(t, Options{})
	r.pass(time.Second)
	for _, what := range order {
		if what == "step" {
			r.step(120, 80*millisecond)
		} else {
			r.late(phase.Render, 130, in, took)
		}
		r.pass(10 * millisecond)
	}
	r.pass(time.Second)
	list := r.reports()
	if len(list) != 1 {
		t.Fatalf("%d dumps", len(list))
	}
	return list[0]
}

func TestALateStepAndTheFrameThatWaitedForItAreOneHitch(t *testing.T) {
	for name, order := range map[string][]string{
		"step first":  {"step", "frame"},
		"frame first": {"frame", "step"},
		"step alone":  {"step"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rep := oneHitch(t, order, phase.Acquire, 85*millisecond)
				if rep.What != "physics step" || rep.Loop != "physics" || rep.Phase != "step" || rep.Tick != 120 ||
					rep.Frame != nil || rep.Took != 80 || rep.Suspect != "physics" || len(rep.Also) != len(order)-1 {
					t.Errorf("%+v", rep)
				}
			})
		})
	}
}

// A frame of Pipelined never waits for a step, so the frame was late because of its own work.
func TestAFrameThatDidNotWaitIsNotPutDownToAStep(t *testing.T) {
	for name, order := range map[string][]string{"step first": {"step", "frame"}, "frame first": {"frame", "step"}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rep := oneHitch(t, order, phase.Draw, 120*millisecond)
				if rep.What != "render frame" || rep.Suspect != "drawing" || rep.Took != 120 || len(rep.Also) != 1 || strings.Contains(rep.Verdict, "step") {
					t.Errorf("%s, %s: %s", rep.What, rep.Suspect, rep.Verdict)
				}
			})
		})
	}
}

func TestAPanicOfAFunctionIsAnErrorOfCloseAndTheRecorderGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		r := start(t, Options{Every: time.Second, OnReport: func(*Report, error) { calls++; panic(fmt.Sprint("call ", calls)) }})
		for range 2 {
			r.pass(2 * time.Second)
			r.step(1, 80*millisecond)
		}
		r.pass(2 * time.Second)
		if err := r.Close(); calls != 2 || err == nil || !strings.Contains(err.Error(), "OnReport panicked: call 1") {
			t.Errorf("%d calls, error %v", calls, err)
		}
	})
}

func TestAFunctionThatClosesOrExitsIsAnErrorOfCloseAndNoHang(t *testing.T) {
	for want, misdeed := range map[string]func(*Recorder){
		"would wait":          func(r *Recorder) { r.Close() },
		"ended its goroutine": func(*Recorder) { runtime.Goexit() },
	} {
		synctest.Test(t, func(t *testing.T) {
			var r *rig
			r = start(t, Options{OnReport: func(*Report, error) { misdeed(r.Recorder) }})
			r.pass(2 * time.Second)
			r.step(1, 80*millisecond)
			r.pass(2 * time.Second)
			if err := r.Close(); err == nil || !strings.Contains(err.Error(), "OnReport") || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %q", err, want)
			}
		})
	}
}

func TestALateFrameIsToldApartFromALateStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, Options{})
		r.pass(time.Second)
		r.frame(100, 70*millisecond)
		r.pass(100 * millisecond)
		r.step(110, 61*millisecond) // this step began after the end of the frame
		r.pass(time.Second)
		list := r.reports()
		if len(list) != 1 || list[0].What != "render frame" || list[0].Phase != "swap" || *list[0].Frame != 100 ||
			list[0].Suspect != "driver" || len(list[0].Also) != 1 {
			t.Fatalf("%+v", list)
		}
	})
}

func TestDumpsAreRateLimitedAndTheRestIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, Options{Every: 5 * time.Second})
		r.pass(time.Second)
		for range 40 { // a step every 200 ms for 8 s
			r.step(1, 80*millisecond)
			r.pass(200 * millisecond)
		}
		r.pass(time.Second)
		list := r.reports()
		if len(list) != 2 || list[1].Suppressed < 20 {
			t.Fatalf("%d dumps: %+v", len(list), list)
		}
	})
}

func TestStartUpIsExempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, Options{})
		span := timing.Span{Thread: phase.Physics, Start: nanos(time.Now()), End: nanos(time.Now()) + int64(time.Second)}
		r.tell(r.engine.Trace(), span, 1000, 740*millisecond)
		r.tell(r.engine.Trace(), span, 20, time.Hour)
		r.pass(time.Second)
		if n := len(r.reports()); n != 0 {
			t.Errorf("%d dumps", n)
		}
		r.tell(r.engine.Trace(), span, 21, 750*millisecond)
		r.pass(time.Second)
		if n := len(r.reports()); n != 1 {
			t.Errorf("%d dumps after the start", n)
		}
	})
}

func TestTheDiskIsBoundedAndOtherFilesAreLeftAlone(t *testing.T) {
	for name, o := range map[string]Options{"dumps": {MaxDumps: 3}, "bytes": {MaxBytes: 80_000}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o.Every = time.Second
				r := start(t, o)
				mine := filepath.Join(r.dir, "hitch-notes.txt")
				os.WriteFile(mine, make([]byte, 100_000), 0o644)
				r.pass(time.Second)
				for tick := range uint64(10) {
					r.step(tick+1, 80*millisecond)
					r.pass(2 * time.Second)
				}
				if _, err := os.Stat(mine); err != nil {
					t.Error(err)
				}
				os.Remove(mine)
				list := r.reports()
				var size int64
				entries, _ := os.ReadDir(r.dir)
				for _, e := range entries {
					i, _ := e.Info()
					size += i.Size()
				}
				if len(list) == 0 || len(list) > 9 || o.MaxDumps > 0 && len(list) != 3 || o.MaxBytes > 0 && size > o.MaxBytes {
					t.Errorf("%d dumps, %d bytes", len(list), size)
				}
				if n := len(list); n > 0 && list[n-1].Tick != 10 {
					t.Errorf("the newest dump is of tick %d", list[n-1].Tick)
				}
			})
		})
	}
}

func TestALongStepIsReportedThoughAShortFrameEndsFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, Options{})
		r.pass(time.Second)
		r.frame(60, 80*millisecond)
		r.pass(820 * millisecond)
		r.frame(99, 70*millisecond) // this frame began later, and is only counted
		r.step(60, 900*millisecond) // this step began before the frame ended
		r.pass(time.Second)
		list := r.reports()
		if len(list) != 2 || list[1].What != "physics step" || list[1].Took != 900 || list[1].Suppressed != 1 {
			t.Fatalf("%d reports", len(list))
		}
	})
}

func TestAWorseHitchIsReportedHoweverSoonItFollows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, Options{})
		r.pass(time.Second)
		r.frame(60, 80*millisecond)
		r.pass(time.Second)
		r.frame(70, 81*millisecond)
		r.pass(time.Second)
		r.step(120, 200*millisecond)
		r.pass(time.Second)
		list := r.reports()
		if len(list) != 2 || list[1].What != "physics step" || list[1].Took != 200 || list[1].Suppressed != 1 {
			t.Fatalf("%d reports", len(list))
		}
		r.frame(90, 80*millisecond)
		r.Close()
		if n := r.LeftOut(); n != 1 {
			t.Errorf("%d were left out at the end", n)
		}
	})
}

// Otherwise a program that is always late would get a report of every span.
func TestWhatIsLittleWorseThanTheLastHitchIsOnlyCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, Options{})
		r.pass(time.Second)
		for n := range uint64(20) { // the steps overlap the writing of the report
			r.step(n+1, 160*millisecond)
			r.pass(160 * millisecond)
		}
		if n := len(r.reports()); n != 1 {
			t.Errorf("%d reports", n)
		}
	})
}

func TestOfAnEngineThatIsForgottenNothingIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, Options{})
		r.frame(500, 100*millisecond)
		r.pass(time.Second)
		r.Forget(r.engine.Trace())
		r.pass(time.Second)
		if n := len(r.watched) + len(r.pending); n != 0 || r.pending[:1][0].by != nil {
			t.Errorf("%d engines, %+v", len(r.watched), r.pending[:1])
		}
		for i := range min(r.history.n, 5) { // the newest
			if n := len(r.history.ring[(r.history.n-1-i)%len(r.history.ring)].metrics); n != 0 {
				t.Errorf("metrics of %d engines", n)
			}
		}
	})
}

type told struct {
	Source
	times int
}

func (e *told) OnLate(_, _ time.Duration, _ func(engine.Late)) { e.times++ }

func TestARecorderThatIsClosedWatchesNobody(t *testing.T) {
	r := start(t, Options{})
	r.Close()
	e := &told{Source: r.engine.Trace()}
	if r.Watch(e); e.times > 0 {
		t.Error("it takes the place of OnLate")
	}
}

func TestCloseWritesWhatIsPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, Options{})
		r.pass(time.Second)
		r.step(7, 80*millisecond)
		r.Close()
		r.Close()
		if n := len(r.reports()); n != 1 {
			t.Errorf("%d dumps", n)
		}
		if r.tape.running {
			t.Error("the flight recorder still runs")
		}
	})
}

func TestWithoutATraceTheReportSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, Options{})
		r.tape.err = errors.New("no tape")
		r.pass(time.Second)
		r.step(7, 80*millisecond)
		r.pass(time.Second)
		list := r.reports()
		if len(list) != 1 || list[0].TraceError != "no tape" || list[0].Trace != "" {
			t.Errorf("%+v", list)
		}
	})
}

func TestADirectoryThatIsGoneIsAnErrorAndNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var errs []error
		var log bytes.Buffer
		o := Options{OnReport: func(_ *Report, err error) { errs = append(errs, err) }}
		for range 2 {
			r := start(t, o)
			os.RemoveAll(r.dir)
			r.pass(time.Second)
			r.step(7, 80*millisecond)
			r.pass(time.Second)
			r.Close()
			o = Options{Logger: slog.New(slog.NewTextHandler(&log, nil))} // the second time
		}
		if len(errs) != 1 || errs[0] == nil || strings.Count(log.String(), "hitch: ") != 1 {
			t.Errorf("%v, logged: %q", errs, log.String())
		}
	})
}

func TestWhoWasLateNeverWaits(t *testing.T) {
	r := &Recorder{late: make(chan late, 1)}
	report := func() { r.report(late{}) }
	report()
	if n := testing.AllocsPerRun(100, report); n != 0 { // nobody reads
		t.Errorf("%v allocations", n)
	}
}

func TestBadOptionsAreOneLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o644)
	for want, o := range map[string]Options{
		"no directory": {Threshold: 1}, "threshold of 0s": {Dir: "x"}, strings.ToLower(file): {Dir: file, Threshold: 1},
	} {
		if _, err := Start(o); err == nil || !strings.Contains(strings.ToLower(err.Error()), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v; want %s", o, err, want)
		}
	}
}
