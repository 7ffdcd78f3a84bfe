package hitch

import (
	"time"

	"halfstep/buffer/phase"
	"halfstep/engine"
)

// Report is the JSON beside a trace.
type Report struct {
	Time      time.Time `json:"time"` // when it was over
	Engine    string    `json:"engine"`
	What      string    `json:"what"`  // "physics step" or "render frame"
	Loop      string    `json:"loop"`  // physics or render
	Phase     string    `json:"phase"` // in which most of the time went
	Tick      uint64    `json:"tick"`  // of the step, or shown by the frame
	Frame     *uint64   `json:"frame,omitempty"`
	Took      float64   `json:"took_ms"`
	Threshold float64   `json:"threshold_ms"`

	Phases map[string]float64 `json:"phases_ms"`

	// Suspect is gc, physics, drawing, driver, events, lockstep, scheduler or
	// outside, and Why a sentence about it.
	Suspect string `json:"suspect"`
	Why     string `json:"why"`

	Injected []string `json:"injected,omitempty"` // faults that were made on purpose
	// Also lists what else was late at the time.
	Also []Other `json:"also_late,omitempty"`
	// Suppressed is how many were late since the last dump, too soon after it.
	Suppressed int `json:"suppressed"`

	GC        GC        `json:"gc"`
	Scheduler Scheduler `json:"scheduler"`
	Counters  Counters  `json:"counters"`

	// The last frames and ticks before the end, newest last.
	Frames []Item `json:"recent_frames"`
	Ticks  []Item `json:"recent_ticks"`

	Trace      string `json:"trace,omitempty"` // the file beside this one
	TraceError string `json:"trace_error,omitempty"`

	BlackBox      string `json:"black_box,omitempty"` // the recording of the last seconds, see engine.BlackBoxOptions
	BlackBoxError string `json:"black_box_error,omitempty"`
}

// Other is something else that was late.
type Other struct {
	What   string  `json:"what"`
	Number uint64  `json:"number"`
	Phase  string  `json:"phase"`
	Took   float64 `json:"took_ms"`
}

// GC is what the collector did from a sample before the hitch until the dump,
// Span seconds later, except for what is named otherwise.
type GC struct {
	Span    float64 `json:"seconds"`
	During  int     `json:"cycles_during"`     // collections that overlap what was late
	Marking float64 `json:"marking_during_ms"` // of it, about
	Cycles  float64 `json:"cycles"`
	Forced  float64 `json:"forced"`
	Pauses  uint64  `json:"pauses"`
	Paused  float64 `json:"paused_ms"` // about
	Longest float64 `json:"longest_pause_ms"`
	Assist  float64 `json:"assist_cpu_ms"`
	Mark    float64 `json:"mark_cpu_ms"` // dedicated and idle
	Objects float64 `json:"allocated_objects"`
	Bytes   float64 `json:"allocated_bytes"`
	Live    float64 `json:"heap_live_bytes"`
	Goal    float64 `json:"heap_goal_bytes"`
}

// Scheduler is what the scheduler did in the same time.
type Scheduler struct {
	MaxProcs   float64 `json:"gomaxprocs"`
	Goroutines float64 `json:"goroutines"`
	// Latency is the longest that a goroutine that could run had to wait for a
	// processor.
	Latency   float64 `json:"longest_latency_ms"`
	MutexWait float64 `json:"mutex_wait_ms"` // of a sample of all goroutines
	Pauses    uint64  `json:"other_pauses"`  // of the world, not the collector's
	Paused    float64 `json:"other_paused_ms"`
}

// Counters are the engine's, before the hitch and after.
type Counters struct {
	Seconds float64        `json:"seconds"` // between the two
	Before  engine.Metrics `json:"before"`
	After   engine.Metrics `json:"after"`
}

// Item is a frame or a tick; Start is milliseconds before the end of what was
// late.
type Item struct {
	Number uint64  `json:"number"`
	Start  float64 `json:"start_ms"`
	Took   float64 `json:"took_ms"`
}

func what(l phase.Thread) string {
	if l == phase.Render {
		return "render frame"
	}
	return "physics step"
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }

// recent is how many frames and ticks a report lists.
const recent = 32

// describe puts together what is known about a hitch.
func (r *Recorder) describe(main engine.Late, also []engine.Late) *Report {
	s := &main.Span
	e := main.Engine
	rep := &Report{
		Time: phase.Epoch().Add(time.Duration(s.End)).UTC(), Engine: e.Name(),
		What: what(s.Thread), Loop: s.Thread.String(), Phase: s.Longest().String(),
		Took: ms(s.Took()), Threshold: ms(r.opts.Threshold),
		Phases: map[string]float64{}, Suppressed: r.suppressed,
	}
	if s.Thread == phase.Render {
		rep.Frame, rep.Tick = &s.Number, s.Tick
	} else {
		rep.Tick = s.Number
	}
	for slot, ns := range s.Spent {
		if ns > 0 {
			rep.Phases[s.Thread.Phase(slot).String()] = ms(time.Duration(ns))
		}
	}
	for i := range also {
		o := &also[i].Span
		rep.Also = append(rep.Also, Other{what(o.Thread), o.Number, o.Longest().String(), ms(o.Took())})
	}
	for _, i := range e.InjectedFaults() {
		if at := nanos(i.Began); at <= s.End && at >= s.Start-int64(r.opts.settle) {
			rep.Injected = append(rep.Injected, i.Fault.String())
		}
	}
	var now sample
	r.fill(&now)
	before := r.history.before(s.Start)
	latency := r.runtime(rep, s, before, &now)
	rep.Counters = Counters{float64(now.at-before.at) / 1e9, before.metrics[e], e.Metrics()}
	rep.Suspect, rep.Why = evidence{
		s.Thread, s.Longest(), rep.Counters.After.Lockstep, rep.Took, rep.GC.Marking, latency,
	}.suspect()
	rep.Frames, rep.Ticks = items(e, phase.Render, s.End), items(e, phase.Physics, s.End)
	return rep
}

// runtime fills in what the runtime tells.
func (r *Recorder) runtime(rep *Report, s *phase.Span, before, now *sample) (latency float64) {
	milli := func(metric int) float64 { return now.since(before, metric) * 1e3 }
	g := &rep.GC
	g.Span = float64(now.at-before.at) / 1e9
	g.Cycles, g.Forced = now.since(before, gcCycles), now.since(before, gcForced)
	g.Assist, g.Mark = milli(gcAssist), milli(gcMark)+milli(gcIdle)
	g.Objects, g.Bytes = now.since(before, allocObjects), now.since(before, allocBytes)
	g.Live, g.Goal = now.values[heapLive], now.values[heapGoal]
	g.Pauses, g.Paused, g.Longest = r.metrics.spread(before, now, gcPauses)
	if g.Cycles > 0 {
		// A quarter of the processors mark; so a collection lasts that long.
		workers := max(now.values[maxProcs]/4, 1)
		each := milli(gcMark)/workers/g.Cycles + g.Paused/g.Cycles
		g.During, g.Marking = collecting(s, collections(), each)
	}
	c := &rep.Scheduler
	c.MaxProcs, c.Goroutines, c.MutexWait = now.values[maxProcs], now.values[goroutines], milli(mutexWait)
	c.Pauses, c.Paused, _ = r.metrics.spread(before, now, otherPauses)
	_, _, c.Latency = r.metrics.spread(before, now, latencies)
	return c.Latency
}

func items(e *engine.Engine, l phase.Thread, end int64) []Item {
	list := []Item{}
	for _, s := range e.Spans(l, make([]phase.Span, 0, recent)) {
		list = append(list, Item{s.Number, ms(time.Duration(s.Start - end)), ms(s.Took())})
	}
	return list
}
