package engine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"halfstep/buffer"
)

// Variables for the tests' sake.
var (
	// flushEvery is how much a crash can cost.
	flushEvery = 500 * time.Millisecond
	// maxBacklog is how many bytes may wait for a slow writer.
	maxBacklog int64 = 1 << 30
)

// fullChunk is how many bytes of operations make a chunk without waiting for
// more.
const fullChunk = 16 << 20

// recordWriter writes a recording on a goroutine of its own. A slow writer, or
// one that panics, does nothing to physics.
type recordWriter struct {
	opts  RecordOptions
	sync  func() error  // or nil
	limit time.Duration // of close

	ops     *buffer.Log[recordOp]
	count   atomic.Uint64 // of ops, for the writer
	backlog atomic.Int64  // bytes, about

	begun   atomic.Bool // what is applied is taken down
	stopped atomic.Bool // nothing more is taken down
	left    atomic.Bool // close no longer waits: nothing more is written
	end     chan *recordEnd
	done    chan struct{} // closed when nothing more is written
	ending  sync.Once

	mu   sync.Mutex
	err  error         // why the recording ended early; OnError is then called
	told chan struct{} // closed when OnError has returned
}

func newRecordWriter(opts RecordOptions) (*recordWriter, error) {
	r := &recordWriter{
		opts: opts, sync: syncOf(opts.W), limit: opts.CloseTimeout,
		ops: buffer.NewLog[recordOp](),
		end: make(chan *recordEnd, 1), done: make(chan struct{}), told: make(chan struct{}),
	}
	if opts.W == nil {
		return nil, errors.New("record: no writer")
	}
	r.opts.Data = slices.Clone(opts.Data)
	if r.limit <= 0 {
		r.limit = defaultCloseTimeout
	}
	return r, nil
}

// beginNow writes the header of a recording that begins with the run, and starts
// the goroutine.
func (r *recordWriter) beginNow(header recordHeader) error {
	if err := r.head(header, nil); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	r.begun.Store(true)
	go r.run(nil)
	return nil
}

// begin starts the goroutine, which writes the header and what the recording
// starts from. Physics goroutine only.
func (r *recordWriter) begin(header recordHeader, start *recordStart) {
	r.begun.Store(true)
	go r.run(func() error { return r.head(header, start) })
}

// head writes what comes before the operations.
func (r *recordWriter) head(header recordHeader, start *recordStart) error {
	chunk, err := encodeChunk(chunkHeader, header)
	if err != nil {
		return err
	}
	if err := r.put(append([]byte(recordMagic), chunk...)); err != nil || start == nil {
		return err
	}
	if err := start.encode(); err != nil {
		return err
	}
	return r.putChunk(chunkStart, start)
}

// syncOf is what makes w's bytes survive a loss of power, or nil.
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

// add takes an operation down. Physics goroutine only.
func (r *recordWriter) add(op recordOp) {
	if r.stopped.Load() {
		return
	}
	if r.backlog.Add(op.size()) > maxBacklog {
		r.fail(fmt.Errorf("record: the writer is %d MiB behind", maxBacklog>>20))
		return
	}
	r.ops.Append(op)
	r.count.Store(r.ops.Count())
}

// run writes the head, then what has come in, twice a second and at the end.
func (r *recordWriter) run(head func() error) {
	defer r.over()
	returned := false
	defer func() {
		if !returned { // runtime.Goexit, by a test's Fatal
			r.fail(errors.New("record: the writer ended its goroutine"))
		}
	}()
	var err error
	if head != nil {
		err = head()
	}
	if err == nil {
		err = r.write()
	}
	if err != nil {
		r.fail(fmt.Errorf("record: %w", err))
	}
	returned = true
}

func (r *recordWriter) write() error {
	t := time.NewTicker(flushEvery)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			stopped := r.stopped.Load() // before what was taken down until then is written
			if err := r.flush(); err != nil || stopped {
				return err
			}
		case end := <-r.end:
			if err := r.flush(); err != nil || end == nil || r.stopped.Load() {
				return err
			}
			return r.putChunk(chunkEnd, end)
		}
	}
}

// flush writes what has come in. What was taken down before the recording was
// stopped is still good.
func (r *recordWriter) flush() error {
	limit := r.count.Load()
	for more := true; more; {
		var ops []recordOp
		size := int64(0)
		for size < fullChunk {
			op := r.ops.Peek(limit)
			if more = op != nil; !more {
				break
			}
			size += op.size()
			ops = append(ops, *op)
			r.ops.Take()
		}
		if len(ops) == 0 {
			return nil
		}
		r.backlog.Add(-size)
		if err := r.putChunk(chunkOps, compact(ops)); err != nil {
			return err
		}
	}
	return nil
}

func (r *recordWriter) putChunk(kind byte, v any) error {
	chunk, err := encodeChunk(kind, v)
	if err != nil {
		return err
	}
	return r.put(chunk)
}

// put writes b and sees to it that it is kept. A panic is an error.
func (r *recordWriter) put(b []byte) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the writer panicked: %v", v)
		}
	}()
	if r.left.Load() {
		return nil
	}
	n, err := r.opts.W.Write(b)
	switch {
	case err != nil:
		return err
	case n != len(b):
		return fmt.Errorf("%w: %d of %d bytes", io.ErrShortWrite, n, len(b))
	case r.sync != nil:
		return r.sync()
	}
	return nil
}

// stop ends the recording and reports whether that was still to be done.
func (r *recordWriter) stop(err error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return false
	}
	r.err = err
	r.stopped.Store(true)
	return true
}

// fail ends the recording and says why. OnError gets a goroutine of its own:
// whatever it does, closing the engine included, nobody waits for it here.
func (r *recordWriter) fail(err error) {
	if r.stop(err) {
		go r.tell(err)
	}
}

// tell calls OnError, once.
func (r *recordWriter) tell(err error) {
	defer close(r.told)
	if r.opts.OnError == nil {
		slog.Error(err.Error())
		return
	}
	defer func() {
		if v := recover(); v != nil {
			r.mu.Lock()
			r.err = fmt.Errorf("%w; OnError panicked: %v", err, v)
			r.mu.Unlock()
		}
	}()
	r.opts.OnError(err)
}

// finish has what is left written, with the end unless it is nil. It does not
// wait, and only its first call counts.
func (r *recordWriter) finish(end *recordEnd) {
	select {
	case r.end <- end:
	default:
	}
}

// wait waits for what finish asked for, as long as the limit says.
func (r *recordWriter) wait() {
	select {
	case <-r.done:
	case <-time.After(r.limit):
		r.left.Store(true)
		r.fail(fmt.Errorf("record: the writer has not returned for %v, and Close did not wait any longer", r.limit))
	}
}

// over says that nothing more will be written.
func (r *recordWriter) over() {
	r.ending.Do(func() {
		close(r.done)
		if r.opts.OnEnd == nil {
			return
		}
		defer func() { _ = recover() }()
		r.mu.Lock()
		err := r.err
		r.mu.Unlock()
		r.opts.OnEnd(err)
	})
}

// result is why the recording ended early, or nil. It waits for OnError, so
// that its panic is told, unless the recording had ended before Close was
// called: then it may be OnError that calls.
func (r *recordWriter) result(endedBefore bool) error {
	if r.stopped.Load() && !endedBefore {
		select {
		case <-r.told:
		case <-time.After(r.limit):
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}
