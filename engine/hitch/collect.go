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

// sampleEvery is the time between two samples of the runtime and of the machine, with which a
// report compares the time of a hitch.
const sampleEvery = 100 * time.Millisecond

// mostPending is the greatest number of late steps and frames in one hitch. Further ones are ignored.
const mostPending = 32

// mostStacks is a number of steps and frames for which stacks are stored. If there are more, and no
// hitch is pending, the stacks of an engine are dropped, because most of these steps and frames
// were not late in the end.
const mostStacks = 64

// run is the goroutine of a Recorder (hitch.go), which watches engines and writes a report of each
// hitch. Engines report late steps and frames on the channel r.late. The method take collects them
// in r.pending, and a moment later dump writes them as one hitch.
func (r *Recorder) run() {
	defer close(r.done)
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("loop", "hitch")))
	samples := time.NewTicker(sampleEvery)
	defer samples.Stop()
	stacks := time.NewTicker(min(max(min(r.opts.Threshold, r.opts.StepThreshold)/5, 4*time.Millisecond), 50*time.Millisecond)) // several within the threshold
	defer stacks.Stop()
	r.sample()
	var settled <-chan time.Time
	for {
		select {
		case l := <-r.late:
			if r.take(l) && settled == nil {
				// Wait for the steps and frames that this one delays, and until the trace shows what followed.
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

// sample records the state of the runtime, of the machine and of the engines, and copies new spans
// of the engines to their tapes.
func (r *Recorder) sample() {
	r.fill(r.history.next())
	r.stacksLeft = stacksPerSample // the number of stacks that watchStacks may take until the next sample
	for _, w := range r.engines() {
		w.tape.Collect(nil) // nil: no function needs a call for each new span
		if len(r.pending) == 0 && len(w.stacks) > mostStacks {
			clear(w.stacks)
		}
	}
}

// take adds a late step or frame to r.pending, and reports whether it did. It ignores late steps
// and frames while the engine starts up. Soon after a report, it ignores them unless they are much
// later.
func (r *Recorder) take(l late) bool {
	if l.callers[0] != 0 { // for a frame: store the stack of the call of Frame, for Stack.entry
		l.by.callers = resolve(slices.DeleteFunc(l.callers[:], func(pc uintptr) bool { return pc == 0 }))
	}
	last := &l.by.reported[l.Span.Thread]
	switch {
	case l.Age < r.opts.StartUp || l.Frames <= r.opts.StartUpFrames:
		return false
	case l.Span.Start < last.quietUntil && l.Span.Took() <= 2*last.worst: // a much worse one gets a report of its own
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

// dump writes the report of the hitch in r.pending, if there is one, and passes it to OnReport
// or the logger.
func (r *Recorder) dump() {
	if len(r.pending) == 0 {
		return
	}
	main, also := culprit(r.pending)
	rep, err := r.write(&main, also)
	var worst [2]time.Duration
	for i := range r.pending {
		if l := &r.pending[i]; l.by == main.by { // a report is about one engine
			worst[l.Span.Thread] = max(worst[l.Span.Thread], l.Span.Took())
		}
		clear(r.pending[i].by.stacks)
	}
	for t, took := range worst {
		if last := &main.by.reported[t]; took > 0 {
			last.quietUntil, last.worst = nanos(time.Now())+int64(r.opts.Every), took
		}
	}
	clear(r.pending) // so that the memory of an engine after Forget can be freed
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

// tell calls OnReport. If OnReport panics, Close returns the panic as an error.
func (r *Recorder) tell(rep *Report, err error) {
	r.callback.Store(owner.ID(new(owner.Header))) // so that Close can recognize a call by OnReport, and panic
	returned := false
	defer func() {
		r.callback.Store(0)
		switch v := recover(); {
		case r.failed != nil:
		case v != nil:
			r.failed = fmt.Errorf("hitch: OnReport panicked: %v", v)
		case !returned: // runtime.Goexit, by a test's Fatal
			r.failed = errors.New("hitch: OnReport ended its goroutine")
		}
	}()
	r.opts.OnReport(rep, err)
	returned = true
}

// culprit picks the step or frame that made the others late, and returns the others as also. It begins
// with the first one in the list. If that is a frame that waited for its steps, culprit picks the
// longest late step of its engine during that frame instead. If it is a step, culprit picks a longer
// frame that did not wait for the step instead.
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

// waitedForSteps reports whether a frame was late because it waited for its steps.
func waitedForSteps(frame *timing.Span) bool {
	return frame.Longest() == phase.Acquire
}

// nanos converts a time to ns since timing.Epoch, as in spans.
func nanos(t time.Time) int64 { return int64(t.Sub(timing.Epoch())) }
