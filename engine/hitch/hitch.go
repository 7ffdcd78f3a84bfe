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
	"halfstep/engine/spans"
	"halfstep/internal/dumpfiles"
	"halfstep/internal/owner"
)

// Options of a Recorder. What is zero takes the default.
type Options struct {
	Dir       string        // where files go; made if it does not exist
	Threshold time.Duration // how long a frame may take, and a step without StepThreshold; required

	// StepThreshold is how long a step may take; 0 means Threshold.
	StepThreshold time.Duration

	Window   time.Duration // how much of the past a trace holds; 5 s
	Every    time.Duration // at least between two dumps; 5 s
	MaxDumps int           // kept in Dir; 20
	MaxBytes int64         // kept in Dir; 64 MiB

	// StartUp is how long after its first frame, and StartUpFrames how many
	// frames in, an engine is expected to be late; 750 ms and 20.
	StartUp       time.Duration
	StartUpFrames uint64

	// OnReport is told of each hitch that has been written, before OnDump, with the
	// path of its JSON file. It is called on the recorder's goroutine. If it is nil,
	// Logger is told the verdict.
	OnReport func(path string, r *Report)

	// OnDump is told of each dump, with the path of its JSON file, or of why
	// there is none. It is called on the recorder's goroutine and may be nil.
	OnDump func(path string, err error)

	// Logger is told what nobody else is. Nil means slog.Default.
	Logger *slog.Logger

	settle time.Duration // how long to wait for what belongs to a hitch
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

// What the names of our files end with.
const (
	traceSuffix    = ".trace"
	jsonSuffix     = ".json"
	pageSuffix     = ".html"
	perfettoSuffix = ".perfetto"
	boxSuffix      = ".rec"
)

// suffixes are those of the files of one hitch, which go together.
var suffixes = []string{traceSuffix, jsonSuffix, pageSuffix, perfettoSuffix, boxSuffix}

const traceBytes = 16 << 20 // of memory, for the trace

// Recorder waits for hitches. Make one with Start.
type Recorder struct {
	opts   Options
	folder dumpfiles.Folder
	late   chan lateSpan
	quit   chan struct{}
	done   chan struct{}
	once   sync.Once

	mu      sync.Mutex
	watched []Source
	names   map[Source]string // in reports
	closed  bool
	written []Written // the newest first

	// What follows belongs to the recorder's goroutine.
	pending    []late
	told       map[loop]lately // lately
	suppressed int             // since the last dump
	history    samples[sample]
	machines   machines
	tapes      map[Source]*spans.Tape
	stacks     map[spanKey][]Stack
	callers    map[Source][]string // of Frame, when a frame was last late
	stacksLeft int                 // until the next sample
	scratch    []Source
	failed     error // of a function of the user's

	callback atomic.Uint64 // the goroutine that calls such a function, or 0
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
	r := &Recorder{
		opts: o, late: make(chan lateSpan, 64),
		quit: make(chan struct{}), done: make(chan struct{}),
		folder: dumpfiles.Folder{
			Dir: o.Dir, Prefix: "hitch-", Suffixes: suffixes, MaxDumps: o.MaxDumps, MaxBytes: o.MaxBytes,
		},
	}
	r.init()
	go r.run()
	return r, nil
}

func (r *Recorder) init() {
	r.names, r.told = map[Source]string{}, map[loop]lately{}
	r.tapes, r.stacks, r.callers = map[Source]*spans.Tape{}, map[spanKey][]Stack{}, map[Source][]string{}
}

// Source is an engine.Trace, or another loop that tells as much of itself. Its methods
// are explained there. Any goroutine may call them.
type Source interface {
	spans.Source
	OnLate(frame, step time.Duration, f func(engine.Late))
	Busy(t phase.Thread) engine.Busy
	InjectedFaults() []fault.Injected
}

// Watch waits for steps and frames of e that are late. It takes the place of
// e.OnLate. After Close it does nothing. Any goroutine.
func (r *Recorder) Watch(e Source) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	if r.watched = append(r.watched, e); r.names[e] == "" {
		r.names[e] = r.nameFor(e)
	}
	e.OnLate(r.opts.Threshold, r.opts.StepThreshold, func(l engine.Late) { r.report(late{e, l}) })
}

// nameFor returns the engine's name, with a number if another has it.
func (r *Recorder) nameFor(e Source) string {
	name := e.Name()
	for n := 2; slices.ContainsFunc(r.watched, func(w Source) bool { return w != e && r.names[w] == name }); n++ {
		name = fmt.Sprintf("%s %d", e.Name(), n)
	}
	return name
}

// name is that of an engine in reports, and whether others are watched.
func (r *Recorder) name(e Source) (name string, others bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.names[e], len(r.watched) > 1
}

// Forget ends Watch. Any goroutine.
func (r *Recorder) Forget(e Source) {
	e.OnLate(0, 0, nil)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watched = slices.DeleteFunc(r.watched, func(w Source) bool { return w == e })
}

// engines returns the engines that are watched. The slice is valid until the next call.
func (r *Recorder) engines() []Source {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.scratch = append(r.scratch[:0], r.watched...)
	return r.scratch
}

type late struct {
	of Source
	engine.Late
}

// loop is the frames or the steps of an engine. What is told of one is no reason to leave
// out what another does.
type loop struct {
	of     Source
	thread phase.Thread
}

func (l *late) loop() loop { return loop{l.of, l.Span.Thread} }

// lately is that a loop was late lately.
type lately struct {
	quiet int64         // until then, ns since phase.Epoch
	worst time.Duration // that it took
}

type lateSpan struct {
	late
	callers [48]uintptr
}

// report is called by who was late. When the channel is full there is more
// than enough to report already.
func (r *Recorder) report(l late) {
	s := lateSpan{late: l}
	if l.Span.Thread == phase.Render { // its end is told within the next call of Frame
		runtime.Callers(2, s.callers[:])
	}
	select {
	case r.late <- s:
	default:
	}
}

// Written is a hitch that has been written to files.
type Written struct {
	Path    string // of the JSON file
	Engine  string
	Time    time.Time
	Start   int64 // of what was late, ns since phase.Epoch
	End     int64
	Verdict string
}

// Written returns the hitches since Start, the newest first, at most as many as are
// kept. The files of old ones may be gone. Any goroutine.
func (r *Recorder) Written() []Written {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.written)
}

// LeftOut is how many late frames and steps were only counted since the last hitch. It
// waits until the Recorder is closed.
func (r *Recorder) LeftOut() int {
	<-r.done
	return r.suppressed
}

// Close writes what is still to be written and stops. The error is that of the first
// call of OnReport or OnDump that panicked or ended its goroutine. After a panic the
// Recorder goes on; after an ended goroutine no hitch is reported. Any goroutine may
// call Close, but OnReport and OnDump may not: it would wait for them, so it panics
// there.
func (r *Recorder) Close() error {
	if id := r.callback.Load(); id != 0 && id == owner.ID(new(owner.Header)) {
		panic(errors.New("Close was called in OnReport or OnDump, and would wait for that function to return"))
	}
	r.once.Do(func() {
		r.mu.Lock()
		r.closed = true
		for _, e := range r.watched {
			e.OnLate(0, 0, nil)
		}
		r.mu.Unlock()
		close(r.quit)
		<-r.done
		r.opts.tracer.Stop()
	})
	return r.failed
}
