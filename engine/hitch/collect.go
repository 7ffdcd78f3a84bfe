package hitch

import (
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"slices"
	"time"

	"halfstep/buffer/phase"
	"halfstep/internal/owner"
	"halfstep/internal/timing"
)

// sampleEvery is the time between two samples of the runtime and of the machine.
const sampleEvery = 100 * time.Millisecond

// mostPending is the greatest number of late steps and frames in one hitch. Further late steps and
// frames are ignored.
const mostPending = 32

// mostStacks is the number of steps and frames for which the stacks of an engine are kept while no
// hitch is pending. When there are more, all stacks of the engine are dropped.
const mostStacks = 64

// run is the function of a Recorder's goroutine. Engines report late steps and frames on the
// channel r.late. The method take adds these to r.pending, and dump writes one report about the
// steps and frames in r.pending soon after.
func (r *Recorder) run() {
	defer close(r.done)
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("loop", "hitch")))
	samples := time.NewTicker(sampleEvery)
	defer samples.Stop()
	stacks := time.NewTicker(min(max(min(r.opts.Threshold, r.opts.StepThreshold)/5, 4*time.Millisecond), 50*time.Millisecond)) // so watchStacks is called several times within the threshold
	defer stacks.Stop()
	r.sample()
	var settled <-chan time.Time
	for {
		select {
		case l := <-r.late:
			if r.take(l) && settled == nil {
				// This waits for the steps and frames that the late one delays, which the trace and
				// the report include.
				settled = time.After(r.opts.settle)
			}
		case <-settled:
			settled = nil
			r.dump()
		case <-stacks.C:
			r.watchStacks()
		case <-samples.C:
			r.sample()
		case <-r.quit:
			for len(r.late) > 0 {
				r.take(<-r.late)
			}
			r.dump()
			return
		}
	}
}

// sample stores the state of the runtime, of the machine and of the engines, and copies new spans
// of each engine to the tape of that engine.
func (r *Recorder) sample() {
	r.fill(r.history.next())
	r.stacksLeft = stacksPerSample // the number of stacks that watchStacks may take until the next sample
	for _, w := range r.engines() {
		w.tape.Collect(nil) // nil, because no function must be called for each new span
		if len(r.pending) == 0 && len(w.stacks) > mostStacks {
			clear(w.stacks)
		}
	}
}

// take adds a late step or frame to r.pending, and reports whether it has added it. It ignores late
// steps and frames while the engine starts up. Soon after a report, take ignores late steps and
// frames that did not take more than twice as long as the longest in the report.
func (r *Recorder) take(l late) bool {
	if l.callers[0] != 0 { // only for a frame; stackSeen.entry needs this stack
		l.by.callers = resolve(slices.DeleteFunc(l.callers[:], func(pc uintptr) bool { return pc == 0 }))
	}
	last := &l.by.reported[l.Span.Thread]
	switch {
	case l.Age < r.opts.StartUp || l.Frames <= r.opts.StartUpFrames:
		return false
	case l.Span.Start < last.quietUntil && l.Span.Took() <= 2*last.worst: // not if it took more than twice as long
		r.suppressed++
		return false
	case len(r.pending) >= mostPending:
		return false
	}
	if len(r.pending) == 0 {
		r.atFirst = sample{at: nanos(time.Now()), machine: readMachine()}
	}
	r.pending = append(r.pending, l)
	return true
}

// dump writes the report of the hitch in r.pending, if r.pending is not empty, and passes the
// report to OnReport or the logger.
func (r *Recorder) dump() {
	if len(r.pending) == 0 {
		return
	}
	main, also := culprit(r.pending)
	rep, err := r.write(&main, also)
	var worst [2]time.Duration
	for i := range r.pending {
		if l := &r.pending[i]; l.by == main.by { // the report has only the late steps and frames of one engine
			worst[l.Span.Thread] = max(worst[l.Span.Thread], l.Span.Took())
		}
		clear(r.pending[i].by.stacks)
	}
	for t, took := range worst {
		if last := &main.by.reported[t]; took > 0 {
			last.quietUntil, last.worst = nanos(time.Now())+int64(r.opts.Every), took
		}
	}
	clear(r.pending) // so that an engine that was forgotten can be freed
	r.pending, r.suppressed = r.pending[:0], 0
	if err == nil {
		r.mu.Lock()
		r.written = slices.Insert(r.written, 0, rep)
		r.written = r.written[:min(len(r.written), r.opts.MaxDumps)]
		r.mu.Unlock()
	}
	switch {
	case r.opts.OnReport != nil:
		r.tell(rep, err)
	case err != nil:
		r.opts.Logger.Warn(err.Error())
	default:
		r.opts.Logger.Warn(rep.Verdict, "report", rep.Path())
	}
}

// tell calls OnReport. It stores a panic in OnReport as the error of Close.
func (r *Recorder) tell(rep *Report, err error) {
	r.callback.Store(owner.ID(new(owner.Header))) // with this ID Close recognizes a call from OnReport, and panics
	returned := false
	defer func() {
		r.callback.Store(0)
		switch v := recover(); {
		case r.failed != nil:
		case v != nil:
			r.failed = fmt.Errorf("hitch: OnReport panicked: %v", v)
		case !returned: // OnReport has called runtime.Goexit, as a test's Fatal does
			r.failed = errors.New("hitch: OnReport ended its goroutine")
		}
	}()
	r.opts.OnReport(rep, err)
	returned = true
}

// culprit returns the step or frame of the list that made the rest of the list late as main, and
// the rest as also. By default main is the first element. If that is a frame that waited for its
// steps, main is the longest late step of the same engine during the frame. If the first element is
// a step, and a longer frame in the list did not wait for steps, main is that frame.
func culprit(list []late) (main late, also []late) {
	at, first := 0, &list[0].Span
	for i := range list {
		s := &list[i].Span
		if list[i].by != list[0].by || s.Thread == first.Thread || s.Start >= first.End || s.End <= first.Start {
			continue
		}
		frame := first
		if s.Thread == phase.Render {
			frame = s
		}
		toStep := s.Thread == phase.Physics
		if waitedForSteps(frame) == toStep && (toStep && at == 0 || s.Took() > list[at].Span.Took()) {
			at = i
		}
	}
	return list[at], slices.Delete(slices.Clone(list), at, at+1)
}

// waitedForSteps reports whether a frame was late because it had waited for its steps.
func waitedForSteps(frame *timing.Span) bool {
	return frame.Longest() == phase.Acquire
}

// nanos converts a time to the time axis of spans, ns since timing.Epoch.
func nanos(t time.Time) int64 { return int64(t.Sub(timing.Epoch())) }
