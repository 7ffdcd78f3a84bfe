package spans

import (
	"context"
	"io"
	"runtime/pprof"
	"slices"
	"sync"
	"time"

	"halfstep/buffer/phase"
)

// Recording writes the spans, counters and hitches of engines while they run. Make
// one with Record. The methods of a nil Recording do nothing.
type Recording struct {
	mu    sync.Mutex // guards what follows
	tapes []*Tape    // of the engines that it watches
	w     *Writer
	over  bool // closed
	once  sync.Once
	quit  chan struct{}
	done  chan struct{}
}

// every is the time between two looks at the engines. An engine keeps phase.MaxSpans
// frames, so none is lost up to a thousand frames a second.
const every = 200 * time.Millisecond

// Record begins a trace on w. Close ends it.
func Record(w io.Writer) *Recording {
	r := &Recording{w: NewWriter(w), quit: make(chan struct{}), done: make(chan struct{})}
	go r.run()
	return r
}

// run writes what is new now and then, until quit.
func (r *Recording) run() {
	defer close(r.done)
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("loop", "perfetto")))
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			r.mu.Lock()
			for _, tape := range r.tapes {
				r.write(tape)
			}
			r.mu.Unlock()
		case <-r.quit:
			return
		}
	}
}

// write writes what is new of an engine: the steps first, which a Writer wants before the
// frames that show them.
func (r *Recording) write(t *Tape) {
	name := t.engine.Name()
	var frames []phase.Span
	t.Collect(func(s *phase.Span) {
		if s.Thread == phase.Render {
			frames = append(frames, *s)
		} else {
			r.w.Span(name, s)
		}
	})
	for i := range frames {
		r.w.Span(name, &frames[i])
	}
	m, now := t.engine.Metrics(), phase.Now()
	r.w.Metrics(name, now, &m)
}

// Watch adds an engine. Any goroutine.
func (r *Recording) Watch(e Source) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tapes = append(r.tapes, NewTape(e, time.Second))
}

// Forget ends Watch, and writes what is still to be written. Any goroutine.
func (r *Recording) Forget(e Source) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tapes = slices.DeleteFunc(r.tapes, func(t *Tape) bool {
		if t.engine == e && !r.over {
			r.write(t)
		}
		return t.engine == e
	})
}

// Hitch adds a hitch, see Writer.Hitch. Any goroutine.
func (r *Recording) Hitch(engine string, from, to int64, why string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.over {
		r.w.Hitch(engine, from, to, why)
	}
}

// Close writes the rest, ends the trace and returns the first error. It does not
// close the file. Closing twice does no harm.
func (r *Recording) Close() error {
	if r == nil {
		return nil
	}
	r.once.Do(func() {
		close(r.quit)
		<-r.done
		r.mu.Lock()
		defer r.mu.Unlock()
		r.over = true
		for _, t := range r.tapes {
			r.write(t)
		}
		_ = r.w.Close() // its error is returned below
	})
	return r.w.err
}
