package clock

import (
	"fmt"
	"time"
)

// Source is where frame times come from. It belongs to the render thread.
type Source interface {
	// Next returns the time since the frame before, in nanoseconds, 0 for the
	// first frame, and false when there are no more frames.
	Next() (ns int64, ok bool)
	// Injected reports that the times are not those of the wall clock: see
	// Config.Injected. Such a source does not throttle the frames.
	Simulated() bool
}

// WallSource takes frame times from the wall clock (the monotonic one). Next
// belongs right after the present returns: that is the moment which the frames
// have in common.
type WallSource struct {
	last time.Time
	now  func() time.Time
}

// NewWallSource returns a source that starts with its first Next.
func NewWallSource() *WallSource { return &WallSource{now: time.Now} }

// Next returns the time since the last call; there is always a next frame.
func (s *WallSource) Next() (ns int64, ok bool) {
	now := s.now()
	if !s.last.IsZero() {
		ns = int64(now.Sub(s.last))
	}
	s.last = now
	return ns, true
}

// Injected is false.
func (s *WallSource) Simulated() bool { return false }

// FixedSource makes frames at an exact rate: the part of a nanosecond that a
// frame leaves is carried to the next, so n·num/den frames last n seconds.
type FixedSource struct {
	rate  Rate // frames per second
	carry int64
	begun bool
}

// NewFixedSource returns a source of the given rate in frames per second.
func NewFixedSource(rate Rate) (*FixedSource, error) {
	if err := rate.valid(false); err != nil {
		return nil, fmt.Errorf("frame %w", err)
	}
	return &FixedSource{rate: rate.reduced()}, nil
}

// Next returns the time of one frame; there is always a next frame.
func (s *FixedSource) Next() (ns int64, ok bool) {
	if !s.begun {
		s.begun = true
		return 0, true
	}
	s.carry += second * s.rate.Den
	ns = s.carry / s.rate.Num
	s.carry %= s.rate.Num
	return ns, true
}

// Injected is true.
func (s *FixedSource) Simulated() bool { return true }

// TraceSource plays recorded frame times: as many frames as the trace has
// rows, and frame N lasts as long as row N says, so it starts after rows 0 to
// N-1.
type TraceSource struct {
	trace *Trace
	next  int
}

// NewTraceSource returns a source that plays the trace from its beginning.
func NewTraceSource(t *Trace) *TraceSource { return &TraceSource{trace: t} }

// Next returns how long the frame before lasted, and false after the last row.
func (s *TraceSource) Next() (ns int64, ok bool) {
	if s.next >= len(s.trace.Frames) {
		return 0, false
	}
	if s.next > 0 {
		ns = s.trace.Frames[s.next-1].Duration
	}
	s.next++
	return ns, true
}

// Injected is true.
func (s *TraceSource) Simulated() bool { return true }
