// Package frametrace reads recorded frame times and plays them back.
package frametrace

import (
	"fmt"
	"math"
	"slices"

	"halfstep/renderloop/frametime"
)

type traceSource struct {
	trace *Trace
	next  int
}

// NewTraceSource returns a source that plays a trace from its beginning. The source has one
// frame for each row of the trace. Row N gives the length of frame N, so frame N starts
// when the frames of rows 0 to N-1 are over.
func NewTraceSource(t *Trace) frametime.Source { return &traceSource{trace: t} }

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

// Trace is a recording of frame times.
type Trace struct {
	Frames []TraceFrame

	// Presented says that the recording tells when frames were displayed. Only then are
	// TraceFrame.Time, UntilDisplayed and Dropped valid.
	Presented bool

	// Streams lists the streams in the recording. Frames has the frames of the first stream in
	// the list. For a recording that is a plain list of times, Streams is empty.
	Streams []TraceStream

	// Note is one line about skipped rows and doubtful values, or "".
	Note string
}

// TraceFrame is one row of a trace.
type TraceFrame struct {
	Duration int64   // ns, rounded to nearest
	Between  float64 // Between is the time between frames in s, without rounding.

	Time           float64 // Time is when the frame ended, in s. In most recordings a frame ends when it is presented.
	UntilDisplayed float64 // UntilDisplayed is the time between Time and the display of the frame, in s.
	Dropped        bool    // Dropped says that the frame was never displayed.

	// Processor is how long the program worked on the frame, and Graphics is how long the
	// graphics processor worked afterwards, both in s. An unknown time is 0.
	Processor, Graphics float32
}

// Starts returns the time at which each frame started, in s. The first frame starts at 0,
// and each other frame starts when the frame before ends.
func (t *Trace) Starts() []float64 {
	starts := make([]float64, len(t.Frames))
	sum := 0.0
	for i, f := range t.Frames {
		starts[i] = sum
		if t.Presented {
			starts[i] = f.Time - f.Between - t.origin()
		}
		sum += f.Between
	}
	return starts
}

// Visible returns the time at which each frame was displayed, in s, counted like the times
// that Starts returns. For a frame that was never displayed it is NaN. The result is nil if
// t.Presented is false.
func (t *Trace) Visible() []float64 {
	if !t.Presented {
		return nil
	}
	visible := make([]float64, len(t.Frames))
	for i, f := range t.Frames {
		visible[i] = math.NaN()
		if !f.Dropped {
			visible[i] = f.Time - t.origin() + f.UntilDisplayed
		}
	}
	return visible
}

func (t *Trace) origin() float64 {
	if len(t.Frames) == 0 {
		return 0
	}
	return t.Frames[0].Time - t.Frames[0].Between
}

// The functions that read trace files call settle, display and doubt.

// settle converts the times of a recording to seconds. It chooses the unit in which the
// times advance as fast as the frame times. If no unit fits (when the times are dates, for
// example), it uses the sums of the frame times instead. The parameter starts says that the
// recorded times are the starts of frames; otherwise they are the ends.
func (t *Trace) settle(starts bool) {
	if len(t.Frames) == 0 {
		return
	}
	sum, rising, before := 0., true, math.Inf(-1)
	for i, f := range t.Frames {
		if i > 0 { // sum is the time from the end of the first frame to the end of the last
			sum += f.Between
		}
		rising = rising && f.Time >= before && !math.IsInf(f.Time, 0)
		before = f.Time
	}
	passed := before - t.Frames[0].Time
	if starts { // the times between starts include the length of the first frame, but not that of the last
		sum += t.Frames[0].Between - t.Frames[len(t.Frames)-1].Between
	}
	unit := 0.
	for _, u := range []float64{1e-9, 1e-7, 1e-6, 1e-3, 1} { // Windows counts in units of 1e-7 s
		if rising && math.Abs(passed*u-sum) <= .1*sum {
			unit = u
		}
	}
	end := 0.
	for i := range t.Frames {
		f := &t.Frames[i]
		end += f.Between
		switch {
		case unit == 0:
			f.Time = end
		case starts:
			f.Time = f.Time*unit + f.Between
		default:
			f.Time *= unit
		}
	}
}

// display records how long after its end the frame was displayed, in ms. If ever is false,
// the frame was never displayed.
func (f *TraceFrame) display(ms float64, ever bool) {
	f.Dropped = !ever || !(ms > 0) || math.IsInf(ms, 0)
	if !f.Dropped {
		f.UntilDisplayed = ms / 1e3
	}
}

// doubt adds a note if the values cannot be frame times in ms. The trace has at least one
// frame.
func (t *Trace) doubt() {
	sorted := make([]float64, len(t.Frames))
	rising := len(t.Frames) >= 8
	for i, f := range t.Frames {
		sorted[i] = f.Between * 1e3
		rising = rising && (i == 0 || f.Between > t.Frames[i-1].Between)
	}
	slices.Sort(sorted)
	median := sorted[len(sorted)/2]
	switch {
	case rising:
		t.note(fmt.Sprintf("its %d frame times only ever rise: are they the times at which frames began?", len(sorted)))
	case median > 1000:
		t.note(fmt.Sprintf("most frames take %.0f ms: are its times in µs or ns, and not in ms?", median))
	case median < .1 && median > 0:
		t.note(fmt.Sprintf("most frames take %.3g ms: are its times in seconds, and not in ms?", median))
	}
}

func (t *Trace) note(s string) {
	if t.Note != "" {
		t.Note += "; "
	}
	t.Note += s
}
