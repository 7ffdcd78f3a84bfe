package hitch

import (
	"slices"
	"strings"
	"time"

	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/internal/goruntime"
)

// Report is what the JSON file of a hitch holds. Times are in milliseconds, unless a
// field says otherwise.
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

	// Suspect is gc, physics, drawing, driver, events, lockstep, scheduler, waiting
	// (for a lock, say), memory (page faults), processor (other programs had it),
	// gpu or outside (in no phase, or not known). Why is what speaks for it.
	Suspect string `json:"suspect"`
	Why     string `json:"why"`

	// Verdict says in a sentence what was late and why. Suspects are all that were
	// looked at, the most likely first.
	Verdict  string    `json:"verdict"`
	Suspects []Suspect `json:"suspects"`
	// Usual is the median of the last frames or steps.
	Usual float64 `json:"usual_ms"`

	// Stages are the parts of the phase step, if the solver tells them.
	Stages  map[string]float64 `json:"stages_ms,omitempty"`
	Work    *Work              `json:"work,omitempty"` // of a step
	Thread  *Thread            `json:"thread,omitempty"`
	Stacks  []Stack            `json:"stacks,omitempty"`
	Machine Machine            `json:"machine"`
	// GPU is what the graphics processor took for the frame, 0 if it is not known.
	GPU float64 `json:"gpu_ms,omitempty"`

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
	Page       string `json:"page,omitempty"`     // this report to look at
	Perfetto   string `json:"perfetto,omitempty"` // the spans, for ui.perfetto.dev

	BlackBox      string `json:"black_box,omitempty"` // a recording of the last seconds, see engine.BlackBoxOptions
	BlackBoxError string `json:"black_box_error,omitempty"`

	usualFrame float64
	several    bool  // engines are watched
	start, end int64 // ns since phase.Epoch
}

// Start is when what was late began, ns since phase.Epoch; 0 in a report that was read
// from a file.
func (r *Report) Start() int64 { return r.start }

// End is when what was late ended, as Start.
func (r *Report) End() int64 { return r.end }

// Work is how much a step had to do, see phase.Work.
type Work struct {
	Commands uint32 `json:"commands"`
	Bodies   uint32 `json:"bodies"`
	Contacts uint32 `json:"contacts"`
	Islands  uint32 `json:"islands"`
	Largest  uint32 `json:"largest_island"`
}

// Thread is what the thread used, see phase.Usage. It is known on Linux only, and
// not for a step whose thread waited.
type Thread struct {
	Ran         float64 `json:"ran_ms"`
	Kernel      float64 `json:"kernel_ms"` // of it
	Faults      uint32  `json:"page_faults"`
	MajorFaults uint32  `json:"major_page_faults"`
	Preempted   uint32  `json:"preempted"`
	Blocked     uint32  `json:"blocked"`
}

// Other is something else that was late.
type Other struct {
	Engine string  `json:"engine,omitempty"` // if it is another one
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

func (r *Recorder) threshold(t phase.Thread) time.Duration {
	if t == phase.Physics {
		return r.opts.StepThreshold
	}
	return r.opts.Threshold
}

func what(l phase.Thread) string {
	if l == phase.Render {
		return "render frame"
	}
	return "physics step"
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }

// recent is the number of frames and of ticks in a report.
const recent = 32

func (r *Recorder) describe(main late, also []late) *Report {
	s := &main.Span
	e := main.of
	rep := &Report{
		Time: phase.Epoch().Add(time.Duration(s.End)).UTC(),
		What: what(s.Thread), Loop: s.Thread.String(), Phase: s.Longest().String(),
		Took: ms(s.Took()), Threshold: ms(r.threshold(s.Thread)),
		Phases: map[string]float64{}, Suppressed: r.suppressed,
	}
	rep.Engine, rep.several = r.name(e)
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
		of := ""
		if also[i].of != e {
			of, _ = r.name(also[i].of)
		}
		rep.Also = append(rep.Also, Other{of, what(o.Thread), o.Number, o.Longest().String(), ms(o.Took())})
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
	rep.Machine = r.machines.since(s.Start)
	rep.start, rep.end = s.Start, s.End
	r.judge(rep, &main, latency)
	rep.Frames, rep.Ticks = items(e, phase.Render, s.End), items(e, phase.Physics, s.End)
	return rep
}

func (r *Recorder) judge(rep *Report, main *late, latency float64) {
	s := &main.Span
	rep.Usual, rep.usualFrame = r.usual(main.of, s.Thread), r.usual(main.of, phase.Render)
	if u := s.Usage; u.Known {
		rep.Thread = &Thread{
			float64(u.CPU) / 1e6, float64(u.System) / 1e6, u.Faults, u.MajorFaults, u.Preempted, u.Blocked,
		}
	}
	e := &evidence{
		loop: s.Thread, phase: s.Longest(), lockstep: rep.Counters.After.Lockstep, took: rep.Took,
		work: s.Work, collector: rep.GC.Marking, assist: rep.GC.Assist, cycles: rep.GC.During, latency: latency,
		usage: s.Usage, machine: rep.Machine,
	}
	rep.Stacks = r.stacks[spanKey{main.of, s.Thread, s.Number}]
	for i := range rep.Stacks {
		st := &rep.Stacks[i]
		if s.Thread == phase.Render {
			st.entry(r.callers[main.of])
		}
		if st.Phase == rep.Phase { // the others tell nothing about it
			e.stacks = append(e.stacks, *st)
		}
	}
	if s.Thread == phase.Render {
		rep.GPU = r.gpu(main.of, s.Number)
		e.gpu = rep.GPU
	}
	e.inPhase = rep.Phases[rep.Phase]
	if e.phase == phase.Other {
		e.inPhase -= float64(s.PlannedSleep) / 1e6
		e.planned = float64(s.PlannedSleep) / 1e6
	}
	if s.Thread == phase.Physics {
		rep.Work, rep.Stages = new(Work(s.Work)), map[string]float64{}
		at, ns := s.LongestStage()
		e.stage, e.inStage = at, float64(ns)/1e6
		for stage, ns := range s.Stages {
			if took := float64(ns) / 1e6; phase.Stage(stage) != at && took > e.inSecond {
				e.second, e.inSecond = phase.Stage(stage), took
			}
			if ns > 0 {
				rep.Stages[phase.Stage(stage).String()] = ms(time.Duration(ns))
			}
		}
	}
	e.staged = len(rep.Stages) > 0
	rep.Suspects = e.suspects()
	rep.Suspect, rep.Why = rep.Suspects[0].Name, strings.Join(rep.Suspects[0].For, "; ")
	rep.Verdict = rep.sentence(e)
}

// gpu is what the graphics processor took for a frame, in milliseconds. A later
// frame knows.
func (r *Recorder) gpu(e Source, frame uint64) float64 {
	for _, s := range r.tape(e).Spans(phase.Render) {
		if s.GPU > 0 && s.GPUFrame == frame {
			return float64(s.GPU) / 1e6
		}
	}
	return 0
}

// usual is the median of what the last frames or steps took, in milliseconds.
func (r *Recorder) usual(e Source, t phase.Thread) float64 {
	list := r.tape(e).Spans(t)
	if len(list) == 0 {
		return 0
	}
	times := make([]float64, len(list))
	for i := range list {
		times[i] = ms(list[i].Took())
	}
	slices.Sort(times)
	return times[len(times)/2]
}

func (r *Recorder) runtime(rep *Report, s *phase.Span, before, now *sample) (latency float64) {
	milli := func(m goruntime.Metric) float64 { return now.runtime.Since(before.runtime, m) * 1e3 }
	g := &rep.GC
	g.Span = float64(now.at-before.at) / 1e9
	g.Cycles, g.Forced = now.runtime.Since(before.runtime, goruntime.Cycles), now.runtime.Since(before.runtime, goruntime.Forced)
	g.Assist, g.Mark = milli(goruntime.Assist), milli(goruntime.Mark)+milli(goruntime.IdleMark)
	g.Objects, g.Bytes = now.runtime.Since(before.runtime, goruntime.AllocObjects), now.runtime.Since(before.runtime, goruntime.AllocBytes)
	g.Live, g.Goal = now.runtime.Value(goruntime.HeapLive), now.runtime.Value(goruntime.HeapGoal)
	g.Pauses, g.Paused, g.Longest = now.runtime.Spread(before.runtime, goruntime.GCPauses)
	if g.Cycles > 0 {
		// A quarter of the processors mark; so a collection lasts that long.
		workers := max(now.runtime.Value(goruntime.MaxProcs)/4, 1)
		each := milli(goruntime.Mark)/workers/g.Cycles + g.Paused/g.Cycles
		g.During, g.Marking = collecting(s, collections(), each)
	}
	c := &rep.Scheduler
	c.MaxProcs, c.Goroutines, c.MutexWait = now.runtime.Value(goruntime.MaxProcs), now.runtime.Value(goruntime.Goroutines), milli(goruntime.MutexWait)
	c.Pauses, c.Paused, _ = now.runtime.Spread(before.runtime, goruntime.OtherPauses)
	_, _, c.Latency = now.runtime.Spread(before.runtime, goruntime.Latencies)
	return c.Latency
}

func items(e Source, l phase.Thread, end int64) []Item {
	list := []Item{}
	for _, s := range e.Spans(l, make([]phase.Span, 0, recent)) {
		list = append(list, Item{s.Number, ms(time.Duration(s.Start - end)), ms(s.Took())})
	}
	return list
}
