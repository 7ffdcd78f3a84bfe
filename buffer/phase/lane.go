package phase

import (
	"context"
	"runtime/pprof"
	"runtime/trace"
	"strconv"
	"sync/atomic"
	"time"
)

// Lane belongs to one goroutine and follows it through its phases. All methods
// but OnLate, Spans and Busy belong to that goroutine; on a nil Lane they do
// nothing.
//
// Nothing is allocated while no execution trace runs.
type Lane struct {
	loop    Thread
	labels  [count]context.Context
	regions [count]string
	watch   atomic.Pointer[watch]

	span  Span
	open  bool // between Begin and End
	phase Phase
	since int64

	unit, region *trace.Region
	ring         ring

	// What others are told of the step or frame at hand: its number, the phase
	// and the start, 0 between two.
	began  atomic.Int64
	number atomic.Uint64
	at     atomic.Uint32
}

type watch struct {
	late   time.Duration
	onLate func(Span)
}

// NewLane returns a lane whose profile labels are loop, engine and phase.
func NewLane(loop Thread, engine string) *Lane {
	l := &Lane{loop: loop}
	l.span.Thread = loop
	base := pprof.WithLabels(context.Background(), pprof.Labels("loop", loop.String(), "engine", engine))
	l.labels[Other] = base
	for slot := 1; slot < PerThread; slot++ {
		p := loop.Phase(slot)
		l.labels[p] = pprof.WithLabels(base, pprof.Labels("phase", p.String()))
		l.regions[p] = loop.String() + " " + p.String()
	}
	return l
}

// OnLate has every span that takes longer than late given to f, on the lane's
// goroutine; a nil f ends that. Any goroutine.
func (l *Lane) OnLate(late time.Duration, f func(Span)) {
	switch {
	case l == nil:
	case f == nil:
		l.watch.Store(nil)
	default:
		l.watch.Store(&watch{late, f})
	}
}

// Attach labels the calling goroutine.
func (l *Lane) Attach() {
	if l != nil {
		pprof.SetGoroutineLabels(l.labels[l.phase])
	}
}

// Begin starts a step or a frame in a phase of it. One that is under way with
// the same number goes on.
func (l *Lane) Begin(number uint64, p Phase) {
	if l == nil {
		return
	}
	if l.open && l.span.Number == number {
		l.Enter(p)
		return
	}
	l.Cancel()
	now := Now()
	l.span = Span{Thread: l.loop, Number: number, Start: now}
	l.open, l.since = true, now
	l.number.Store(number)
	l.began.Store(now)
	if trace.IsEnabled() {
		l.unit = trace.StartRegion(l.labels[Other], l.loop.unit())
		trace.Log(l.labels[Other], l.loop.unit(), strconv.FormatUint(number, 10))
	}
	l.enter(p)
}

// Enter ends the phase before and begins another. A phase that is not one of
// this loop's is ignored.
func (l *Lane) Enter(p Phase) {
	if l == nil || l.phase == p || p >= count || l.labels[p] == nil {
		return
	}
	now := Now()
	l.span.Spent[l.phase.Index()] += now - l.since
	l.since = now
	l.leave()
	l.enter(p)
}

func (l *Lane) enter(p Phase) {
	l.phase = p
	l.at.Store(uint32(p))
	pprof.SetGoroutineLabels(l.labels[p])
	if p != Other && trace.IsEnabled() {
		l.region = trace.StartRegion(l.labels[Other], l.regions[p])
	}
}

func (l *Lane) leave() {
	if l.region != nil {
		l.region.End()
		l.region = nil
	}
}

// Phase is the phase at hand.
func (l *Lane) Phase() Phase {
	if l == nil {
		return Other
	}
	return l.phase
}

// Rest says that so much of this frame will be slept on purpose: it does not
// make the frame late, unless it becomes more.
func (l *Lane) PlanSleep(d time.Duration) {
	if l != nil {
		l.span.PlannedSleep += max(int64(d), 0)
	}
}

// Shows says which tick the frame shows, and whether it has just been taken.
func (l *Lane) SetTick(tick uint64, fresh bool) {
	if l == nil {
		return
	}
	l.span.Tick, l.span.Fresh = tick, fresh
	if fresh && trace.IsEnabled() {
		trace.Log(l.labels[Other], "shows tick", strconv.FormatUint(tick, 10))
	}
}

// End ends the step or frame, if one was begun.
func (l *Lane) End() {
	if l == nil || !l.open {
		return
	}
	l.Enter(Other)
	l.open = false
	l.began.Store(0)
	l.close()
	now := Now()
	l.span.Spent[0] += now - l.since
	l.span.End, l.since = now, now
	l.ring.put(&l.span)
	if w := l.watch.Load(); w != nil && l.span.Took() > w.late {
		w.onLate(l.span)
	}
}

// Cancel forgets the step or frame that was begun.
func (l *Lane) Cancel() {
	if l == nil {
		return
	}
	l.Enter(Other)
	l.open = false
	l.began.Store(0)
	l.close()
}

func (l *Lane) close() {
	if l.unit != nil {
		l.unit.End()
		l.unit = nil
	}
}

// Spans appends the newest spans to dst, oldest first, as many as fit without
// growing it. Any goroutine.
func (l *Lane) Spans(dst []Span) []Span {
	if l == nil {
		return dst
	}
	return l.ring.read(dst)
}

// Busy is the number and the phase of the step or frame at hand and how long it
// has lasted; not ok between two. Any goroutine.
func (l *Lane) Busy() (number uint64, p Phase, lasted time.Duration, ok bool) {
	if l == nil {
		return
	}
	// A start that is the same before and after is that of the number between.
	for began := l.began.Load(); began != 0; {
		n, at := l.number.Load(), l.at.Load()
		if again := l.began.Load(); again != began {
			began = again
			continue
		}
		return n, Phase(at), time.Duration(Now() - began), true
	}
	return
}
