package hitch

import (
	"slices"
	"time"

	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/internal/goruntime"
	"halfstep/internal/timeline"
	"halfstep/internal/timing"
)

// Report says what was late and why. Times are in ms, unless the comment of a field says otherwise.
// The JSON file of a Report also has the evidence.
type Report struct {
	Time      time.Time `json:"time"` // the time at which the late step or frame ended
	Engine    string    `json:"engine"`
	What      string    `json:"what"` // "physics step" or "render frame"
	Tick      uint64    `json:"tick"` // the tick to which the step leads, or the tick that the frame shows
	Frame     *uint64   `json:"frame,omitempty"`
	Took      float64   `json:"took_ms"`
	Threshold float64   `json:"threshold_ms"`
	// Usual is the median of the times of the last frames or steps, in ms.
	Usual float64 `json:"usual_ms"`

	// Verdict is a sentence that says what was late and why. Suspects are all possible causes, the
	// most likely first.
	Verdict  string    `json:"verdict"`
	Suspects []Suspect `json:"suspects"`
	// Suspect is gc, physics, drawing, driver, events, lockstep, scheduler, waiting (for example
	// for a lock), memory (page faults), processor (used by other programs), gpu or outside (in no
	// phase, or unknown). Why is the evidence for the suspect.
	Suspect string `json:"suspect"`
	Why     string `json:"why"`

	// Also lists all late steps and frames of the hitch except the one of the report.
	Also     []Other  `json:"also_late,omitempty"`
	Injected []string `json:"injected,omitempty"` // faults of engine.Testing.Faults in that time
	// Suppressed is the number of late steps and frames since the last report that got no report.
	Suppressed int `json:"suppressed"`

	Page     string `json:"page,omitempty"`      // the name of the HTML file; Page, Trace and BlackBox are in the folder of the JSON file
	Trace    string `json:"trace,omitempty"`     // the name of the file with the execution trace
	BlackBox string `json:"black_box,omitempty"` // the name of a recording of the last seconds, see engine.BlackBoxOptions

	start, end int64  // in ns since timing.Epoch; 0 in a report that was read from a file
	path       string // the path of the JSON file
}

// Start returns the time at which the late step or frame began, in ns since timing.Epoch, or 0 for
// a report that was read from a file.
func (r *Report) Start() int64 { return r.start }

// End returns the time at which the late step or frame ended, in ns since timing.Epoch, or 0 for a
// report that was read from a file.
func (r *Report) End() int64 { return r.end }

// Path returns the path of the report's JSON file. All files of the hitch are in the same folder.
func (r *Report) Path() string { return r.path }

// report is the content of the JSON file: a Report and the evidence for it.
type report struct {
	Report
	Loop  string `json:"loop"`  // physics or render
	Phase string `json:"phase"` // the phase that took most of the time

	Phases map[string]float64 `json:"phases_ms"`
	// Stages has the times of the stages of the phase Step in ms, if the solver reports stages.
	Stages  map[string]float64 `json:"stages_ms,omitempty"`
	Work    *timing.Work       `json:"work,omitempty"` // the work of the step; nil for a frame
	Thread  *threadTime        `json:"thread,omitempty"`
	Stacks  []stackSeen        `json:"stacks,omitempty"`
	Machine machineLoad        `json:"machine"`
	// GPU is the time for which the graphics processor worked on the frame, in ms; 0 if unknown.
	GPU float64 `json:"gpu_ms,omitempty"`

	GC        gcWork         `json:"gc"`
	Scheduler schedulerWork  `json:"scheduler"`
	Counters  countersAround `json:"counters"`

	TraceError    string `json:"trace_error,omitempty"`
	BlackBoxError string `json:"black_box_error,omitempty"`

	usualFrame float64     // the median of the times of the last frames, in ms
	several    bool        // true if more than one engine is watched
	span       timing.Span // the late step or frame
}

// threadTime has the timing.Usage of the thread in the late step or frame, with times in ms. It is
// known only on Linux, and is unknown for a step whose goroutine waited.
type threadTime struct {
	Ran         float64 `json:"ran_ms"`
	Kernel      float64 `json:"kernel_ms"` // the part of Ran in the kernel
	Faults      uint32  `json:"page_faults"`
	MajorFaults uint32  `json:"major_page_faults"`
	Preempted   uint32  `json:"preempted"`
	Blocked     uint32  `json:"blocked"`
}

// Other is a late step or frame of the hitch, in Report.Also. Its time is in ms.
type Other struct {
	Engine string  `json:"engine,omitempty"` // empty if it is the engine of the report
	What   string  `json:"what"`
	Number uint64  `json:"number"`
	Phase  string  `json:"phase"`
	Took   float64 `json:"took_ms"`
}

// gcWork is the work of the garbage collector in a time of Span seconds, from a sample before the
// hitch until the report. During and Marking are only about the late step or frame.
type gcWork struct {
	Span    float64 `json:"seconds"`
	During  int     `json:"cycles_during"`     // collections that overlap the late step or frame
	Marking float64 `json:"marking_during_ms"` // estimated marking time during the late step or frame
	Cycles  float64 `json:"cycles"`
	Forced  float64 `json:"forced"`
	Pauses  uint64  `json:"pauses"`
	Paused  float64 `json:"paused_ms"` // an estimate
	Longest float64 `json:"longest_pause_ms"`
	Assist  float64 `json:"assist_cpu_ms"`
	Mark    float64 `json:"mark_cpu_ms"` // the sum of dedicated and idle marking
	Objects float64 `json:"allocated_objects"`
	Bytes   float64 `json:"allocated_bytes"`
	Live    float64 `json:"heap_live_bytes"`
	Goal    float64 `json:"heap_goal_bytes"`
}

// schedulerWork describes the work of the scheduler in the time of gcWork. Times are in ms.
type schedulerWork struct {
	MaxProcs   float64 `json:"gomaxprocs"`
	Goroutines float64 `json:"goroutines"`
	// Latency is the longest time for which a goroutine that could run waited for a processor.
	Latency   float64 `json:"longest_latency_ms"`
	MutexWait float64 `json:"mutex_wait_ms"` // a sum over all goroutines, from samples
	Pauses    uint64  `json:"other_pauses"`  // the number of pauses of all goroutines that are not caused by the collector
	Paused    float64 `json:"other_paused_ms"`
}

// countersAround are the engine's metrics before and after the hitch.
type countersAround struct {
	Seconds float64        `json:"seconds"` // the time between the two Metrics, in s
	Before  engine.Metrics `json:"before"`
	After   engine.Metrics `json:"after"`
}

func (r *Recorder) threshold(t phase.Thread) time.Duration {
	if t == phase.Physics {
		return r.opts.StepThreshold
	}
	return r.opts.Threshold
}

// what returns "physics step" or "render frame".
func what(l phase.Thread) string {
	if l == phase.Render {
		return "render frame"
	}
	return "physics step"
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }

// describe makes the report about the late step or frame main. The list also has the rest of the
// late steps and frames of the hitch.
func (r *Recorder) describe(main *late, also []late) *report {
	s, w := main.Span, main.by
	var now sample
	r.fill(&now)
	before := r.history.before(s.Start)
	rep := &report{
		Report: Report{
			Time: timing.Epoch().Add(time.Duration(s.End)).UTC(), Engine: w.name, What: what(s.Thread), Tick: s.Number,
			Took: ms(s.Took()), Threshold: ms(r.threshold(s.Thread)), Usual: usual(w.tape.Spans(s.Thread)),
			Suppressed: r.suppressed, start: s.Start, end: s.End,
		},
		Loop: s.Thread.String(), Phase: s.Longest().String(), several: len(now.metrics) > 1, usualFrame: usual(w.tape.Spans(phase.Render)),
		Phases: map[string]float64{}, Stages: map[string]float64{}, Stacks: w.stacks[unit{s.Thread, s.Number}],
		GC: before.collectorUntil(&now, &s), Scheduler: before.schedulerUntil(&now), Machine: before.machineUntil(&r.atFirst),
		Counters: countersAround{float64(now.at-before.at) / 1e9, before.metrics[w], w.of.Metrics()},
		span:     s,
	}
	for part := range timeline.Parts(&s) {
		in := rep.Phases
		if part.Stage != timing.NoStage {
			in = rep.Stages
		}
		in[part.String()] = ms(time.Duration(part.Took))
	}
	if u := s.Usage; u.Known {
		rep.Thread = &threadTime{
			float64(u.CPU) / 1e6, float64(u.System) / 1e6, u.Faults, u.MajorFaults, u.Preempted, u.Blocked,
		}
	}
	if s.Thread == phase.Physics {
		rep.Work = &s.Work
	} else {
		rep.Frame, rep.Tick, rep.GPU = &s.Number, s.Tick, w.gpu(s.Number)
		for i := range rep.Stacks {
			rep.Stacks[i].entry(w.callers)
		}
	}
	for i := range also {
		o, name := &also[i].Span, ""
		if also[i].by != w {
			name = also[i].by.name
		}
		rep.Also = append(rep.Also, Other{name, what(o.Thread), o.Number, o.Longest().String(), ms(o.Took())})
	}
	for _, i := range w.of.InjectedFaults() {
		if at := nanos(i.Began); at <= s.End && at >= s.Start-int64(r.opts.settle) {
			rep.Injected = append(rep.Injected, i.Fault.String())
		}
	}
	rep.judge()
	return rep
}

// gpu returns the time for which the graphics processor worked on a frame, in ms; 0 if unknown. The
// span of a later frame has this time.
func (w *watched) gpu(frame uint64) float64 {
	for _, s := range w.tape.Spans(phase.Render) {
		if s.GPU > 0 && s.GPUFrame == frame {
			return float64(s.GPU) / 1e6
		}
	}
	return 0
}

// usual returns the median time of steps or frames, in ms.
func usual(list []timing.Span) float64 {
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

// collectorUntil returns the work of the garbage collector between the samples a and b, and during
// a span.
func (a *sample) collectorUntil(b *sample, during *timing.Span) gcWork {
	since := func(m goruntime.Metric) float64 { return b.runtime.Since(a.runtime, m) }
	g := gcWork{
		Span: float64(b.at-a.at) / 1e9, Cycles: since(goruntime.Cycles), Forced: since(goruntime.Forced),
		Assist: 1e3 * since(goruntime.Assist), Mark: 1e3 * (since(goruntime.Mark) + since(goruntime.IdleMark)),
		Objects: since(goruntime.AllocObjects), Bytes: since(goruntime.AllocBytes),
		Live: b.runtime.Value(goruntime.HeapLive), Goal: b.runtime.Value(goruntime.HeapGoal),
	}
	g.Pauses, g.Paused, g.Longest = b.runtime.Spread(a.runtime, goruntime.GCPauses)
	if g.Cycles > 0 {
		// a quarter of the processors mark, so this is the time of each collection, in ms
		workers := max(b.runtime.Value(goruntime.MaxProcs)/4, 1)
		each := 1e3*since(goruntime.Mark)/workers/g.Cycles + g.Paused/g.Cycles
		g.During, g.Marking = collecting(during, collections(), each)
	}
	return g
}

// collecting estimates how long the collector marked during a span, in ms, and returns the number
// of collections during the span. The parameter ends has the times at which collections ended, in
// ns since timing.Epoch, and mark is the marking time of each collection, in ms.
func collecting(s *timing.Span, ends []int64, mark float64) (cycles int, ms float64) {
	long := int64(mark * 1e6)
	for _, end := range ends {
		from, to := max(end-long, s.Start), min(end, s.End)
		if end >= s.Start && end-long <= s.End {
			cycles++
			ms += float64(max(to-from, 0)) / 1e6
		}
	}
	return cycles, min(ms, s.Took().Seconds()*1e3)
}

// schedulerUntil returns the work of the scheduler between the samples a and b.
func (a *sample) schedulerUntil(b *sample) (c schedulerWork) {
	c.MaxProcs, c.Goroutines = b.runtime.Value(goruntime.MaxProcs), b.runtime.Value(goruntime.Goroutines)
	c.MutexWait = 1e3 * b.runtime.Since(a.runtime, goruntime.MutexWait)
	c.Pauses, c.Paused, _ = b.runtime.Spread(a.runtime, goruntime.OtherPauses)
	_, _, c.Latency = b.runtime.Spread(a.runtime, goruntime.Latencies)
	return c
}
