package history

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"halfstep/world"
)

const (
	// A box has so many segments, of which the last is not complete.
	boxSegments = 7
	// After a change that cannot be recorded, a segment lasts at least so long.
	shortSegment = time.Second
	// fullSegment limits the entries of a segment, in bytes, about.
	fullSegment = 32 << 20
)

// Box is a black box: the last seconds, for a file that may never be written. Physics
// fills it, and any goroutine may have the File. A nil Box keeps nothing.
type Box struct {
	scene string
	data  []byte
	each  time.Duration // of a segment

	// mu is held for a few instructions only, never while a file is made.
	mu     sync.Mutex
	list   []*boxSegment // oldest first
	err    error         // why there is nothing to write
	making int           // files; no snapshot is overwritten then
}

// boxSegment is a segment with what a file of it needs.
type boxSegment struct {
	header Header
	Segment
	size   int64   // of Entries, about
	ticks  uint64  // done since
	dt     float64 // of the last of them, s
	broken bool    // the next segment does not follow from this one
}

// NewBox makes a box of a length. Scene and data are those of RecordOptions.
func NewBox(length time.Duration, scene string, data []byte) *Box {
	return &Box{scene: scene, data: slices.Clone(data), each: max(length/(boxSegments-1), 1)}
}

// passed is the length of the segment in the world's time, about.
func (s *boxSegment) passed() time.Duration {
	return time.Duration(float64(s.ticks) * s.dt * float64(time.Second))
}

func (b *Box) now() *boxSegment {
	if b == nil || len(b.list) == 0 {
		return nil
	}
	return b.list[len(b.list)-1]
}

// begin begins a segment where one is due. It is called between two frames.
func (b *Box) begin(p *Past) {
	if b == nil || b.err != nil {
		return
	}
	if s := b.now(); s != nil {
		limit := b.each
		if s.broken {
			limit = min(limit, shortSegment)
		}
		if s.passed() < limit && s.size < fullSegment {
			return
		}
	}
	b.open(p)
}

func (b *Box) open(p *Past) {
	s := &boxSegment{header: p.header(fromSnapshot, b.scene, b.data), Segment: Segment{Start: p.start(b.recycle())}}
	err := p.World().Snapshot(s.Start.snapshot)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		b.err, b.list = fmt.Errorf("black box: %w", err), nil
		return
	}
	b.list = append(b.list, s)
}

// recycle drops the oldest segments that are not needed any more, and returns a snapshot
// that may be overwritten. A segment that was dropped too early is missed where the run
// goes back to before the newest.
func (b *Box) recycle() *world.Snapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := new(world.Snapshot)
	for len(b.list) > boxSegments || b.spares() {
		if b.making == 0 {
			s = b.list[0].Start.snapshot
		}
		b.list = slices.Delete(b.list, 0, 1)
	}
	return s
}

// spares reports whether the past is long enough without the oldest segment.
func (b *Box) spares() bool {
	if len(b.list) < 2 {
		return false
	}
	rest := time.Duration(0)
	for _, s := range b.list[1:] {
		rest += s.passed()
	}
	return rest >= (boxSegments-1)*b.each
}

func (b *Box) add(e *Entry) {
	s := b.now()
	if s == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e.Kind {
	case Step:
		s.ticks, s.dt = e.Tick-s.Start.Tick, e.Dt
	case Back:
		s.ticks = e.Tick - s.Start.Tick
	}
	if s.broken {
		return
	}
	s.size += e.size()
	if e.Kind == Back {
		for i := upTo(s.Entries, e.Tick); i < len(s.Entries); i++ {
			s.size -= s.Entries[i].size()
		}
	}
	s.Entries = add(s.Entries, e, b.making > 0)
}

// back adds that the run went back, where it is again. Segments that had not begun by
// then are dropped.
func (b *Box) back(p *Past, e *Entry) {
	if b.now() == nil {
		return
	}
	b.mu.Lock()
	n := len(b.list)
	for n > 0 && b.list[n-1].Start.Tick >= e.Tick {
		n--
	}
	b.list = slices.Delete(b.list, n, len(b.list))
	b.mu.Unlock()
	if b.add(e); n == 0 {
		b.open(p)
	}
}

// wantsHash reports whether the hash after the step to a tick is kept. One in sixteen
// shows as well that a replay differs, and costs a sixteenth.
func (b *Box) wantsHash(tick uint64) bool { return b.now() != nil && tick%16 == 0 }

// breakOff says that something has happened that cannot be kept.
func (b *Box) breakOff() {
	if s := b.now(); s != nil {
		b.mu.Lock()
		s.broken = true
		b.mu.Unlock()
	}
}

// File is the recording of what there is, as bytes. failed is the length of the step that
// comes next and fails, in s, or 0.
func (b *Box) File(failed float64) ([]byte, error) {
	f, parts, err := b.parts(failed)
	if err != nil {
		return nil, err
	}
	defer func() {
		b.mu.Lock()
		b.making--
		b.mu.Unlock()
	}()
	f.Entries = slices.Concat(parts...)
	data, err := f.Bytes()
	if err != nil {
		return nil, fmt.Errorf("black box: %w", err)
	}
	return data, nil
}

// parts are the entries of the segments that follow from each other, as they are now,
// and a file for them.
func (b *Box) parts(failed float64) (f *File, parts [][]Entry, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return nil, nil, b.err
	}
	first := len(b.list) - 1
	if first < 0 {
		return nil, nil, errors.New("black box: nothing has happened yet")
	}
	for first > 0 && !b.list[first-1].broken {
		first--
	}
	f = &File{Header: b.list[first].header, Segment: Segment{Start: b.list[first].Start}}
	for _, s := range b.list[first:] {
		parts = append(parts, s.Entries)
		f.Ending.Ticks = lastTick(s.Entries, s.Start.Tick)
	}
	if !b.now().broken {
		f.Ending.Failed = failed
	}
	b.making++
	return f, parts, nil
}
