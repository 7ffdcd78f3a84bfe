// Package phasetrace records the phases of a thread and their durations. A Recorder writes the phases into
// profile labels and into regions of execution traces. It also keeps the times of the last timing.MaxSpans
// steps or frames, which any goroutine may read.
package phasetrace

import (
	"context"
	"runtime/pprof"
	"runtime/trace"
	"strconv"
	"sync/atomic"
	"time"

	"halfstep/buffer/phase"
	"halfstep/internal/timing"
)

// phases is the number of phases of both threads. The threads have the phase Other in common.
const phases = 2*phase.PerThread - 1

// Recorder records the phases of one goroutine. Only that goroutine may call the methods, except
// OnLate, Spans and Busy. The methods of a nil Recorder do nothing.
//
// A Recorder allocates memory only while an execution trace is running.
type Recorder struct {
	thread phase.Thread
	phases [phases]mark
	stages [timing.Stages]mark
	watch  atomic.Pointer[watch]

	span  timing.Span
	open  bool // between Begin and End
	phase phase.Phase
	since int64 // since is when the phase began, in ns.
	stage timing.Stage
	began int64 // began is when the stage began, in ns.
	used  usage // used are the thread's counters at the beginning of the span.

	commands uint32 // commands is the number of commands since the last stored span.

	unit, region, stageRegion *trace.Region // regions of the step or frame, of the phase, and of the stage; nil outside an execution trace
	ring                      ring

	// Busy reads these three: the number, the phase and the start of the current step or frame. The
	// start is 0 if no step or frame is in progress.
	start   atomic.Int64
	number  atomic.Uint64
	at      atomic.Uint32
	planned atomic.Int64 // sleep, ns
}

// mark has the names of a phase or a stage in profiles and execution traces.
type mark struct {
	labels context.Context
	region string // region is the type of the region. The phase Other and NoStage have no region.
}

type watch struct {
	late   time.Duration
	onLate func(timing.Span)
}

// New returns a recorder. It sets three profile labels: "loop" (the thread), "engine" and "phase".
func New(thread phase.Thread, engine string) *Recorder {
	l := &Recorder{thread: thread}
	l.span.Thread = thread
	base := pprof.WithLabels(context.Background(), pprof.Labels("loop", thread.String(), "engine", engine))
	l.phases[phase.Other].labels = base
	for i := 1; i < phase.PerThread; i++ {
		p := thread.Phase(i)
		l.phases[p] = mark{pprof.WithLabels(base, pprof.Labels("phase", p.String())), thread.String() + " " + p.String()}
	}
	if thread == phase.Physics {
		step := l.phases[phase.Step].labels
		l.stages[timing.NoStage].labels = step
		for s := timing.NoStage + 1; s < timing.Stages; s++ {
			l.stages[s] = mark{pprof.WithLabels(step, pprof.Labels("stage", s.String())), thread.String() + " " + s.String()}
		}
	}
	return l
}

func unit(t phase.Thread) string {
	if t == phase.Render {
		return "frame"
	}
	return "tick"
}

// OnLate makes the recorder call f with every span that takes longer than the time late. The calls
// come on the recorder's goroutine. A nil f or a time of 0 ends the calls. Any goroutine may call
// OnLate.
func (l *Recorder) OnLate(late time.Duration, f func(timing.Span)) {
	switch {
	case l == nil:
	case f == nil || late <= 0:
		l.watch.Store(nil)
	default:
		l.watch.Store(&watch{late, f})
	}
}

// Attach sets the profile labels of the calling goroutine.
func (l *Recorder) Attach() {
	if l != nil {
		pprof.SetGoroutineLabels(l.phases[l.phase].labels)
	}
}

// Begin starts a step or frame, in phase p. If a step or frame with the same number is already in
// progress, Begin only enters the phase.
func (l *Recorder) Begin(number uint64, p phase.Phase) {
	if l == nil {
		return
	}
	if l.open && l.span.Number == number {
		l.Enter(p)
		return
	}
	l.Cancel()
	l.used.begin(l.watch.Load() != nil)
	now := timing.Now()
	l.span = timing.Span{Thread: l.thread, Number: number, Start: now}
	l.open, l.since = true, now
	l.number.Store(number)
	l.planned.Store(0)
	l.start.Store(now)
	if trace.IsEnabled() {
		l.unit = trace.StartRegion(l.phases[phase.Other].labels, unit(l.thread))
		trace.Log(l.phases[phase.Other].labels, unit(l.thread), strconv.FormatUint(number, 10))
	}
	l.enter(p)
}

// Enter ends the current phase and begins phase p. It ignores a phase of the other thread.
func (l *Recorder) Enter(p phase.Phase) {
	if l == nil || l.phase == p || p >= phases || l.phases[p].labels == nil {
		return
	}
	now := timing.Now()
	l.span.Spent[l.phase.Index()] += now - l.since
	l.since = now
	l.leaveStage(now)
	end(&l.region)
	l.enter(p)
}

func (l *Recorder) enter(p phase.Phase) {
	l.phase = p
	l.at.Store(uint32(p))
	l.show(&l.phases[p], &l.region)
}

// show sets the labels of a phase or stage, and begins its region.
func (l *Recorder) show(m *mark, region **trace.Region) {
	pprof.SetGoroutineLabels(m.labels)
	if m.region != "" && trace.IsEnabled() {
		*region = trace.StartRegion(l.phases[phase.Other].labels, m.region)
	}
}

func end(region **trace.Region) {
	if *region != nil {
		(*region).End()
		*region = nil
	}
}

func (l *Recorder) leaveStage(now int64) {
	if l.stage != timing.NoStage {
		l.span.Stages[l.stage] += now - l.began
		l.stage = timing.NoStage
	}
	end(&l.stageRegion)
}

// EnterStage ends the current stage of the phase Step, and begins stage s. With NoStage it begins
// no stage. It does nothing in other phases. The end of the phase also ends the stage.
func (l *Recorder) EnterStage(s timing.Stage) {
	if l == nil || l.phase != phase.Step || l.stage == s || s >= timing.Stages {
		return
	}
	now := timing.Now()
	l.leaveStage(now)
	l.stage, l.began = s, now
	l.show(&l.stages[s], &l.stageRegion)
}

// SetWork stores how much work the step did.
func (l *Recorder) SetWork(w timing.Work) {
	if l != nil {
		l.span.Work = w
	}
}

// AddCommand counts a command for the next stored span.
func (l *Recorder) AddCommand() {
	if l != nil {
		l.commands++
	}
}

// Phase returns the current phase.
func (l *Recorder) Phase() phase.Phase {
	if l == nil {
		return phase.Other
	}
	return l.phase
}

// PlanSleep announces that the frame will sleep for d on purpose. That time does not make a frame
// late, but a longer sleep does.
func (l *Recorder) PlanSleep(d time.Duration) {
	if l != nil {
		l.span.PlannedSleep += max(int64(d), 0)
		l.planned.Store(l.span.PlannedSleep)
	}
}

// SetGPU stores how long the graphics processor worked on an earlier frame.
func (l *Recorder) SetGPU(frame uint64, d time.Duration) {
	if l != nil {
		l.span.GPU, l.span.GPUFrame = int64(d), frame
	}
}

// SetTick stores the tick that the frame shows, and whether the frame is the first to show that
// tick.
func (l *Recorder) SetTick(tick uint64, fresh bool) {
	if l == nil {
		return
	}
	l.span.Tick, l.span.Fresh = tick, fresh
	if fresh && trace.IsEnabled() {
		trace.Log(l.phases[phase.Other].labels, "shows tick", strconv.FormatUint(tick, 10))
	}
}

// End ends the current step or frame and stores its span. It does nothing if no step or frame is in
// progress.
func (l *Recorder) End() {
	if l == nil || !l.open {
		return
	}
	l.Cancel()
	now := timing.Now()
	l.span.Spent[0] += now - l.since                                // this is the time of phase.Other
	l.span.PlannedSleep = min(l.span.PlannedSleep, l.span.Spent[0]) // an event may have ended the sleep early
	l.span.End, l.since = now, now
	l.span.Work.Commands, l.commands = l.commands, 0
	l.span.Usage = l.used.end(l.thread == phase.Render)
	l.ring.put(&l.span)
	if w := l.watch.Load(); w != nil && l.span.Took() > w.late {
		w.onLate(l.span)
	}
}

// Cancel ends the current step or frame without storing its span.
func (l *Recorder) Cancel() {
	if l == nil {
		return
	}
	l.Enter(phase.Other)
	l.open = false
	l.start.Store(0)
	end(&l.unit)
}

// Spans appends the newest spans to dst, oldest first, up to the capacity of dst. Any goroutine may
// call it.
func (l *Recorder) Spans(dst []timing.Span) []timing.Span {
	if l == nil {
		return dst
	}
	return l.ring.read(dst)
}

// Busy returns the number and the phase of the current step or frame, and the time since its
// beginning without planned sleep. The result ok is false if no step or frame is in progress. Any
// goroutine may call it.
func (l *Recorder) Busy() (number uint64, p phase.Phase, lasted time.Duration, ok bool) {
	if l == nil {
		return
	}
	// if the start is the same before and after reading the number, it belongs to that number
	for began := l.start.Load(); began != 0; {
		n, at, planned := l.number.Load(), l.at.Load(), l.planned.Load()
		if again := l.start.Load(); again != began {
			began = again
			continue
		}
		return n, phase.Phase(at), time.Duration(timing.Now() - began - planned), true
	}
	return
}
