package history

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"halfstep/internal/monotime"
	"halfstep/world"
)

const (
	// The length of a box is that of so many segments (a snapshot each, and the entries
	// since), of which the last is not complete.
	boxSegments = 7
	// After a change that cannot be recorded, a segment lasts for that time at least.
	shortSegment = time.Second
	// fullSegment limits the entries of a segment, in bytes, about.
	fullSegment = 32 << 20
)

// MostShown limits the pictures of a box, in bytes, about. It is a variable for the tests'
// sake.
var MostShown int64 = 32 << 20

// Box is a black box: the last seconds, for a file that may never be written. Physics
// fills it, and any goroutine may have the File.
type Box struct {
	scene string
	data  []byte
	shows bool          // the box keeps pictures of a world that only its program can compute
	each  time.Duration // the length of a segment, at most
	// memory is how many bytes snapshots take at most. As long as they do not, segments are
	// as short as is cheap, so that a seek finds a snapshot near. With 0 there are no more
	// segments than files need.
	memory int64
	taking time.Duration // usual cost of a snapshot
	usual  time.Duration // cost of a step

	// mu is held for a few instructions only, never while a file is made.
	mu     sync.Mutex
	list   []*boxSegment // oldest first
	shown  []*boxShown   // oldest first
	err    error         // why there is nothing to write
	failed float64       // s, of the step that came next and failed; 0 if none did
	making int           // how many files are being made; no snapshot is overwritten meanwhile
	spare  *world.Snapshot
}

// boxSegment is a segment with what a file of it needs.
type boxSegment struct {
	header Header
	Segment
	size   int64   // bytes of Entries, about
	ticks  uint64  // done since its start
	dt     float64 // s, the length of the last of them
	broken bool    // entries are missing at its end, so the next segment does not follow from it
	left   bool    // the world has gone to another tick, to which no entry leads

	brokenAfter time.Duration // how long it was when it broke off

	state  int64         // bytes of the snapshot
	cost   time.Duration // the time that the steps took
	shared bool          // a File has the snapshot
	clean  bool          // the segment begins with the state that a step led to
}

// boxShown is a picture, and what has changed in it until the next one.
type boxShown struct {
	whole  Entry
	since  []Entry
	size   int64         // bytes of both
	passed time.Duration // in the world's time
}

// NewBox makes a box of a length, with so many bytes for more snapshots than files need.
// It has the pictures of a world that only its program can compute if shows is true. Scene
// and data are those of RecordOptions.
func NewBox(length time.Duration, memory int64, shows bool, scene string, data []byte) *Box {
	return &Box{scene: scene, data: slices.Clone(data), shows: shows, each: max(length/(boxSegments-1), 1), memory: memory}
}

// showsCode reports whether the box is to have what the world shows, because it has code
// that no file has.
func (b *Box) showsCode(l *Log) bool { return b != nil && b.shows && inside.HasCode(l.World()) }

// picture keeps what a capture has changed since the one before. If followed is false there
// is nothing that list could follow, and the pictures begin anew.
func (b *Box) picture(l *Log, list []Entry, followed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !followed {
		b.shown = nil
	}
	if n := len(b.shown); n > 0 {
		last := b.shown[n-1]
		last.since = append(last.since, list...)
		last.size += sizeOf(list)
		for i := range list {
			if list[i].Kind == Step {
				last.passed += time.Duration(list[i].shown.Dt * float64(time.Second))
			}
		}
		if last.passed < b.each && last.size-last.whole.size() < max(MostShown/boxSegments, last.whole.size()) {
			return
		}
	}
	whole := l.shown.whole(l)
	b.shown = append(b.shown, &boxShown{whole: whole, size: whole.size()})
	for len(b.shown) > boxSegments || len(b.shown) > 1 && b.sizeShown() > MostShown {
		b.shown = slices.Delete(b.shown, 0, 1)
	}
}

func (b *Box) sizeShown() (all int64) {
	for _, s := range b.shown {
		all += s.size
	}
	return all
}

// pictures are those of a file that begins at a tick, from there or from before, as far
// as they are kept. It is called with mu held.
func (b *Box) pictures(from uint64) (list []Entry) {
	first := 0
	for first+1 < len(b.shown) && b.shown[first+1].whole.Tick <= from {
		first++
	}
	for i, s := range b.shown[first:] {
		if i == 0 {
			list = append(list, s.whole)
		}
		list = append(list, s.since...)
	}
	return list
}

// passed is the length of the segment in the world's time, about.
func (s *boxSegment) passed() time.Duration {
	return time.Duration(float64(s.ticks) * s.dt * float64(time.Second))
}

// now is the newest segment, or nil.
func (b *Box) now() *boxSegment {
	if len(b.list) == 0 {
		return nil
	}
	return b.list[len(b.list)-1]
}

// begin begins a segment where one is due. It is called between two frames.
func (b *Box) begin(l *Log) {
	if b.err != nil {
		return
	}
	if s := b.now(); s != nil {
		limit := b.each
		if s.broken { // for a while what led to it is worth more than what follows
			limit = s.brokenAfter + min(limit, shortSegment)
		}
		dense := b.memory > 0 && !s.broken && s.cost >= snapshotGap(b.taking) && endsFrame(s.Entries)
		if !s.left && s.passed() < limit && s.size < fullSegment && !dense {
			return
		}
	}
	b.open(l)
}

// quickWay is how much step time from a snapshot on is still quick.
const quickWay = 150 * time.Millisecond

// snapshotGap is how much step time lies between two snapshots that take so long: they
// cost a seventieth of it, or what a quick way takes, but no more than a fiftieth. Ways
// that are shorter than a few pictures would look no quicker.
func snapshotGap(taking time.Duration) time.Duration {
	return max(5*KeyframeGap, 2*KeyframeCost*taking, min(3*KeyframeCost*taking, quickWay))
}

// endsFrame reports whether entries end with a frame that had steps.
func endsFrame(e []Entry) bool {
	n := len(e)
	return n >= 2 && e[n-1].Kind == End && e[n-2].Kind == Step
}

// open begins a segment, with a snapshot of the world as it is.
func (b *Box) open(l *Log) {
	began := monotime.Now()
	s := &boxSegment{Segment: Segment{Start: l.start(b.recycle())}, clean: b.now() != nil && endsFrame(b.now().Entries)}
	err := inside.Snapshot(l.World(), s.Start.snapshot)
	s.state = int64(s.Start.snapshot.Size())
	took := monotime.Since(began)
	s.header = l.header(fromSnapshot, b.scene, b.data, b.memory == 0)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taking = smoothed(b.taking, took)
	if err != nil {
		b.err, b.list = fmt.Errorf("black box: %w", err), nil
		return
	}
	b.list = append(b.list, s)
	for b.memory > 0 && b.held() > b.memory && b.merge() {
	}
}

// held is how many bytes the snapshots take.
func (b *Box) held() int64 { return sum(b.list, func(s *boxSegment) int64 { return s.state }) }

// sum adds up what segments have.
func sum[T int64 | time.Duration](list []*boxSegment, of func(*boxSegment) T) (all T) {
	for _, s := range list {
		all += of(s)
	}
	return all
}

// merge makes one segment of the two neighbours whose steps cost the least. The newest
// stays as it is.
func (b *Box) merge() bool {
	least, at := time.Duration(1<<63-1), 0
	for i := 1; i < len(b.list)-1; i++ {
		if cost := b.list[i-1].cost + b.list[i].cost; cost < least && !b.list[i-1].broken {
			least, at = cost, i
		}
	}
	if at == 0 {
		return false
	}
	s, next := b.list[at-1], b.list[at]
	s.Entries = append(s.Entries, next.Entries...)
	s.size, s.cost = s.size+next.size, s.cost+next.cost
	s.ticks, s.dt, s.broken = next.Start.Tick+next.ticks-s.Start.Tick, next.dt, next.broken
	b.free(next)
	b.list = slices.Delete(b.list, at, at+1)
	return true
}

// free keeps the snapshot of a segment that goes, unless somebody else has it.
func (b *Box) free(s *boxSegment) {
	if b.making == 0 && !s.shared {
		b.spare = s.Start.snapshot
	}
}

// recycle drops the oldest segments that are not needed any more, and returns a snapshot
// that may be overwritten. A segment that was dropped too early is missed where the run
// goes back to before the newest.
func (b *Box) recycle() *world.Snapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.memory == 0 && len(b.list) > boxSegments || b.full() || b.spares() {
		b.free(b.list[0])
		b.list = slices.Delete(b.list, 0, 1)
	}
	s := cmp.Or(b.spare, new(world.Snapshot))
	b.spare = nil
	return s
}

// full reports whether entries take more memory than they may.
func (b *Box) full() bool {
	return sum(b.list, func(s *boxSegment) int64 { return s.size }) > boxSegments*fullSegment
}

// spares reports whether the past is long enough without the oldest segment.
func (b *Box) spares() bool {
	return len(b.list) > 1 && sum(b.list[1:], (*boxSegment).passed) >= (boxSegments-1)*b.each
}

// keep adds an entry. Where the run went back, segments that had not begun by then are
// dropped.
func (b *Box) keep(l *Log, e *Entry) {
	if s := b.now(); s == nil || s.left {
		return
	}
	if e.Kind == Back {
		b.mu.Lock()
		n := len(b.list)
		for n > 0 && b.list[n-1].Start.Tick >= e.Tick {
			n--
		}
		b.list = slices.Delete(b.list, n, len(b.list))
		b.mu.Unlock()
	}
	if s := b.now(); s == nil { // all had begun later
		b.open(l)
	} else if !s.left {
		b.add(s, e, l.took)
	}
}

// add adds an entry, which took so long if it is a step.
func (b *Box) add(s *boxSegment, e *Entry, took time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e.Kind {
	case Step:
		s.ticks, s.dt = e.Tick-s.Start.Tick, e.Dt
		// A step that was interrupted counts as four usual ones at most, as a snapshot does.
		b.usual = smoothed(b.usual, took)
		s.cost += min(took, 4*b.usual)
	case Back:
		s.ticks = e.Tick - s.Start.Tick
	}
	if s.broken {
		return
	}
	var grown int64
	s.Entries, grown = add(s.Entries, e, b.making > 0)
	s.size += grown
}

// wantsHash reports whether the hash after the step to a tick is kept. One in sixteen
// shows as well that a replay differs, and costs a sixteenth. Where snapshots are as
// dense as is cheap, fewer do: a replay begins at one of them.
func (b *Box) wantsHash(tick uint64) bool {
	every := uint64(16)
	if b.memory > 0 {
		every = 64
	}
	return b.now() != nil && tick%every == 0
}

// closure says that a function has changed the world that has no name, so no entry can keep
// it.
func (b *Box) closure() {
	if s := b.now(); s != nil {
		b.mu.Lock()
		if !s.broken {
			s.broken, s.brokenAfter = true, s.passed()
		}
		b.mu.Unlock()
	}
}

// leave says that the run has gone elsewhere: what follows is another segment's.
func (b *Box) leave() {
	if b.closure(); b.now() != nil {
		b.now().left = true
	}
}

// ended is false: a box keeps the run to its end.
func (b *Box) ended() bool { return false }

// Fail notes that the step that comes next fails. It is s seconds long.
func (b *Box) Fail(s float64) {
	b.mu.Lock()
	b.failed = s
	b.mu.Unlock()
}

// File is the recording of what there is, as bytes.
func (b *Box) File() ([]byte, error) {
	f, parts, err := b.parts()
	if err != nil {
		return nil, err
	}
	defer b.release()
	f.Entries = slices.Concat(parts...)
	b.mu.Lock()
	f.pictures = b.pictures(f.Start.Tick)
	b.mu.Unlock()
	f.Header.States = len(f.pictures) > 0
	data, err := f.Bytes()
	if err != nil {
		return nil, fmt.Errorf("black box: %w", err)
	}
	return data, nil
}

// release ends what parts began.
func (b *Box) release() {
	b.mu.Lock()
	b.making--
	b.mu.Unlock()
}

// lasting is parts for a feed, whose watchers need a past that leads to now. Where rollbacks
// are possible it must begin at since or before, the oldest tick that they may go back to;
// otherwise since is nil.
func (b *Box) lasting(since *keptTick) (f *File, parts [][]Entry, err error) {
	if b == nil || b.now() == nil || b.now().broken {
		return nil, nil, errors.New("black box: nothing leads to now")
	}
	if f, parts, err = b.parts(); err == nil && since != nil && f.Start.Tick > since.Start.Tick {
		b.release()
		err = errors.New("black box: it begins too late")
	}
	return f, parts, err
}

// Recording is the recording of what there is, for replays in this process: each segment
// begins with a keyframe. Any goroutine.
func (b *Box) Recording() (*File, error) {
	b.mu.Lock()
	first, err := b.first()
	if err != nil {
		b.mu.Unlock()
		return nil, err
	}
	list := b.list[first:]
	f := &File{Header: list[0].header, Segment: Segment{Start: list[0].Start}, spent: []time.Duration{0}, taking: b.taking}
	f.First, f.Ticks = f.Start.Tick, f.Start.Tick
	var parts [][]Entry
	next := 0
	for i, s := range list {
		if s.shared = true; s.clean || i == 0 {
			f.keys = append(f.keys, &keyframe{tick: s.Start.Tick, next: next, state: s.Start.snapshot, foreign: true})
		}
		for n := range s.ticks {
			f.spent = append(f.spent, f.spent[len(f.spent)-1]+s.cost*time.Duration(n+1)/time.Duration(s.ticks)-s.cost*time.Duration(n)/time.Duration(s.ticks))
		}
		parts = append(parts, s.Entries)
		next += len(s.Entries)
	}
	b.making++ // File shares Entries: they are not written over meanwhile
	b.mu.Unlock()
	defer b.release()
	for _, part := range parts {
		for i := range part {
			if err := f.add(&part[i]); err != nil {
				return nil, err
			}
		}
	}
	f.Ending.Ticks = f.Ticks
	return f, nil
}

// first is the index of the first of the segments that follow from each other up to now.
func (b *Box) first() (int, error) {
	first := len(b.list) - 1
	switch {
	case b.err != nil:
		return 0, b.err
	case first < 0:
		return 0, errors.New("black box: nothing has happened yet")
	}
	for first > 0 && !b.list[first-1].broken {
		first--
	}
	return first, nil
}

// parts are the entries of the segments that follow from each other, as they are now,
// and a file for them. They are not written over until release.
func (b *Box) parts() (f *File, parts [][]Entry, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	first, err := b.first()
	if err != nil {
		return nil, nil, err
	}
	f = &File{Header: b.list[first].header, Segment: Segment{Start: b.list[first].Start}}
	for _, s := range b.list[first:] {
		parts = append(parts, s.Entries)
		f.Ending.Ticks = lastTick(s.Entries, s.Start.Tick)
	}
	if !b.now().broken {
		f.Ending.Failed = b.failed
	}
	b.making++
	return f, parts, nil
}
