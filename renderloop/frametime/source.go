// Package frametime supplies frame times: from the wall clock or at a fixed rate. A Source
// belongs to the render thread.
package frametime

import (
	"fmt"
	"time"

	"halfstep/internal/monotime"
	"halfstep/renderloop/clock"
)

// Source supplies frame times. It belongs to the render thread.
type Source interface {
	// Next returns the time since the previous frame in nanoseconds: 0 for the
	// first frame. It returns false when there are no more frames.
	Next() (ns int64, ok bool)
	// Simulated reports whether the times do not come from the wall clock. A simulated source
	// does not limit the frame rate; see renderloop.Config.Simulated.
	Simulated() bool
}

type wallSource struct {
	last time.Time
	now  func() time.Time
}

// NewWallSource returns a source that measures frame times with the monotonic clock. Call
// Next right after the present returns, because that moment is the same in every frame.
// The source never ends.
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
	rate  clock.Rate // frames per second
	carry int64
	begun bool
}

// NewFixedSource returns a source of frames at an exact rate, in frames per second. It
// keeps the fraction of a nanosecond for the next frame, so n·num/den frames last exactly
// n seconds. A frame never comes too early: if the rate is that of the steps, each frame
// has one step. The source never ends.
func NewFixedSource(rate clock.Rate) (Source, error) {
	c, err := clock.New(rate) // New reduces the fraction
	if err != nil {
		return nil, fmt.Errorf("frame %w", err)
	}
	return &fixedSource{rate: c.Rate()}, nil
}

func (s *fixedSource) Next() (ns int64, ok bool) {
	if !s.begun {
		s.begun = true
		return 0, true
	}
	s.carry += int64(time.Second) * s.rate.Den
	ns = (s.carry + s.rate.Num - 1) / s.rate.Num
	s.carry -= ns * s.rate.Num
	return ns, true
}

func (s *fixedSource) Simulated() bool { return true }
