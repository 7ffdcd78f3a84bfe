package spans

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"

	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/internal/timeline"
)

// Writer writes a trace in Chrome's trace event format: each engine is a process,
// its threads are "render", "physics", "hitches" and "GPU". One goroutine at a time may
// use it. It keeps the first error, which Close returns.
//
// An engine knows the total time of a phase, and not when it ran: a step or frame may enter a
// phase more than once. So its phases are drawn one after the other, in their usual order.
type Writer struct {
	w       *bufio.Writer
	err     error
	some    bool                // an event has been written, so the next one follows a comma
	engines map[string]*process // by name
	flows   uint64              // flows (from a step to the frame that shows it) so far
}

// guarded turns a panic of a writer into an error, so that it does not end the program.
type guarded struct{ to io.Writer }

func (g guarded) Write(b []byte) (n int, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the writer panicked: %v", v)
		}
	}()
	return g.to.Write(b)
}

// process is an engine in the trace.
type process struct {
	pid    int
	ends   [1024]moment // ends of the last steps, by tick: a later frame can be joined to them
	starts [16]moment   // starts of the last frames, by number
	gpu    int64        // the end of the last slice of the GPU thread, ns since phase.Epoch
}

// moment is when a step or a frame of that number began or ended.
type moment struct {
	number uint64
	at     int64
}

// The threads of a process.
const (
	renderThread = iota + 1
	physicsThread
	hitchThread
	gpuThread
)

// NewWriter begins a trace.
func NewWriter(w io.Writer) *Writer {
	t := &Writer{w: bufio.NewWriter(guarded{w}), engines: map[string]*process{}}
	t.print(`{"displayTimeUnit":"ms","traceEvents":[`)
	return t
}

// event is an event of the format. Times are in microseconds.
type event struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	Ph    string         `json:"ph"`
	Ts    float64        `json:"ts"`
	Dur   *float64       `json:"dur,omitempty"`
	Pid   int            `json:"pid"`
	Tid   int            `json:"tid"`
	ID    uint64         `json:"id,omitempty"`
	Bp    string         `json:"bp,omitempty"` // where a flow ends: "e", in the slice that encloses it
	Scope string         `json:"s,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

func (t *Writer) print(s string) { _, _ = t.w.WriteString(s) } // Flush returns its error

func (t *Writer) emit(e event) {
	data, err := json.Marshal(e)
	t.err = cmp.Or(t.err, err)
	if t.some {
		t.print(",")
	}
	t.some = true
	t.print("\n" + string(data))
}

// engine is the process of an engine, which it describes in the trace the first time.
func (t *Writer) engine(name string) *process {
	p := t.engines[name]
	if p != nil {
		return p
	}
	p = &process{pid: len(t.engines) + 1}
	t.engines[name] = p
	t.emit(event{Name: "process_name", Ph: "M", Pid: p.pid, Args: map[string]any{"name": "halfstep: " + name}})
	for i, thread := range []string{"render", "physics", "hitches", "GPU"} {
		tid := i + renderThread
		t.emit(event{Name: "thread_name", Ph: "M", Pid: p.pid, Tid: tid, Args: map[string]any{"name": thread}})
		t.emit(event{Name: "thread_sort_index", Ph: "M", Pid: p.pid, Tid: tid, Args: map[string]any{"sort_index": tid}})
	}
	return p
}

func micros(ns int64) float64 { return float64(ns) / 1e3 }

// slice writes something that lasted so many ns.
func (t *Writer) slice(p *process, tid int, name, cat string, from, ns int64, args map[string]any) {
	t.emit(event{Name: name, Cat: cat, Ph: "X", Ts: micros(from), Dur: new(micros(ns)), Pid: p.pid, Tid: tid, Args: args})
}

// Span writes a step or a frame of an engine, with its phases and stages. Steps
// must come before the frames that show them: such a pair is joined by a flow.
func (t *Writer) Span(engine string, s *phase.Span) {
	p := t.engine(engine)
	if s.Thread == phase.Physics {
		t.step(p, s)
	} else {
		t.frame(p, s)
	}
}

func (t *Writer) step(p *process, s *phase.Span) {
	args := map[string]any{"tick": s.Number}
	if w := s.Work; w.Bodies > 0 {
		args["bodies"], args["contacts"] = w.Bodies, w.Contacts
		args["islands"], args["largest island"] = w.Islands, w.Largest
		args["commands"] = w.Commands
	}
	use(args, s)
	t.slice(p, physicsThread, fmt.Sprintf("tick %d", s.Number), "step", s.Start, s.End-s.Start, args)
	t.phases(p, physicsThread, s)
	p.ends[s.Number%uint64(len(p.ends))] = moment{s.Number, s.End}
}

func (t *Writer) frame(p *process, s *phase.Span) {
	args := map[string]any{"frame": s.Number, "tick": s.Tick, "planned sleep ms": float64(s.PlannedSleep) / 1e6}
	use(args, s)
	t.slice(p, renderThread, fmt.Sprintf("frame %d", s.Number), "frame", s.Start, s.End-s.Start, args)
	t.phases(p, renderThread, s)
	t.graphics(p, s)
	end := p.ends[s.Tick%uint64(len(p.ends))]
	if !s.Fresh || end.number != s.Tick || end.at == 0 {
		return
	}
	t.flows++
	name := fmt.Sprintf("tick %d is shown", s.Tick)
	// Both ends must be within their slices.
	from, to := micros(end.at-1), micros(max(s.Start+1, end.at))
	t.emit(event{Name: name, Cat: "tick", Ph: "s", Ts: from, Pid: p.pid, Tid: physicsThread, ID: t.flows})
	t.emit(event{Name: name, Cat: "tick", Ph: "f", Bp: "e", Ts: to, Pid: p.pid, Tid: renderThread, ID: t.flows})
}

// graphics writes how long the graphics processor worked on an earlier frame. When it did is not
// known; the slice is drawn from the start of that frame on, or after the slice before.
func (t *Writer) graphics(p *process, s *phase.Span) {
	p.starts[s.Number%uint64(len(p.starts))] = moment{s.Number, s.Start}
	of := p.starts[s.GPUFrame%uint64(len(p.starts))]
	if s.GPU <= 0 || of.number != s.GPUFrame {
		return
	}
	from := max(of.at, p.gpu)
	p.gpu = from + s.GPU
	t.slice(p, gpuThread, fmt.Sprintf("frame %d", s.GPUFrame), "gpu", from, s.GPU, nil)
}

// use adds the processor time of the thread and the like, if the system tells them.
func use(args map[string]any, s *phase.Span) {
	if u := s.Usage; u.Known {
		args["processor ms"], args["page faults"] = float64(u.CPU)/1e6, u.Faults
		args["preempted"], args["blocked"] = u.Preempted, u.Blocked
	}
}

func (t *Writer) phases(p *process, tid int, s *phase.Span) {
	for part := range timeline.Parts(s) {
		switch {
		case part.Stage != phase.NoStage:
			t.slice(p, tid, part.String(), "stage", part.From, part.Took, nil)
		case part.Phase != phase.Other: // phase.Other is left blank in the slice of the step or frame
			t.slice(p, tid, part.String(), "phase", part.From, part.Took, nil)
		}
	}
}

func (t *Writer) counter(engine, name string, at int64, values map[string]any) {
	t.emit(event{Name: name, Ph: "C", Ts: micros(at), Pid: t.engine(engine).pid, Args: values})
}

// Metrics writes some of an engine's counters, at a time in ns since phase.Epoch.
func (t *Writer) Metrics(name string, at int64, m *engine.Metrics) {
	t.counter(name, "world", at, map[string]any{"bodies": m.Bodies, "contacts": m.Contacts})
	t.counter(name, "backlog", at, map[string]any{"ticks": m.Backlog})
	t.counter(name, "held frames", at, map[string]any{"frames": m.HeldFrames})
}

// Hitch writes a hitch: from when to when a step or frame was late, in ns since phase.Epoch, and
// why.
func (t *Writer) Hitch(engine string, from, to int64, why string) {
	p := t.engine(engine)
	t.slice(p, hitchThread, why, "hitch", from, to-from, nil)
	t.emit(event{Name: "hitch", Cat: "hitch", Ph: "i", Scope: "g", Ts: micros(from), Pid: p.pid, Tid: hitchThread, Args: map[string]any{"why": why}})
}

// Close ends the trace and returns the first error. It does not close the file.
func (t *Writer) Close() error {
	t.print("\n]}\n")
	t.err = cmp.Or(t.w.Flush(), t.err)
	return t.err
}
