package hitch

import (
	"context"
	"fmt"
	"runtime/pprof"
	"slices"
	"time"

	"halfstep/buffer/phase"
	"halfstep/internal/owner"
)

// sampleEvery is how often the state of the runtime is noted, so that there is
// something to compare with.
const sampleEvery = 250 * time.Millisecond

// mostPending bounds what one hitch is made of.
const mostPending = 32

func (r *Recorder) run() {
	defer close(r.done)
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("loop", "hitch")))
	t := time.NewTicker(sampleEvery)
	defer t.Stop()
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
			r.machines.sample(nanos(time.Now()))
		case <-t.C:
			r.sample()
			r.forgetStacks()
		case <-r.quit:
			for len(r.late) > 0 {
				r.take(<-r.late)
			}
			r.dump()
			return
		}
	}
}

// take notes a late span, unless it is to be expected or belongs to a hitch
// that has been dealt with.
func (r *Recorder) take(s lateSpan) bool {
	l := s.late
	if pcs := s.callers[:]; pcs[0] != 0 {
		r.callers[l.of] = resolve(slices.DeleteFunc(pcs, func(pc uintptr) bool { return pc == 0 }))
	}
	switch {
	case l.Age < r.opts.StartUp || l.Frames <= r.opts.StartUpFrames:
		return false
	case l.Span.Start < r.told[l.loop()].quiet && l.Span.Took() <= 2*r.told[l.loop()].worst: // one worse by far is told all the same: nothing else tells of it
		r.suppressed++
		return false
	case len(r.pending) >= mostPending:
		return false
	}
	if len(r.pending) == 0 {
		r.machines.over = machineSample{nanos(time.Now()), readMachine()}
	}
	r.pending = append(r.pending, l)
	return true
}

func (r *Recorder) dump() {
	if len(r.pending) == 0 {
		return
	}
	main, also := culprit(r.pending)
	worst := map[loop]time.Duration{}
	for i := range r.pending {
		l := &r.pending[i]
		if l.of != main.of {
			continue // named in the report, which is not about it
		}
		worst[l.loop()] = max(worst[l.loop()], l.Span.Took())
	}
	r.pending = r.pending[:0]
	path, rep, err := r.write(main, also)
	clear(r.stacks)
	for l, took := range worst {
		r.told[l] = lately{nanos(time.Now()) + int64(r.opts.Every), took}
	}
	r.suppressed = 0
	if err == nil {
		r.mu.Lock()
		r.written = slices.Insert(r.written, 0, Written{path, rep.Engine, rep.Time, rep.start, rep.end, rep.Verdict})
		r.written = r.written[:min(len(r.written), r.opts.MaxDumps)]
		r.mu.Unlock()
		if r.opts.OnReport != nil {
			r.callBack("OnReport", func() { r.opts.OnReport(path, rep) })
		} else {
			r.opts.Logger.Warn(rep.Verdict, "report", path)
		}
	}
	if r.opts.OnDump != nil {
		r.callBack("OnDump", func() { r.opts.OnDump(path, err) })
	}
}

func (r *Recorder) callBack(name string, call func()) {
	r.callback.Store(owner.ID(new(owner.Header)))
	returned := false
	defer func() {
		r.callback.Store(0)
		switch v := recover(); {
		case r.failed != nil:
		case v != nil:
			r.failed = fmt.Errorf("hitch: %s panicked: %v", name, v)
		case !returned: // runtime.Goexit, by a test's Fatal
			r.failed = fmt.Errorf("hitch: %s ended its goroutine", name)
		}
	}()
	call()
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
			if s.Thread != phase.Physics || list[i].of != list[0].of ||
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
