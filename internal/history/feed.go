package history

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"halfstep/world"
)

// joinEvery is the least time between two times at which watchers join: each may cost physics a
// snapshot.
const joinEvery = 250 * time.Millisecond

// Variables for the tests' sake.
var (
	// FeedEvery is the time between two writes of a Feed, and so the greatest delay of its watchers.
	FeedEvery = 50 * time.Millisecond
	// HeartbeatInterval is the time after which a Feed without new entries writes an empty chunk: its program
	// draws no frames, but still runs.
	HeartbeatInterval = time.Second
	// MaxUnread is how many bytes may wait for a watcher, besides its beginning.
	MaxUnread = 16 << 20
)

// ErrSlow is the error of a watcher that does not read and is dropped.
var ErrSlow = fmt.Errorf("the watcher is more than %d MiB behind, and is cut off", MaxUnread>>20)

// Feed is a recording that watchers read while it is written. It is written once for all of them,
// and not at all without watchers. A watcher that joins later begins with its own snapshot; from
// there on the bytes are the same for all.
type Feed struct {
	about Header // its scene, data and camera are for watchers
	shows bool   // watchers get states, see shown.go, in place of entries
	most  int    // how many bytes may wait for a watcher

	joinRequested atomic.Bool // a watcher waits for physics to let it join

	mu          sync.Mutex // for a few instructions only
	waiting     []*Watcher // watchers that physics must let join
	watchers    []*Watcher // all watchers, these among them
	writer      *Writer    // the newest writer, or nil without watchers
	requestedAt time.Time  // the last time, past or future, at which physics is asked to let watchers join
}

// Watcher reads a Feed. Its chunks are those of a whole recording.
type Watcher struct {
	feed   *Feed
	writer *Writer       // writes for the feed; nil while the watcher waits
	wake   chan struct{} // has room for one
	chunks [][]byte      // the chunks that were not taken yet
	unread int           // bytes of chunks, without the beginning
	in     bool          // the watcher gets the written chunks
	over   bool          // no more chunks come
	err    error         // why over is true; nil at the end of the run
}

// NewFeed makes a feed of the run's entries or, if shows is true, of the shown states. about has the
// Scene, Data and camera for watchers.
func NewFeed(about Header, shows bool) *Feed {
	about.Data = slices.Clone(about.Data)
	return &Feed{about: about, shows: shows, most: MaxUnread}
}

// describe adds the scene's data for watchers to a header.
func (f *Feed) describe(h Header) Header {
	h.Scene, h.Data, h.CameraMin, h.CameraMax = f.about.Scene, f.about.Data, f.about.CameraMin, f.about.CameraMax
	return h
}

// RequestJoin asks physics to let the waiting watchers join, when it next wakes or begins a frame. Any
// goroutine.
func (f *Feed) RequestJoin() { f.joinRequested.Store(true) }

// Watch returns a watcher that waits to join. RequestJoin must be called after the returned time. Any
// goroutine.
func (f *Feed) Watch() (*Watcher, time.Duration) {
	w := &Watcher{feed: f, wake: make(chan struct{}, 1)}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting, f.watchers = append(f.waiting, w), append(f.watchers, w)
	now := time.Now()
	if !f.requestedAt.After(now) { // otherwise the watcher joins together with the one before
		if f.requestedAt = f.requestedAt.Add(joinEvery); f.requestedAt.Before(now) {
			f.requestedAt = now
		}
	}
	return w, f.requestedAt.Sub(now)
}

// Next waits for chunks, or for quit. The error is io.EOF at the end of the run.
func (w *Watcher) Next(quit <-chan struct{}) ([][]byte, error) {
	for {
		w.feed.mu.Lock()
		chunks, over, err := w.chunks, w.over, w.err
		w.chunks, w.unread = nil, 0
		w.feed.mu.Unlock()
		if len(chunks) > 0 {
			return chunks, nil
		}
		if over {
			return nil, cmp.Or(err, io.EOF)
		}
		select {
		case <-w.wake:
		case <-quit:
			return nil, errLeft
		}
	}
}

var errLeft = errors.New("the watcher has left")

// Close ends the watcher. The last Close ends the writing.
func (w *Watcher) Close() {
	f := w.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	f.leave(w, errLeft)
}

// leave drops a watcher, with the reason. mu is held.
func (f *Feed) leave(w *Watcher, why error) {
	is := func(o *Watcher) bool { return o == w }
	f.waiting, f.watchers = slices.DeleteFunc(f.waiting, is), slices.DeleteFunc(f.watchers, is)
	if !w.over {
		w.over, w.err = true, why
		w.ring()
	}
	if len(f.watchers) == 0 && f.writer != nil {
		f.writer.End(nil, nil) // OnEnd, which locks mu, is called on another goroutine
		f.writer = nil
	}
}

// ring wakes Next.
func (w *Watcher) ring() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// newFeedWriter makes a writer for a feed. The caller starts it.
func newFeedWriter(f *Feed) *Writer {
	w, _ := NewWriter(WriterOptions{W: io.Discard}) // replaced below; NewWriter fails only without a W
	w.feed, w.o.W, w.every, w.heartbeat = f, (*feedWriter)(w), FeedEvery, HeartbeatInterval
	w.o.OnError = func(error) {}
	w.o.OnEnd = func(err error) { f.ended(w, err) }
	return w
}

// feedWriter is the io.Writer to which a Writer of a feed writes.
type feedWriter Writer

// Write gives a chunk to all watchers of the writer that have joined.
func (to *feedWriter) Write(b []byte) (int, error) {
	f, chunk := to.feed, bytes.Clone(b)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, w := range slices.Clone(f.watchers) {
		if !w.in || w.writer != (*Writer)(to) {
			continue
		}
		if w.unread += len(chunk); w.unread > f.most {
			w.chunks = nil
			f.leave(w, ErrSlow)
			continue
		}
		w.chunks = append(w.chunks, chunk)
		w.ring()
	}
	return len(b), nil
}

// ended drops the watchers of a writer, which has ended with err.
func (f *Feed) ended(of *Writer, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.writer == of {
		f.writer = nil
	}
	for _, w := range slices.Clone(f.watchers) {
		if w.writer == of {
			f.leave(w, err)
		}
	}
}

// DropWaiting drops the waiting watchers: physics has ended and will not let them join.
func (f *Feed) DropWaiting() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.waiting) > 0 {
		f.leave(f.waiting[0], nil)
	}
}

// beginning is the head of a recording for new watchers, which then follow the entries from index at
// on.
type beginning struct {
	at       int // index of Writer.entries
	watchers []*Watcher
	header   Header
	start    Start
	past     [][]Entry // the entries between start and at
	first    *Shown    // in a feed of states: the whole picture, in place of start and past
	since    *uint64   // past is used up to this tick; nil means all of it
	release  func()    // releases past; or nil
}

// give encodes the beginning and gives it to its watchers, on the goroutine that writes. err is an
// earlier error of that goroutine, or nil. It returns the first error.
func (b *beginning) give(f *Feed, err error) error {
	if b.release != nil {
		defer b.release()
	}
	var head bytes.Buffer
	put := func(chunk []byte) error { head.Write(chunk); return nil }
	if err == nil {
		err = encodeHead(&b.header, &b.start, put)
	}
	if err == nil && b.first != nil {
		err = encode(chunkShown, []Shown{*b.first}, put)
	}
	past := slices.Concat(b.past...)
	if b.since != nil {
		past = past[:upTo(past, *b.since)]
	}
	if err == nil {
		err = encodeEntries(past, put)
	}
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, w := range b.watchers {
		if !w.over {
			w.in, w.chunks = true, append(w.chunks, head.Bytes())
			w.ring()
		}
	}
	return nil
}

// watching is the sink of a watched feed: a Log gives it each entry.
type watching struct{ *Writer }

func (w *watching) keep(_ *Log, e *Entry) { w.add(e) }

func (w *watching) closure() {
	w.Fail(errors.New("a function given to Do has changed the world"))
}

func (w *watching) leave() {
	w.Fail(errors.New("the program has gone to another tick of its recording"))
}

// joinRequested reports whether a watcher waits to join.
func (l *Log) called() bool {
	return slices.ContainsFunc(l.o.Feeds, func(f *Feed) bool { return f.joinRequested.Load() })
}

// Visits lets watchers join also while there are no frames.
func (l *Log) Visits() (come bool) {
	for _, f := range l.o.Feeds {
		if !f.joinRequested.Load() {
			continue
		}
		f.joinRequested.Store(false)
		if come = true; f.shows {
			l.shown.joining = f // with the next capture
		} else {
			l.join(f)
		}
	}
	return come
}

// join lets the waiting watchers join. They begin with the past of the black box, if there is one,
// otherwise with a snapshot. With rollback they begin at since, the oldest tick that a rollback may
// go back to, because later ticks may be replaced.
func (l *Log) join(f *Feed) {
	f.mu.Lock()
	none := len(f.waiting) == 0
	f.mu.Unlock()
	if none {
		return
	}
	since := l.ticks.recordable()
	w := sinkOf[*watching](l)
	if w == nil || w.ended() {
		l.removeSink(w) // otherwise w stays until a frame begins, and is found first
		w = l.watch(f, since)
	}
	b := beginning{watchers: f.admitWatchers(w.Writer)}
	if err := l.beginning(&b, f, since); err != nil {
		w.Fail(err)
		return
	}
	w.join(&b, since)
}

// admitWatchers makes w the writer of the waiting watchers, and ends it if no watcher is left.
func (f *Feed) admitWatchers(w *Writer) []*Watcher {
	f.mu.Lock()
	defer f.mu.Unlock()
	in := f.waiting
	for _, o := range in {
		o.writer = w
	}
	if f.waiting = nil; len(f.watchers) == 0 {
		w.End(nil, nil)
	} else {
		f.writer = w
	}
	return in
}

// watch makes a sink that writes a feed, and starts it.
func (l *Log) watch(f *Feed, since *keptTick) *watching {
	w := &watching{newFeedWriter(f)}
	if l.ticks.canRollBack() { // without rollback no entry waits
		w.hold, w.needed = uint64(l.ticks.Ticks+l.ticks.Every-1), l.ticks.needed
	}
	l.sinks = append(l.sinks, w)
	w.start(0, nil) // each watcher gets a head of its own
	l.ticks.copySince(since, w.Writer)
	return w
}

// EndWatch ends feeds with the run, as EndRecording does a recording.
func (l *Log) EndWatch(clean bool, feeds ...*Feed) {
	if w := sinkOf[*watching](l); w != nil {
		if clean {
			w.End(nil, &Ending{Ticks: l.tick, Hash: l.World().Hash()})
		}
		w.End(nil, nil) // does nothing after the first
		l.removeSink(w)
	}
	if w := l.shown.Writer; w != nil {
		w.End(nil, &Ending{Ticks: l.shown.tick})
	}
	l.shown = broadcaster{}
	for _, f := range feeds {
		f.DropWaiting()
	}
}

// beginning fills in b: with the past of the black box if that leads to the present, otherwise with
// the snapshot of since, or a new one if since is nil.
func (l *Log) beginning(b *beginning, f *Feed, since *keptTick) (err error) {
	if file, parts, none := l.o.Box.lasting(since); none == nil {
		b.header, b.start, b.past, b.release = f.describe(file.Header), file.Start, parts, l.o.Box.release
		if since != nil {
			b.since = new(since.Start.Tick)
		}
		return nil
	}
	b.header = f.describe(l.header(fromSnapshot, "", nil, since == nil))
	if since != nil {
		b.start = since.Start
		return b.start.encodeState() // now, because a rollback may restore the snapshot
	}
	b.start = l.start(new(world.Snapshot))
	return l.take(&b.start.saved)
}

// join gives the writer a beginning. It is written after the entries up to since, or after all
// present ones if since is nil.
func (w *Writer) join(b *beginning, since *keptTick) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if b.at = len(w.entries); since != nil {
		b.at = upTo(w.entries, since.Start.Tick)
	}
	w.beginnings = append(w.beginnings, b)
}

// Watched reports whether a feed is written, for tests.
func (l *Log) Watched() bool { return sinkOf[*watching](l) != nil }
