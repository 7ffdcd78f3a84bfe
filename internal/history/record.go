package history

import (
	"errors"
	"fmt"
	"slices"

	"halfstep/world"
)

// recording is the sink of a recording in progress. A Log gives it each entry.
type recording struct {
	*Writer
	first uint64 // the oldest tick to which a rollback may go back
	shows bool   // the first picture of a recording with WriterOptions.States has been written
}

// recording returns the recording in progress, or nil.
func (l *Log) recording() *recording { return sinkOf[*recording](l) }

// sinkOf returns the sink of type K, or nil.
func sinkOf[K sink](l *Log) (none K) {
	for _, k := range l.sinks {
		if k, ok := k.(K); ok {
			return k
		}
	}
	return none
}

// keep keeps an entry. With a step it also keeps fingerprints of the bodies, which help to find the first body that
// differs in a replay. If the run has gone back to a tick before first, the recording ends with an error.
func (r *recording) keep(l *Log, e *Entry) {
	if e.Kind == Back && e.Tick < r.first {
		r.Fail(errors.New("record: a rollback went back to before the recording began"))
	}
	if e.Kind == Step {
		with := *e
		with.Values = private.Fingerprint(l.Simulation, nil)
		e = &with
	}
	r.add(e)
}

func (r *recording) closure() {
	r.Fail(errors.New("record: a closure given to Do before the recording began cannot be recorded"))
}

// startRecording begins a recording. The recording begins at the oldest tick to which a rollback can go back, or at
// the present tick without rollback.
func (l *Log) startRecording(w *Writer) {
	if l.recording() != nil || w.ended() {
		return
	}
	since := l.ticks.recordable()                                  // nil without rollback
	h := l.header(fromSnapshot, w.o.Scene, w.o.Data, since == nil) // the hash of the present tick; the hash of the tick since is unknown
	h.States = w.o.States
	start := l.start(new(world.Snapshot))
	first := l.tick + 1
	var err error
	if since != nil {
		start, first = since.Start, since.Start.Tick
		err = start.encodeState() // encode the state now, because a rollback may restore the snapshot
	} else {
		err = l.take(&start.saved)
	}
	if err != nil {
		w.End(recordError(err), nil)
		return
	}
	w.start(start.Tick, func() error { return encodeHead(&h, &start, w.put) })
	l.sinks = append(l.sinks, &recording{Writer: w, first: first})
	l.ticks.copySince(since, w)
}

// Record begins a recording with the beginning of the run, before the loop starts. It writes the head of the
// recording at once. If the world cannot be saved, the recording has no snapshot, and a replay builds the world
// with its setup.
func (l *Log) Record(w *Writer) error {
	begins, start := fromSnapshot, l.start(new(world.Snapshot))
	if w.o.FromSetup || l.take(&start.saved) != nil {
		begins, start = fromSetup, Start{}
	}
	const hashed = true
	h := l.header(begins, w.o.Scene, w.o.Data, hashed)
	h.States = w.o.States
	if err := encodeHead(&h, &start, w.put); err != nil {
		return recordError(err)
	}
	w.start(l.tick, nil) // the head is already written
	l.sinks = append(l.sinks, &recording{Writer: w})
	return nil
}

// EndRecording ends a recording at this tick. If clean is false, the recording gets no end chunk, and a replay ends
// at the last whole tick. It is called on the physics goroutine, or after that goroutine has ended.
func (l *Log) EndRecording(w *Writer, clean bool) {
	r := l.recording()
	now := r != nil && r.Writer == w // whether w is the recording in progress
	switch {
	case !w.Begun() && w.o.From <= l.tick:
		w.End(errors.New("record: the recording has not begun: it begins with the next frame"), nil)
	case !w.Begun():
		w.End(fmt.Errorf("record: the recording was to begin at tick %d; it ended at tick %d", w.o.From, l.tick), nil)
	case clean && now:
		if w.o.States && !r.shows { // no state was captured since the recording began
			w.picture([]Entry{l.fullPicture()})
		}
		w.End(nil, &Ending{Ticks: l.tick, Hash: l.World().Hash()})
	default:
		w.End(nil, nil)
	}
	if now {
		l.removeSink(r)
	}
}

// removeSink removes a sink.
func (l *Log) removeSink(k sink) {
	l.sinks = slices.DeleteFunc(l.sinks, func(o sink) bool { return o == k })
}
