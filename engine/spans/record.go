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
	mu    sync.Mutex // guards tapes, w and over
	tapes []*Tape    // one for each engine that is watched
	w     *Writer
	over  bool          // Close was called: nothing more is written
	once  sync.Once     // for Close
	quit  chan struct{} // closed by Close
	done  chan struct{} // closed when run has returned
}

// every is the time between two reads of the engines' spans. An engine keeps phase.MaxSpans
// frames, so none is lost up to a thousand frames a second.
const every = 200 * time.Millisecond

// tapeLength is how much of the past a Tape keeps for a Recording. Spans are written as soon as
// they are read, so any length will do.
const tapeLength = time.Second

// Record begins a trace on w. Close ends it.
func Record(w io.Writer) *Recording {
	r := &Recording{w: NewWriter(w), quit: make(chan struct{}), done: make(chan struct{})}
	go r.run()
	return r
}

// run writes the engines' new spans at each tick of every, until quit is closed. Close writes
// the last ones.
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

// write writes the new spans of an engine and its counters: steps first, because a Writer wants
// them before the frames that show them.
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
	r.tapes = append(r.tapes, NewTape(e, tapeLength))
}

// Forget ends Watch, after it has written the engine's last spans. Any goroutine.
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

// Close writes the last spans, ends the trace and returns the first error. It does not
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
