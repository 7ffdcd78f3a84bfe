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
	// boxSegments is the number of segments of a box, including the last segment, which is not complete. A
	// segment is a snapshot and the entries after it.
	boxSegments = 7
	// After a change that cannot be recorded, a segment grows for at most shortSegment more, and then the
	// next segment begins.
	shortSegment = time.Second
	// fullSegment is an approximate limit for the size of a segment's entries, in bytes.
	fullSegment = 32 << 20
)

// MostShown is an approximate limit for the size of a box's pictures, in bytes. It is a variable so
// that tests can change it.
var MostShown int64 = 32 << 20

// Box is a black box: it keeps the last seconds of a run in memory. If something goes wrong, these
// seconds are written to a file. The physics goroutine fills the box, and any goroutine may call File.
type Box struct {
	scene string
	data  []byte
	shows bool          // the box keeps pictures of a world that only its program can compute
	each  time.Duration // the greatest length of a segment
	// memory is the number of bytes that snapshots may take. With more memory there are more snapshots, so
	// that a seek finds one near its tick. If memory is 0, the box has only the segments that files need.
	memory int64
	taking time.Duration // usual cost of a snapshot
	usual  time.Duration // usual cost of a step

	// mu is locked for a few instructions only, and not while a file is made.
	mu     sync.Mutex
	list   []*boxSegment // the oldest first
	shown  []*boxShown   // the oldest first
	err    error         // the reason why the box cannot write a file
	failed float64       // length of the step that failed, in s; 0 if no step failed
	making int           // the number of files that are being made; while it is above 0, no snapshot is overwritten
	spare  *world.Snapshot
}

// boxSegment is a segment of a Box, with the header of a file that begins with the segment.
type boxSegment struct {
	header Header
	Segment
	size   int64   // approximate size of Entries, in bytes
	ticks  uint64  // steps done since the start of the segment
	dt     float64 // length of the last step, in s
	broken bool    // entries are missing at the end, so the next segment does not follow from this segment
	left   bool    // the world has gone to another tick without an entry

	brokenAfter time.Duration // length of the segment when it became broken, in the world's time

	state  int64         // size of the snapshot, in bytes
	cost   time.Duration // time that the computation of the steps took
	shared bool          // a File uses the snapshot, so the snapshot must not be overwritten
	clean  bool          // the segment begins with a state after a step
}

// boxShown is a whole picture, and the changes up to the next whole picture.
type boxShown struct {
	whole  Entry
	since  []Entry
	size   int64         // bytes of both
	passed time.Duration // passed is the length in the world's time.
}

// NewBox makes a box that keeps a past of the given length. The parameter memory is the number of bytes
// for snapshots that files do not need. If shows is true, the box also keeps pictures of a world that
// only its program can compute. The parameters scene and data are stored in files, as those of
// RecordOptions are.
func NewBox(length time.Duration, memory int64, shows bool, scene string, data []byte) *Box {
	return &Box{scene: scene, data: slices.Clone(data), shows: shows, each: max(length/(boxSegments-1), 1), memory: memory}
}

// showsCode reports whether the box keeps pictures because the world has code, which no file can
// store. For a nil Box it returns false.
func (b *Box) showsCode(l *Log) bool { return b != nil && b.shows && private.HasCode(l.World()) }

// picture keeps the changes between two captures. If followed is false, the list does not follow from
// the last picture, and must begin with a whole picture.
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

// pictures returns the entries of states for a file that begins at the tick from. The first of them is
// the last whole picture up to that tick, or the oldest picture if there is none before. The caller must
// have locked mu.
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

// passed returns the approximate length of the segment in the world's time.
func (s *boxSegment) passed() time.Duration {
	return time.Duration(float64(s.ticks) * s.dt * float64(time.Second))
}

// now returns the newest segment, or nil.
func (b *Box) now() *boxSegment {
	if len(b.list) == 0 {
		return nil
	}
	return b.list[len(b.list)-1]
}

// begin begins a new segment if the present one is long enough. It is called between two frames.
func (b *Box) begin(l *Log) {
	if b.err != nil {
		return
	}
	if s := b.now(); s != nil {
		limit := b.each
		if s.broken { // keep the complete past for some time, because a file will begin with the next segment
			limit = s.brokenAfter + min(limit, shortSegment)
		}
		dense := b.memory > 0 && !s.broken && s.cost >= snapshotGap(b.taking) && endsFrame(s.Entries)
		if !s.left && s.passed() < limit && s.size < fullSegment && !dense {
			return
		}
	}
	b.open(l)
}

// quickReplay is the longest step time from a snapshot to the target of a seek that counts as quick.
const quickReplay = 150 * time.Millisecond

// snapshotGap returns the step time between two snapshots: quickReplay, but at least 50 times and at most
// 75 times the cost of a snapshot. It is never less than a few frames, because a shorter gap would not
// make seeks visibly quicker.
func snapshotGap(taking time.Duration) time.Duration {
	return max(5*KeyframeGap, 2*KeyframeCost*taking, min(3*KeyframeCost*taking, quickReplay))
}

// endsFrame reports whether a list of entries ends with a frame that had steps.
func endsFrame(e []Entry) bool {
	n := len(e)
	return n >= 2 && e[n-1].Kind == End && e[n-2].Kind == Step
}

// open begins a segment with a snapshot of the present world.
func (b *Box) open(l *Log) {
	began := monotime.Now()
	s := &boxSegment{Segment: Segment{Start: l.start(b.recycle())}, clean: b.now() != nil && endsFrame(b.now().Entries)}
	err := l.take(&s.Start.saved)
	s.state = int64(s.Start.saved.Snapshot.Size())
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

// held returns the size of all snapshots in bytes.
func (b *Box) held() int64 { return sum(b.list, func(s *boxSegment) int64 { return s.state }) }

// sum returns the sum of a value over the segments.
func sum[T int64 | time.Duration](list []*boxSegment, of func(*boxSegment) T) (all T) {
	for _, s := range list {
		all += of(s)
	}
	return all
}

// merge joins two neighbouring segments: those whose steps cost the least. It does not touch the newest
// segment. It reports whether it has joined any.
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

// free keeps the snapshot of a removed segment, so that the next segment can overwrite the snapshot. It
// does not keep a snapshot that a File uses.
func (b *Box) free(s *boxSegment) {
	if b.making == 0 && !s.shared {
		b.spare = s.Start.saved.Snapshot
	}
}

// recycle drops the oldest segments that are not needed, and returns a snapshot that may be overwritten.
// It is called only when a new segment begins, because before that a rollback may remove the newest
// segments.
func (b *Box) recycle() *world.Snapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.memory == 0 && len(b.list) > boxSegments || b.full() || b.oldestIsSpare() {
		b.free(b.list[0])
		b.list = slices.Delete(b.list, 0, 1)
	}
	s := cmp.Or(b.spare, new(world.Snapshot))
	b.spare = nil
	return s
}

// full reports whether the entries take too much memory.
func (b *Box) full() bool {
	return sum(b.list, func(s *boxSegment) int64 { return s.size }) > boxSegments*fullSegment
}

// oldestIsSpare reports whether the past is long enough without the oldest segment.
func (b *Box) oldestIsSpare() bool {
	return len(b.list) > 1 && sum(b.list[1:], (*boxSegment).passed) >= (boxSegments-1)*b.each
}

// keep adds an entry. If the run has gone back, keep drops the later segments.
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
	if s := b.now(); s == nil { // all segments had begun later
		b.open(l)
	} else if !s.left {
		b.add(s, e, l.took)
	}
}

// add adds an entry to a segment. The parameter took is the time that computing a step took.
func (b *Box) add(s *boxSegment, e *Entry, took time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e.Kind {
	case Step:
		s.ticks, s.dt = e.Tick-s.Start.Tick, e.Dt
		// the operating system may interrupt a step or a snapshot, so no measured cost counts as more than four
		// times the usual cost
		b.usual = smoothed(b.usual, took)
		s.cost += min(took, 4*b.usual)
	case Back:
		s.ticks = e.Tick - s.Start.Tick
	}
	if s.broken {
		return
	}
	var grown int64
	s.Entries, grown = add(s.Entries, e, b.making > 0) // the list is shared while a file is made
	s.size += grown
}

// wantsHash reports whether the box keeps the hash after the step to a tick. One hash in sixteen ticks is
// enough to detect that a replay differs. One in sixty-four is enough if the box has memory for more
// snapshots, because then a replay begins at a snapshot nearby.
func (b *Box) wantsHash(tick uint64) bool {
	every := uint64(16)
	if b.memory > 0 {
		every = 64
	}
	return b.now() != nil && tick%every == 0
}

// closure marks a change by a function without a name. No entry can record such a change.
func (b *Box) closure() {
	if s := b.now(); s != nil {
		b.mu.Lock()
		if !s.broken {
			s.broken, s.brokenAfter = true, s.passed()
		}
		b.mu.Unlock()
	}
}

// leave records that the run has gone to another tick without entries. The next frame then begins a
// segment.
func (b *Box) leave() {
	if b.closure(); b.now() != nil {
		b.now().left = true
	}
}

// ended returns false, because a box keeps the run until it ends.
func (b *Box) ended() bool { return false }

// Fail records that the next step fails. The parameter s is the length of that step, in s.
func (b *Box) Fail(s float64) {
	b.mu.Lock()
	b.failed = s
	b.mu.Unlock()
}

// File returns a recording of the kept past as bytes.
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

// release allows entries to be overwritten again after a call of parts.
func (b *Box) release() {
	b.mu.Lock()
	b.making--
	b.mu.Unlock()
}

// lasting returns what parts returns, for a feed. It returns an error if the past does not reach up to the
// present, or if it begins after since, the oldest tick to which a rollback may go back. since is nil
// in a run without rollback.
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

// Recording returns a recording of the kept past for replays in this process. Each segment begins with a
// keyframe. Any goroutine may call Recording.
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
		if s.shared = true; s.clean || i == 0 { // a keyframe needs the state after a step
			f.keys = append(f.keys, &keyframe{tick: s.Start.Tick, next: next, state: s.Start.saved.Snapshot, kept: s.Start.saved.Kept, foreign: true})
		}
		for n := range s.ticks {
			f.spent = append(f.spent, f.spent[len(f.spent)-1]+s.cost*time.Duration(n+1)/time.Duration(s.ticks)-s.cost*time.Duration(n)/time.Duration(s.ticks))
		}
		parts = append(parts, s.Entries)
		next += len(s.Entries)
	}
	b.making++ // while making is above 0, nothing overwrites the Entries that the File shares
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

// first returns the index of the oldest segment from which entries lead to the present.
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

// parts returns the entries of the segments that lead to the present, and a file without entries for
// them. The entries are not overwritten until release is called.
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
