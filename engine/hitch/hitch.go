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

// Options configure a Recorder. Fields that are zero have their default, which the
// comments give.
type Options struct {
	Dir       string        // the folder of the files; made if it does not exist
	Threshold time.Duration // how long a frame may take, and also a step if StepThreshold is 0; must be set

	// StepThreshold is how long a step may take; 0 means Threshold.
	StepThreshold time.Duration

	Window   time.Duration // how much of the past a trace covers; 5 s
	Every    time.Duration // the least time between two reports; 5 s
	MaxDumps int           // kept in Dir; 20
	MaxBytes int64         // the greatest number of bytes in Dir; 64 MiB

	// StartUp is a time after an engine's first frame, and StartUpFrames a number of its first
	// frames. Late frames in this time, or with these numbers, are not reported. The defaults
	// are 750 ms and 20.
	StartUp       time.Duration
	StartUpFrames uint64

	// OnReport is called on the recorder's goroutine. It gets the report of each hitch, or nil
	// and an error if the report could not be written. If OnReport is nil, Logger gets the
	// verdict or the error.
	OnReport func(r *Report, err error)

	// Logger is used if OnReport is nil. Nil means slog.Default.
	Logger *slog.Logger

	settle time.Duration // how long to wait for further late steps and frames of a hitch
	tracer tracer
}

// tracer is a trace.FlightRecorder, or a test's replacement.
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

const traceBytes = 16 << 20 // size of the memory for the trace, bytes

// Recorder waits for hitches of the engines that it watches, and writes a report about
// each hitch. Start makes a Recorder.
type Recorder struct {
	opts   Options
	folder dumpfiles.Folder
	late   chan late     // from the engines' goroutines to the recorder's goroutine
	quit   chan struct{} // closed by Close
	done   chan struct{} // closed when the recorder's goroutine has ended
	once   sync.Once     // for Close

	mu      sync.Mutex
	watched []*watched
	closed  bool
	written []*Report // the newest first

	// The other fields belong to the recorder's goroutine.
	pending    []late // the late steps and frames of the next report
	atFirst    sample // time and state of the machine when the first element of pending was reported; other fields are empty
	suppressed int    // the number of late steps and frames since the last report that are in no report
	history    history
	stacksLeft int   // the number of stacks that may be taken until the next sample
	failed     error // the first panic or exit of OnReport

	callback atomic.Uint64 // the goroutine that calls OnReport, or 0
}

// Start makes the folder and starts the flight recorder, of which a process can run only
// one. Then it waits for hitches.
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

// Source is an engine.Trace, which documents the methods, or another loop with the same
// methods. Any goroutine may call them.
type Source interface {
	Name() string
	Metrics() engine.Metrics
	Spans(t phase.Thread, dst []timing.Span) []timing.Span
	OnLate(frame, step time.Duration, f func(engine.Late))
	Busy(t phase.Thread) engine.Busy
	InjectedFaults() []fault.Injected
}

// watched is a watched engine. All fields except of and name belong to the recorder's
// goroutine.
type watched struct {
	of      Source
	name    string // in reports
	tape    *timeline.Tape
	callers []string // the stack of the call of Frame at the last late frame
	stacks  map[unit][]stackSeen

	reported [2]struct { // by thread: the last report
		quietUntil int64         // until this time only a much worse hitch is reported; ns since timing.Epoch
		worst      time.Duration // the longest step or frame in that report
	}
}

// unit is a step or a frame of an engine.
type unit struct {
	thread phase.Thread
	number uint64
}

// pastLength is the length of the past in a report.
const pastLength = 30 * time.Second

// Watch makes the Recorder report late steps and frames of e. It replaces the function
// that was set with e.OnLate. After Close it does nothing. Any goroutine may call Watch.
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

// Forget ends what Watch began. Any goroutine may call it.
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
	callers [48]uintptr // for a frame: the stack of the call of Frame that has reported the frame
}

// report is called on the goroutine that was late. If the channel is full, l is dropped,
// because there is enough to report already.
func (r *Recorder) report(l late) {
	if l.Span.Thread == phase.Render { // a frame ends in the next call of Frame, which also reports it
		runtime.Callers(2, l.callers[:])
	}
	select {
	case r.late <- l:
	default:
	}
}

// Written returns the hitches since Start, newest first, but not more than the Recorder
// remembers. The files of old hitches may have been removed. Any goroutine may call
// Written.
func (r *Recorder) Written() []*Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.written)
}

// LeftOut is the number of late frames and steps since the last report that were only
// counted. It waits until the Recorder is closed.
func (r *Recorder) LeftOut() int {
	<-r.done
	return r.suppressed
}

// Close writes the last report, if one is due, and stops. The error is about the first
// call of OnReport that has panicked or has ended its goroutine. After a panic in OnReport
// the Recorder still reports hitches, and after the end of its goroutine it does not. Any
// goroutine may call Close. OnReport must not call it: Close would wait for OnReport, so
// it panics.
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
