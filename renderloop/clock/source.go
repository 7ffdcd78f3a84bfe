package clock

import (
	"fmt"
	"time"

	"halfstep/internal/monotime"
)

// Source supplies frame times. It belongs to the render thread.
type Source interface {
	// Next returns the time since the previous frame in nanoseconds: 0 for the
	// first frame. It returns false when there are no more frames.
	Next() (ns int64, ok bool)
	// Simulated reports whether the times come from something other than the
	// wall clock. A simulated source does not limit the frame rate; see
	// renderloop.Config.Simulated.
	Simulated() bool
}

type wallSource struct {
	last time.Time
	now  func() time.Time
}

// NewWallSource returns a source that measures frame times with the monotonic
// clock. Call Next right after the present returns: that moment is comparable
// from frame to frame. The source has no end.
func NewWallSource() Source { return &wallSource{now: monotime.Now} }

func (s *wallSource) Next() (ns int64, ok bool) {
	now := s.now()
	if !s.last.IsZero() {
		ns = int64(now.Sub(s.last))
	}
	s.last = now
	return ns, true
}

func (s *wallSource) Simulated() bool { return false }

type fixedSource struct {
	rate  Rate // frames per second
	carry int64
	begun bool
}

// NewFixedSource returns a source of frames at an exact rate, in frames per
// second. It carries the fraction of a nanosecond from frame to frame, so
// n·num/den frames last exactly n seconds. A frame never comes too early, so that
// at the rate of the steps each frame has one. The source has no end.
func NewFixedSource(rate Rate) (Source, error) {
	if err := rate.valid(false); err != nil {
		return nil, fmt.Errorf("frame %w", err)
	}
	return &fixedSource{rate: rate.reduced()}, nil
}

func (s *fixedSource) Next() (ns int64, ok bool) {
	if !s.begun {
		s.begun = true
		return 0, true
	}
	s.carry += second * s.rate.Den
	ns = (s.carry + s.rate.Num - 1) / s.rate.Num
	s.carry -= ns * s.rate.Num
	return ns, true
}

func (s *fixedSource) Simulated() bool { return true }

type traceSource struct {
	trace *Trace
	next  int
}

// NewTraceSource returns a source that plays a trace from its beginning. It has
// one frame for each row of the trace. Row N is how long frame N lasts, so
// frame N starts after the times of rows 0 to N-1.
func NewTraceSource(t *Trace) Source { return &traceSource{trace: t} }

func (s *traceSource) Next() (ns int64, ok bool) {
	if s.next >= len(s.trace.Frames) {
		return 0, false
	}
	if s.next > 0 {
		ns = s.trace.Frames[s.next-1].Duration
	}
	s.next++
	return ns, true
}

func (s *traceSource) Simulated() bool { return true }
