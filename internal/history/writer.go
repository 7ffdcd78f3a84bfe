package history

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"time"
)

// These are variables so that tests can change them.
var (
	// FlushEvery is the time between two writes of a recording. A crash loses at most that time.
	FlushEvery = 500 * time.Millisecond
	// MaxBacklog is the greatest number of bytes that may wait for a slow writer.
	MaxBacklog int64 = 1 << 30
)

// WriterOptions are the options of a Writer. They are documented at engine.RecordOptions.
type WriterOptions struct {
	W            io.Writer
	Scene        string
	Data         []byte
	From         uint64
	FromSetup    bool
	States       bool
	OnError      func(error)
	OnEnd        func(error)
	CloseTimeout time.Duration
}

// Writer writes a recording on a goroutine of its own. If W is slow or panics, the physics
// goroutine is not affected. Any goroutine may call the methods of a Writer.
type Writer struct {
	o    WriterOptions
	sync func() error // makes written bytes durable; may be nil
	feed *Feed        // the feed that the Writer writes; nil for a recording
	hold uint64       // the number of newest ticks that must wait, because a rollback may replace them
	// needed returns the oldest tick to which accepted rollbacks go back. The Writer calls it only if hold is above 0.
	needed    func() (tick uint64, some bool)
	tick      uint64        // the tick to which the last written entry leads; before the first entry, the tick at the beginning
	every     time.Duration // the time between two writes
	heartbeat time.Duration // the time after which a feed without entries writes an empty chunk

	closing  chan struct{} // closed when no more entries come
	done     chan struct{} // closed when nothing more is written
	reported chan struct{} // closed when OnError has returned

	// mu is locked for a few instructions only. The physics goroutine adds entries, and the writing
	// goroutine takes them.
	mu      sync.Mutex
	entries []Entry // the entries that are not written yet
	size    int64   // approximate size of entries, in bytes
	shown   []Entry // the pictures that are not written yet
	begun   bool    // entries are kept
	closed  bool    // nothing more is kept
	left    bool    // left says that Close no longer waits, so that nothing more is written.
	ending  *Ending // may be nil
	// the beginnings for new watchers of a feed, in order
	beginnings []*beginning

	err error // the reason why the recording ended early; OnError is then called
}

// NewWriter returns a Writer. If o has no W, it returns an error.
func NewWriter(o WriterOptions) (*Writer, error) {
	if o.W == nil {
		return nil, errors.New("record: no writer")
	}
	o.Data = slices.Clone(o.Data)
	o.CloseTimeout = cmp.Or(max(o.CloseTimeout, 0), 10*time.Second)
	return &Writer{
		o: o, sync: syncOf(o.W), every: FlushEvery,
		closing: make(chan struct{}), done: make(chan struct{}), reported: make(chan struct{}),
	}, nil
}

// syncOf returns the method Sync of w, which makes bytes survive a power failure. It returns nil if
// w has no such method.
func syncOf(w io.Writer) func() error {
	s, ok := w.(interface{ Sync() error })
	if !ok {
		return nil
	}
	if f, ok := w.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
			return nil // a pipe or a terminal cannot be synced
		}
	}
	return s.Sync
}

// From returns the tick at which the recording should begin, or 0.
func (w *Writer) From() uint64 { return w.o.From }

// withLock calls f while mu is locked.
func withLock[T any](w *Writer, f func() T) T {
	w.mu.Lock()
	defer w.mu.Unlock()
	return f()
}

// Begun reports whether entries are already being kept.
func (w *Writer) Begun() bool { return withLock(w, func() bool { return w.begun }) }

// Err returns why the recording ended early, or nil. For a nil Writer it returns nil.
func (w *Writer) Err() error {
	if w == nil {
		return nil
	}
	return withLock(w, func() error { return w.err })
}

func (w *Writer) ended() bool { return withLock(w, func() bool { return w.closed }) }

// The methods begin, wantsHash and leave make a Writer a sink (see log.go). A Writer does nothing when a frame begins.
// Only replays go to another tick without an entry, and they are not recorded.
func (w *Writer) begin(*Log) {}

func (w *Writer) wantsHash(uint64) bool { return true }

func (w *Writer) leave() {}

// Done returns a channel that is closed when nothing more is written.
func (w *Writer) Done() <-chan struct{} { return w.done }

// start starts the goroutine that writes. If head is not nil, the goroutine first calls head, which
// writes the chunks before the entries. The first entry follows the given tick.
func (w *Writer) start(tick uint64, head func() error) {
	w.tick = tick
	w.mu.Lock()
	w.begun = true
	w.mu.Unlock()
	go w.run(head)
}

// add adds an entry. An entry of kind Back removes the unwritten entries that it makes void.
func (w *Writer) add(e *Entry) {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return
	}
	var grown int64
	w.entries, grown = add(w.entries, e, false) // nothing is shared, because the writing goroutine takes the whole list
	w.size += grown
	full := w.size > MaxBacklog
	w.mu.Unlock()
	if full {
		w.Fail(fmt.Errorf("record: the writer is %d MiB behind", MaxBacklog>>20))
	}
}

// picture adds entries of shown states. It is for recordings that have states as well as entries.
func (w *Writer) picture(list []Entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.shown = append(w.shown, list...)
		w.size += sizeOf(list)
	}
}

// run is the code of the writing goroutine.
func (w *Writer) run(head func() error) {
	defer w.over()
	returned := false
	defer func() {
		if !returned { // a Fatal in a test has called runtime.Goexit
			w.Fail(errors.New("record: the writer ended its goroutine"))
		}
	}()
	var err error
	if head != nil {
		err = head()
	}
	if err == nil {
		err = w.write()
	}
	if err != nil {
		w.Fail(recordError(err))
	}
	returned = true
}

func recordError(err error) error { return fmt.Errorf("record: %w", err) }

// write writes new entries until the recording ends. A feed without new entries gets an empty chunk at each heartbeat.
func (w *Writer) write() error {
	t := time.NewTicker(w.every)
	defer t.Stop()
	for lastWrite := time.Now(); ; {
		select {
		case <-t.C:
		case <-w.closing:
		}
		w.mu.Lock()
		shown := w.shown
		w.shown = nil
		entries, closed, ending := w.settled(), w.closed, w.ending
		beginnings := w.begins(len(entries))
		if w.err != nil {
			ending = nil
		}
		w.mu.Unlock()
		done, err := 0, w.inOrder(entries)
		for _, b := range beginnings {
			if err == nil {
				err = encodeEntries(entries[done:b.at], w.put)
			}
			err, done = b.give(w.feed, err), b.at
		}
		if err == nil {
			err = encodeEntries(entries[done:], w.put)
		}
		if err == nil && len(shown) > 0 {
			err = encodeEntries(shown, w.put)
		}
		if now := time.Now(); len(entries) > 0 || len(beginnings) > 0 {
			lastWrite = now
		} else if w.feed != nil && err == nil && now.Sub(lastWrite) >= w.heartbeat {
			lastWrite, err = now, encodeBeat(w.feed.shows, w.put)
		}
		if err != nil || closed && ending == nil {
			return err
		}
		if closed {
			return encode(chunkEnd, ending, w.put)
		}
	}
}

// inOrder returns an error for entries that a reader would refuse. The recording then ends before these entries.
func (w *Writer) inOrder(entries []Entry) error {
	if w.feed != nil {
		return nil
	}
	for i := range entries {
		e := &entries[i]
		if err := e.check(0, w.tick); err != nil {
			return fmt.Errorf("after tick %d: %w", w.tick, err)
		}
		if e.Kind == Step || e.Kind == Back {
			w.tick = e.Tick
		}
	}
	return nil
}

// settled removes and returns the entries that no rollback can make void any more.
func (w *Writer) settled() []Entry {
	entries := w.entries
	w.entries, w.size = nil, 0
	if w.hold == 0 || w.closed {
		return entries
	}
	newest := lastTick(entries, 0)
	last := newest - min(newest, w.hold)
	if needed, some := w.needed(); some {
		last = min(last, needed)
	}
	n := upTo(entries, last)
	w.entries, w.size = slices.Clone(entries[n:]), sizeOf(entries[n:])
	return entries[:n]
}

// begins removes and returns the beginnings that belong before or after one of the first n entries.
func (w *Writer) begins(n int) (due []*beginning) {
	for len(w.beginnings) > 0 && w.beginnings[0].at <= n {
		due, w.beginnings = append(due, w.beginnings[0]), w.beginnings[1:]
	}
	for _, b := range w.beginnings {
		b.at -= n
	}
	return due
}

// put writes b and syncs W. If W panics, put returns an error.
func (w *Writer) put(b []byte) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the writer panicked: %v", v)
		}
	}()
	if withLock(w, func() bool { return w.left }) {
		return nil
	}
	n, err := w.o.W.Write(b)
	switch {
	case err != nil:
		return err
	case n != len(b):
		return fmt.Errorf("%w: %d of %d bytes", io.ErrShortWrite, n, len(b))
	case w.sync != nil:
		return w.sync()
	}
	return nil
}

// close makes the Writer refuse entries. It reports whether err is the first error.
func (w *Writer) close(err error, ending *Ending) (first bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if first = err != nil && w.err == nil; first {
		w.err = err
	}
	if w.closed {
		return first
	}
	w.closed, w.ending = true, ending
	close(w.closing)
	if !w.begun {
		go w.over()
	}
	return first
}

// Fail ends the recording with an error. Earlier entries are still written. OnError runs on another goroutine, because
// it may close the engine, and Close may wait for the caller of Fail.
func (w *Writer) Fail(err error) { w.End(err, nil) } // nil: there is no ending

// End ends the recording. It lets the remaining entries be written, and then the ending unless it is nil. If err is not
// nil, OnError is called with it. End does not wait. Only the first call has an effect.
func (w *Writer) End(err error, ending *Ending) {
	if w.close(err, ending) {
		go w.report(err)
	}
}

// Refuse ends the recording because a closure cannot be recorded. The error names the line of the call, and callers is the
// number of callers up the stack to it. OnError is called before Refuse returns.
func (w *Writer) Refuse(callers int) {
	_, file, line, _ := runtime.Caller(callers + 1)
	err := fmt.Errorf("record: a closure given to Do at %s:%d cannot be recorded; give it a name with Register and use DoNamed", file, line)
	if w.close(err, nil) {
		w.report(err)
	}
}

// report calls OnError, once.
func (w *Writer) report(err error) {
	defer close(w.reported)
	if w.o.OnError == nil {
		return
	}
	defer func() {
		if v := recover(); v != nil {
			w.mu.Lock()
			w.err = fmt.Errorf("%w; OnError panicked: %v", err, v)
			w.mu.Unlock()
		}
	}()
	w.o.OnError(err)
}

// over closes done and calls OnEnd.
func (w *Writer) over() {
	close(w.done)
	if w.o.OnEnd != nil {
		defer func() { _ = recover() }()
		w.o.OnEnd(w.Err())
	}
}

// Wait waits until everything is written, but not longer than CloseTimeout.
func (w *Writer) Wait() {
	select {
	case <-w.done:
	case <-time.After(w.o.CloseTimeout):
		w.mu.Lock()
		w.left = true
		w.mu.Unlock()
		w.Fail(fmt.Errorf("record: the writer has not returned for %v, and Close did not wait any longer", w.o.CloseTimeout))
	}
}

// Result returns the reason why the recording ended early, or nil. It waits until OnError has returned, because OnError may
// panic. It does not wait if endedBefore is true: the recording ended before the call of Close, which OnError itself may have
// made.
func (w *Writer) Result(endedBefore bool) error {
	if w.Err() != nil && !endedBefore {
		select {
		case <-w.reported:
		case <-time.After(w.o.CloseTimeout):
		}
	}
	return w.Err()
}
