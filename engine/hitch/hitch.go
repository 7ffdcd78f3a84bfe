package hitch

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"runtime/trace"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/engine/fault"
	"halfstep/internal/dumpfiles"
	"halfstep/internal/owner"
	"halfstep/internal/timeline"
	"halfstep/internal/timing"
)

// Options of a Recorder. Fields that are zero take their defaults.
type Options struct {
	Dir       string        // where files go; made if it does not exist
	Threshold time.Duration // how long a frame may take; also a step, if StepThreshold is 0; required

	// StepThreshold is how long a step may take; 0 means Threshold.
	StepThreshold time.Duration

	Window   time.Duration // how much of the past a trace holds; 5 s
	Every    time.Duration // the least time between two dumps; 5 s
	MaxDumps int           // kept in Dir; 20
	MaxBytes int64         // kept in Dir; 64 MiB

	// StartUp is the time after an engine's first frame, and StartUpFrames the
	// number of its first frames, in which late frames are not reported; 750 ms
	// and 20.
	StartUp       time.Duration
	StartUpFrames uint64

	// OnReport is called, on the recorder's goroutine, with the report of each hitch, or
	// with nil and the error that kept it from being written. If OnReport is nil, Logger
	// gets the verdict or the error.
	OnReport func(r *Report, err error)

	// Logger is used if OnReport is nil. Nil means slog.Default.
	Logger *slog.Logger

	settle time.Duration // how long to wait for further late steps and frames of a hitch
	tracer tracer
}

// tracer is a trace.FlightRecorder, or a test's stand-in.
type tracer interface {
	Start() error
	WriteTo(w io.Writer) (int64, error)
	Stop()
}

func (o *Options) defaults() error {
	if o.Dir == "" {
		return errors.New("hitch: no directory")
	}
	if o.Threshold <= 0 {
		return fmt.Errorf("hitch: a threshold of %v is not above 0", o.Threshold)
	}
	if o.StepThreshold < 0 {
		return fmt.Errorf("hitch: a threshold of %v for steps is below 0", o.StepThreshold)
	}
	o.StepThreshold, o.Logger = cmp.Or(o.StepThreshold, o.Threshold), cmp.Or(o.Logger, slog.Default())
	o.Window, o.Every = cmp.Or(max(o.Window, 0), 5*time.Second), cmp.Or(max(o.Every, 0), 5*time.Second)
	o.StartUp, o.settle = cmp.Or(max(o.StartUp, 0), 750*time.Millisecond), cmp.Or(o.settle, 150*time.Millisecond)
	o.StartUpFrames = cmp.Or(o.StartUpFrames, 20)
	o.MaxDumps, o.MaxBytes = cmp.Or(max(o.MaxDumps, 0), 20), cmp.Or(max(o.MaxBytes, 0), 64<<20)
	if o.tracer == nil {
		o.tracer = trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: o.Window, MaxBytes: traceBytes})
	}
	return nil
}

// The files of one hitch have the same name with these suffixes.
const (
	traceSuffix = ".trace"
	jsonSuffix  = ".json"
	pageSuffix  = ".html"
	boxSuffix   = ".rec"
)

var suffixes = []string{traceSuffix, jsonSuffix, pageSuffix, boxSuffix}

const traceBytes = 16 << 20 // bytes of memory for the trace

// Recorder waits for hitches of the engines that it watches, and writes a report of each.
// Start makes one.
type Recorder struct {
	opts   Options
	folder dumpfiles.Folder
	late   chan late     // from the engines' goroutines to the recorder's
	quit   chan struct{} // closed by Close
	done   chan struct{} // closed when the recorder's goroutine has ended
	once   sync.Once     // for Close

	mu      sync.Mutex
	watched []*watched
	closed  bool
	written []*Report // the newest first

	// The other fields belong to the recorder's goroutine.
	pending    []late // the late steps and frames of the next report
	atFirst    sample // the time and the machine state when the first of pending was reported; other fields are empty
	suppressed int    // late steps and frames since the last report that are not in a report
	history    history
	stacksLeft int   // how many stacks may be taken until the next sample
	failed     error // the first panic or exit of OnReport

	callback atomic.Uint64 // the goroutine that calls OnReport, or 0
}

// Start makes the directory, starts the flight recorder, of which a process can
// run one at a time, and waits for hitches.
func Start(o Options) (*Recorder, error) {
	if err := o.defaults(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("hitch: %w", err)
	}
	if err := o.tracer.Start(); err != nil {
		return nil, fmt.Errorf("hitch: %w", err)
	}
	r := newRecorder(o)
	go r.run()
	return r, nil
}

func newRecorder(o Options) *Recorder {
	return &Recorder{
		opts: o, late: make(chan late, 64), quit: make(chan struct{}), done: make(chan struct{}),
		folder: dumpfiles.Folder{
			Dir: o.Dir, Prefix: "hitch-", Suffixes: suffixes, MaxDumps: o.MaxDumps, MaxBytes: o.MaxBytes,
		},
	}
}

// Source is an engine.Trace, which documents the methods, or another loop that has them.
// Any goroutine may call them.
type Source interface {
	Name() string
	Metrics() engine.Metrics
	Spans(t phase.Thread, dst []timing.Span) []timing.Span
	OnLate(frame, step time.Duration, f func(engine.Late))
	Busy(t phase.Thread) engine.Busy
	InjectedFaults() []fault.Injected
}

// watched is a watched engine. All fields but of and name belong to the recorder's
// goroutine.
type watched struct {
	of      Source
	name    string // in reports
	tape    *timeline.Tape
	callers []string // the stack of the call of Frame when a frame was last late
	stacks  map[unit][]stackSeen

	reported [2]struct { // by thread: the last report
		quietUntil int64         // until then, only a much worse hitch is reported; ns since timing.Epoch
		worst      time.Duration // the longest step or frame of that report
	}
}

// unit is a step or a frame of an engine.
type unit struct {
	thread phase.Thread
	number uint64
}

// taped is the length of the past in a report.
const taped = 30 * time.Second

// Watch makes the Recorder report late steps and frames of e. It replaces the
// function set by e.OnLate. After Close it does nothing. Any goroutine may
// call it.
func (r *Recorder) Watch(e Source) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	w := &watched{of: e, name: e.Name(), tape: timeline.NewTape(e, taped), stacks: map[unit][]stackSeen{}}
	taken := func(o *watched) bool { return o.name == w.name }
	for n := 2; slices.ContainsFunc(r.watched, taken); n++ {
		w.name = fmt.Sprintf("%s %d", e.Name(), n)
	}
	if i := slices.IndexFunc(r.watched, func(o *watched) bool { return o.of == e }); i >= 0 {
		w = r.watched[i]
	} else {
		r.watched = append(r.watched, w)
	}
	e.OnLate(r.opts.Threshold, r.opts.StepThreshold, func(l engine.Late) { r.report(late{by: w, Late: l}) })
}

// Forget ends Watch. Any goroutine.
func (r *Recorder) Forget(e Source) {
	e.OnLate(0, 0, nil)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watched = slices.DeleteFunc(r.watched, func(w *watched) bool { return w.of == e })
}

// engines returns the watched engines.
func (r *Recorder) engines() []*watched {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.watched)
}

// late is a late step or frame.
type late struct {
	by *watched
	engine.Late
	callers [48]uintptr // of a frame: the stack of the call of Frame that reported it
}

// report is called on the late goroutine. When the channel is full, l is dropped: there is
// enough to report already.
func (r *Recorder) report(l late) {
	if l.Span.Thread == phase.Render { // a frame ends, and is reported, in the next call of Frame
		runtime.Callers(2, l.callers[:])
	}
	select {
	case r.late <- l:
	default:
	}
}

// Written returns the hitches since Start, newest first, at most as many as are
// kept. The files of old ones may be removed. Any goroutine may call it.
func (r *Recorder) Written() []*Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.written)
}

// LeftOut is the number of late frames and steps since the last hitch that were
// counted and not reported. It waits until the Recorder is closed.
func (r *Recorder) LeftOut() int {
	<-r.done
	return r.suppressed
}

// Close writes the last report, if one is due, and stops. Its error is from the first
// call of OnReport that panicked or ended its goroutine. After a panic in OnReport the
// Recorder goes on; after the end of its goroutine it reports no more hitches. Any
// goroutine may call Close, but OnReport may not: Close would wait for it, so it panics
// there.
func (r *Recorder) Close() error {
	if id := r.callback.Load(); id != 0 && id == owner.ID(new(owner.Header)) {
		panic(errors.New("Close was called in OnReport, and would wait for that function to return"))
	}
	r.once.Do(func() {
		r.mu.Lock()
		r.closed = true
		for _, w := range r.watched {
			w.of.OnLate(0, 0, nil)
		}
		r.mu.Unlock()
		close(r.quit)
		<-r.done
		r.opts.tracer.Stop()
	})
	return r.failed
}
