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

// joinEvery is the least time between two moments at which watchers join. The physics goroutine may have
// to take a snapshot at each such moment.
const joinEvery = 250 * time.Millisecond

// These are variables so that tests can change them.
var (
	// FeedEvery is the time between two writes of a Feed. It is also the greatest delay of the watchers.
	FeedEvery = 50 * time.Millisecond
	// HeartbeatInterval is the time after which a Feed without new entries writes an empty chunk. The chunk
	// shows that the program still runs although it draws no frames.
	HeartbeatInterval = time.Second
	// MaxUnread is the number of bytes that may wait for a watcher. The snapshot with which the watcher begins
	// does not count.
	MaxUnread = 16 << 20
)

// ErrSlow is the error of a watcher that was dropped because it reads too slowly.
var ErrSlow = fmt.Errorf("the watcher is more than %d MiB behind, and is cut off", MaxUnread>>20)

// Feed is a recording that watchers read while it is written. It is written once for all watchers, and not
// at all without watchers. A watcher that joins later begins with its own snapshot, and then gets the same
// bytes as all other watchers.
type Feed struct {
	about Header // the scene, the data and the camera for watchers
	shows bool   // watchers get states (see shown.go) instead of entries
	most  int    // the number of bytes that may wait for a watcher

	joinRequested atomic.Bool // a watcher waits until the physics goroutine lets it join

	mu          sync.Mutex // locked for a few instructions only
	waiting     []*Watcher // the watchers that the physics goroutine must let join
	watchers    []*Watcher // all watchers, including those that wait
	writer      *Writer    // the newest writer; nil without watchers
	requestedAt time.Time  // the last time for which the physics goroutine was asked to let watchers join; may be in the future
}

// Watcher reads a Feed. Its chunks are those of a whole recording.
type Watcher struct {
	feed   *Feed
	writer *Writer       // writes for the feed; nil while the watcher waits
	wake   chan struct{} // has room for one element
	chunks [][]byte      // the chunks that the watcher has not read yet
	unread int           // the number of bytes in chunks, without the beginning
	in     bool          // the watcher gets the chunks that are written
	over   bool          // no more chunks come
	err    error         // the reason why no more chunks come; nil at the end of the run
}

// NewFeed makes a feed of the run's entries or, if shows is true, of the shown states. The parameter
// about has the Scene, the Data and the camera for watchers.
func NewFeed(about Header, shows bool) *Feed {
	about.Data = slices.Clone(about.Data)
	return &Feed{about: about, shows: shows, most: MaxUnread}
}

// describe adds the scene's data for watchers to a header.
func (f *Feed) describe(h Header) Header {
	h.Scene, h.Data, h.CameraMin, h.CameraMax = f.about.Scene, f.about.Data, f.about.CameraMin, f.about.CameraMax
	return h
}

// RequestJoin asks the physics goroutine to let the waiting watchers join. They join when that goroutine
// wakes or begins a frame. Any goroutine may call RequestJoin.
func (f *Feed) RequestJoin() { f.joinRequested.Store(true) }

// Watch returns a watcher that waits to join. The caller must call RequestJoin after the returned
// time has passed. Any goroutine may call Watch.
func (f *Feed) Watch() (*Watcher, time.Duration) {
	w := &Watcher{feed: f, wake: make(chan struct{}, 1)}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting, f.watchers = append(f.waiting, w), append(f.watchers, w)
	now := time.Now()
	if !f.requestedAt.After(now) { // if not, the watcher joins together with the previous watcher
		if f.requestedAt = f.requestedAt.Add(joinEvery); f.requestedAt.Before(now) {
			f.requestedAt = now
		}
	}
	return w, f.requestedAt.Sub(now)
}

// Next waits until there are chunks, and returns them. It also returns when quit is closed. At the end of
// the run the error is io.EOF.
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

// Close ends the watcher. When no watcher is left, the feed is no longer written.
func (w *Watcher) Close() {
	f := w.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	f.leave(w, errLeft)
}

// leave drops a watcher for the reason why, an error. The caller must have locked mu.
func (f *Feed) leave(w *Watcher, why error) {
	is := func(o *Watcher) bool { return o == w }
	f.waiting, f.watchers = slices.DeleteFunc(f.waiting, is), slices.DeleteFunc(f.watchers, is)
	if !w.over {
		w.over, w.err = true, why
		w.ring()
	}
	if len(f.watchers) == 0 && f.writer != nil {
		f.writer.End(nil, nil) // another goroutine calls OnEnd, which locks mu
		f.writer = nil
	}
}

// ring wakes a goroutine that waits in Next.
func (w *Watcher) ring() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// newFeedWriter makes a writer for a feed. The caller must start the writer.
func newFeedWriter(f *Feed) *Writer {
	w, _ := NewWriter(WriterOptions{W: io.Discard}) // W is replaced afterwards; without W NewWriter would fail
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

// ended drops the watchers of a writer that has ended with err.
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

// DropWaiting drops the waiting watchers. It is called when the physics goroutine has ended, because that
// goroutine would have let them join.
func (f *Feed) DropWaiting() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.waiting) > 0 {
		f.leave(f.waiting[0], nil)
	}
}

// beginning is the first part of a recording for new watchers. After the beginning, the watchers get the
// entries of the writer from index at on.
type beginning struct {
	at       int // index in Writer.entries
	watchers []*Watcher
	header   Header
	start    Start
	past     [][]Entry // the entries between start and at
	first    *Shown    // in a feed of states: the whole picture, which replaces start and past
	since    *uint64   // the tick up to which past is used; nil for all of past
	release  func()    // releases past; may be nil
}

// give encodes the beginning and gives the bytes to its watchers. It runs on the goroutine that writes. The
// parameter err is an earlier error of that goroutine, or nil. If err is not nil, give returns it.
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

// watching is the sink of a feed that somebody watches. A Log gives it each entry.
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

// Visits lets watchers join even while there are no frames.
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

// join lets the waiting watchers join. They begin with the past of the black box, or with a snapshot if
// there is no black box. The parameter f is their feed. With rollback they begin at the oldest tick to
// which a rollback may go back, because later ticks may be replaced.
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
		l.removeSink(w) // w would stay until a frame begins, and would be found first
		w = l.watch(f, since)
	}
	b := beginning{watchers: f.admitWatchers(w.Writer)}
	if err := l.beginning(&b, f, since); err != nil {
		w.Fail(err)
		return
	}
	w.join(&b, since)
}

// admitWatchers makes w the writer of the waiting watchers. If no watcher is left, admitWatchers ends w.
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

// watch makes a sink that writes a feed, and starts its writer.
func (l *Log) watch(f *Feed, since *keptTick) *watching {
	w := &watching{newFeedWriter(f)}
	if l.ticks.canRollBack() { // without rollback no entry has to wait
		w.hold, w.needed = uint64(l.ticks.Ticks+l.ticks.Every-1), l.ticks.needed
	}
	l.sinks = append(l.sinks, w)
	w.start(0, nil) // there is no common head, because each watcher gets a head of its own
	l.ticks.copySince(since, w.Writer)
	return w
}

// EndWatch ends feeds at the end of the run.
func (l *Log) EndWatch(clean bool, feeds ...*Feed) {
	if w := sinkOf[*watching](l); w != nil {
		if clean {
			w.End(nil, &Ending{Ticks: l.tick, Hash: l.World().Hash()})
		}
		w.End(nil, nil) // only the first call of End has an effect
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

// beginning fills in b. It uses the past of the black box if that past leads to the present.
// Otherwise it uses the snapshot of since, or a new snapshot if since is nil.
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
		return b.start.encodeState() // encode the state now, because a rollback may restore the snapshot
	}
	b.start = l.start(new(world.Snapshot))
	return l.take(&b.start.saved)
}

// join gives the writer a beginning. The beginning is written after the entries up to since. If
// since is nil, it is written after all present entries.
func (w *Writer) join(b *beginning, since *keptTick) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if b.at = len(w.entries); since != nil {
		b.at = upTo(w.entries, since.Start.Tick)
	}
	w.beginnings = append(w.beginnings, b)
}

// Watched reports whether a feed is being written. Tests use it.
func (l *Log) Watched() bool { return sinkOf[*watching](l) != nil }
