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
)

// sampleEvery is how often the state of the runtime and of the machine is noted, so
// that there is something to compare with.
const sampleEvery = 100 * time.Millisecond

// mostPending bounds what one hitch is made of.
const mostPending = 32

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
				// What is late because of this is late soon, and the trace shall
				// show how it went on.
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

// sample notes how things are, and has the tapes go on.
func (r *Recorder) sample() {
	r.fill(r.history.next())
	r.stacksLeft = stacksPerSample
	for _, w := range r.engines() {
		w.tape.Collect(nil)
		if len(r.pending) == 0 && len(w.stacks) > 64 {
			clear(w.stacks)
		}
	}
}

// take notes a late span, unless it is to be expected or belongs to a hitch
// that has been dealt with.
func (r *Recorder) take(l late) bool {
	if l.callers[0] != 0 {
		l.by.callers = resolve(slices.DeleteFunc(l.callers[:], func(pc uintptr) bool { return pc == 0 }))
	}
	told := &l.by.told[l.Span.Thread]
	switch {
	case l.Age < r.opts.StartUp || l.Frames <= r.opts.StartUpFrames:
		return false
	case l.Span.Start < told.quiet && l.Span.Took() <= 2*told.worst: // one worse by far is told all the same: nothing else tells of it
		r.suppressed++
		return false
	case len(r.pending) >= mostPending:
		return false
	}
	if len(r.pending) == 0 {
		r.over = sample{at: nanos(time.Now()), machine: readMachine()}
	}
	r.pending = append(r.pending, l)
	return true
}

func (r *Recorder) dump() {
	if len(r.pending) == 0 {
		return
	}
	main, also := culprit(r.pending)
	rep, err := r.write(&main, also)
	var worst [2]time.Duration
	for i := range r.pending {
		if l := &r.pending[i]; l.by == main.by { // the report is not about the others
			worst[l.Span.Thread] = max(worst[l.Span.Thread], l.Span.Took())
		}
		clear(r.pending[i].by.stacks)
	}
	for t, took := range worst {
		if told := &main.by.told[t]; took > 0 {
			told.quiet, told.worst = nanos(time.Now())+int64(r.opts.Every), took
		}
	}
	clear(r.pending) // nothing is kept of an engine that is forgotten
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

// tell calls OnReport. A panic there is an error of Close.
func (r *Recorder) tell(rep *Report, err error) {
	r.callback.Store(owner.ID(new(owner.Header)))
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

// culprit picks the span that the others are late because of: the first one, or
// the longest step at work during it where that is a frame. A frame waits for
// steps, never the other way round.
func culprit(list []late) (main late, also []late) {
	at := 0
	if first := &list[0].Span; first.Thread == phase.Render {
		for i := range list {
			s := &list[i].Span
			if s.Thread != phase.Physics || list[i].by != list[0].by ||
				s.Start >= first.End || s.End <= first.Start {
				continue
			}
			if at == 0 || s.Took() > list[at].Span.Took() {
				at = i
			}
		}
	}
	return list[at], slices.Delete(slices.Clone(list), at, at+1)
}

// nanos is a time as spans count it.
func nanos(t time.Time) int64 { return int64(t.Sub(phase.Epoch())) }
