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

// Options configure a Recorder. A field that is zero has its default, which the comment of the
// field gives.
type Options struct {
	Dir       string        // the folder of the files; Start makes the folder if it does not exist
	Threshold time.Duration // the time that a frame may take; must be above 0

	// StepThreshold is the time that a step may take. The default is Threshold.
	StepThreshold time.Duration

	Window   time.Duration // the time that a trace covers; the default is 5 s
	Every    time.Duration // the least time between two reports; the default is 5 s
	MaxDumps int           // the greatest number of hitches with files in Dir; the default is 20
	MaxBytes int64         // the greatest number of bytes in Dir; the default is 64 MiB

	// A late step or frame is not reported in the time StartUp after an engine's first frame, or in
	// the first StartUpFrames frames of the engine. The defaults are 750 ms and 20.
	StartUp       time.Duration
	StartUpFrames uint64

	// OnReport is called on the recorder's goroutine. The parameter r is the report of a hitch. If
	// the report could not be written, r is nil and err says why. If OnReport is nil, Logger gets
	// the verdict or the error.
	OnReport func(r *Report, err error)

	// Logger is used if OnReport is nil. Nil means slog.Default.
	Logger *slog.Logger

	settle time.Duration // the time from the first late step or frame of a hitch to its report
	tracer tracer
}

// tracer is a trace.FlightRecorder, or a replacement in a test.
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

// All files of a hitch have the same name, with different suffixes.
const (
	traceSuffix = ".trace"
	jsonSuffix  = ".json"
	pageSuffix  = ".html"
	boxSuffix   = ".rec"
)

var suffixes = []string{traceSuffix, jsonSuffix, pageSuffix, boxSuffix}

const traceBytes = 16 << 20 // the size of the memory for the trace, in bytes

// Recorder watches engines, and writes a report about each hitch. Start makes a Recorder.
type Recorder struct {
	opts   Options
	folder dumpfiles.Folder
	late   chan late     // from the goroutines of the engines to the recorder's goroutine
	quit   chan struct{} // closed by Close
	done   chan struct{} // closed when the recorder's goroutine has ended
	once   sync.Once     // Close uses once

	mu      sync.Mutex
	watched []*watched
	closed  bool
	written []*Report // newest first

	// Only the recorder's goroutine uses the fields below, except callback.
	pending    []late // the late steps and frames of the next report
	atFirst    sample // the time and the state of the machine at the first report of pending; it has nothing else
	suppressed int    // the result of LeftOut
	history    history
	stacksLeft int   // the number of stacks that may be taken until the next sample
	failed     error // the first panic or exit of OnReport

	callback atomic.Uint64 // the goroutine that calls OnReport, or 0
}

// Start makes the folder, and starts the flight recorder and the recorder's goroutine. A process
// can have only one running flight recorder.
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

// Source is an engine.Trace, or a type of the program with the same methods. Any goroutine may call
// the methods.
type Source interface {
	Name() string
	Metrics() engine.Metrics
	Spans(t phase.Thread, dst []timing.Span) []timing.Span
	OnLate(frame, step time.Duration, f func(engine.Late))
	Busy(t phase.Thread) engine.Busy
	InjectedFaults() []fault.Injected
}

// watched is a watched engine. Only the recorder's goroutine uses the fields, except of and name.
type watched struct {
	of      Source
	name    string // the name of the engine in reports
	tape    *timeline.Tape
	callers []string // the stack of the call of Frame at the last late frame
	stacks  map[unit][]stackSeen

	reported [2]struct { // for each thread, data about its last report
		quietUntil int64         // the time until which a hitch gets a report only if it is much longer, in ns since timing.Epoch
		worst      time.Duration // the time of the longest step or frame in that report
	}
}

// unit is a step or a frame of an engine.
type unit struct {
	thread phase.Thread
	number uint64
}

// pastLength is the length of the tape of steps and frames, from which reports are made.
const pastLength = 30 * time.Second

// Watch makes the Recorder report late steps and frames of e. Watch replaces the function that was
// set with e.OnLate. After Close it does nothing. Any goroutine may call Watch.
func (r *Recorder) Watch(e Source) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	w := &watched{of: e, name: e.Name(), tape: timeline.NewTape(e, pastLength), stacks: map[unit][]stackSeen{}}
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

// Forget ends the reports about e. Any goroutine may call Forget.
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
	callers [48]uintptr // only for a frame: the stack of the call of Frame that has reported it
}

// report is called on the goroutine that was late. It drops l if the channel is full.
func (r *Recorder) report(l late) {
	if l.Span.Thread == phase.Render { // a frame ends in the next call of Frame, which also reports it
		runtime.Callers(2, l.callers[:])
	}
	select {
	case r.late <- l:
	default:
	}
}

// Written returns the reports since Start, newest first, but not the oldest if there are many. The
// files of old reports may have been removed. Any goroutine may call Written.
func (r *Recorder) Written() []*Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.written)
}

// LeftOut returns the number of late frames and steps since the last report that are in no report.
// It waits until the Recorder is closed.
func (r *Recorder) LeftOut() int {
	<-r.done
	return r.suppressed
}

// Close writes the report of a pending hitch and ends the Recorder. The error is not nil if a call
// of OnReport has panicked or has called runtime.Goexit. After a panic the Recorder still reports
// hitches, and after runtime.Goexit it reports no more hitches. Any goroutine may call Close. If
// OnReport calls Close, Close panics, because it would wait for OnReport.
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
