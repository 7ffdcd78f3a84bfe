package hitch

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/internal/timing"
)

// These are situations from programs with more than one engine, or with an engine that is
// always a little late. The name of each test says what should happen.

// lateIn reports a step or frame of another engine that has just ended and has taken that
// long.
func (r *rig) lateIn(of Source, l phase.Thread, number uint64, took time.Duration) {
	now := nanos(time.Now())
	s := timing.Span{Thread: l, Number: number, Start: now - int64(took), End: now}
	s.Spent[0] = int64(took)
	r.tell(of, s, 1000, time.Hour)
}

func TestAReportOfOneOfTwoEnginesNamesItAndTakesNoFrameOfTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, Options{})
		other, err := engine.New(engine.Config{Name: "rig"})
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		r.Watch(other.Trace())
		r.pass(time.Second)
		r.lateIn(other.Trace(), phase.Physics, 9, 90*millisecond)
		r.frame(41, 120*millisecond)
		r.pass(time.Second)
		list := r.reports()
		if len(list) != 1 {
			t.Fatalf("%d reports", len(list))
		}
		rep := &list[0]
		if rep.Engine != "rig 2" || !strings.HasPrefix(rep.Verdict, "rig 2: the step to tick 9 took 90 ms") {
			t.Errorf("%q: %s", rep.Engine, rep.Verdict)
		}
		if len(rep.Also) != 1 || rep.Also[0].Engine != "rig" || rep.Also[0].What != "render frame" {
			t.Errorf("also late: %+v", rep.Also)
		}
		// The report was not about the other engine, so the next late frame of the other engine
		// gets a report.
		r.frame(50, 100*millisecond)
		r.pass(time.Second)
		if n := len(r.reports()); n != 2 {
			t.Errorf("%d reports after a late frame of the other", n)
		}
	})
}

func TestFramesAndStepsHaveAThresholdEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var frame, step time.Duration
		r := start(t, Options{StepThreshold: 8 * millisecond})
		r.Watch(&thresholds{r.engine.Trace(), &frame, &step})
		if frame != 60*millisecond || step != 8*millisecond {
			t.Errorf("frames of %v and steps of %v are late", frame, step)
		}
		r.pass(time.Second)
		r.step(3, 9*millisecond)
		r.pass(time.Second)
		if list := r.reports(); len(list) != 1 || list[0].Threshold != 8 {
			t.Errorf("%+v", list)
		}
	})
}

type thresholds struct {
	Source
	frame, step *time.Duration
}

func (e *thresholds) OnLate(frame, step time.Duration, _ func(engine.Late)) {
	*e.frame, *e.step = frame, step
}

func TestALateStepIsToldWhereFramesAreLateAllTheTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, Options{})
		r.pass(time.Second)
		for n := range uint64(20) {
			r.frame(100+n, 70*millisecond)
			r.pass(100 * millisecond)
		}
		if n := len(r.reports()); n != 1 {
			t.Fatalf("%d reports of frames that are late all the time", n)
		}
		r.step(77, 65*millisecond)
		r.frame(130, 70*millisecond)
		r.pass(time.Second)
		list := r.reports()
		found := false
		for i := range list {
			found = found || strings.Contains(list[i].Verdict, "tick 77")
		}
		if !found || len(list) != 2 {
			t.Errorf("%d reports, the late step is not told", len(list))
		}
	})
}

func TestWithoutOnReportTheLoggerIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r := start(t, Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
		r.pass(time.Second)
		r.step(7, 80*millisecond)
		r.pass(time.Second)
		if !strings.Contains(log.String(), "the step to tick 7 took 80 ms") {
			t.Errorf("logged: %q", log.String())
		}
	})
}
