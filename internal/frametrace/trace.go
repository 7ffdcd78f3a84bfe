// Package frametrace reads recorded frame times and plays them.
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

// NewTraceSource returns a source that plays a trace from its beginning. It has one frame
// for each row of the trace. Row N is the length of frame N, so frame N starts after the
// times of rows 0 to N-1.
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

	// Presented is set if the recording says when frames were displayed.
	// TraceFrame.Time, UntilDisplayed and Dropped are then valid.
	Presented bool

	// Streams lists the streams in the recording. Frames has the frames of the first one.
	// Streams is empty for a list.
	Streams []TraceStream

	// Note is one line about rows that were left out and doubtful values, or "".
	Note string
}

// TraceFrame is one row of a trace.
type TraceFrame struct {
	Duration int64   // ns, rounded to nearest
	Between  float64 // s, the same time without rounding

	Time           float64 // s, when the frame ended: in most recordings, when it was presented
	UntilDisplayed float64 // s, from Time to the display
	Dropped        bool    // whether the frame was never displayed

	// Processor is the program's work on the frame, and Graphics the later work of the graphics
	// processor, in seconds; 0 if unknown.
	Processor, Graphics float32
}

// Starts returns the time at which each frame started, in seconds. The first
// frame starts at 0, the others where the frame before ended.
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

// Visible returns the time at which each frame was displayed, in seconds on the
// time axis of Starts. It is NaN for frames that were never displayed. The result
// is nil unless t.Presented is set.
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

// The readers of trace files call settle, display and doubt.

// settle converts the times of a recording to seconds. Their unit is the one in which they
// advance as fast as the frame times. If no unit fits, as with dates, the sums of the frame
// times replace them. starts says that they are the frames' starts, and not their ends.
func (t *Trace) settle(starts bool) {
	if len(t.Frames) == 0 {
		return
	}
	sum, rising, before := 0., true, math.Inf(-1)
	for i, f := range t.Frames {
		if i > 0 { // sum is the time from the end of the first frame to that of the last
			sum += f.Between
		}
		rising = rising && f.Time >= before && !math.IsInf(f.Time, 0)
		before = f.Time
	}
	passed := before - t.Frames[0].Time
	if starts { // times between starts include the first frame, and not the last
		sum += t.Frames[0].Between - t.Frames[len(t.Frames)-1].Between
	}
	unit := 0.
	for _, u := range []float64{1e-9, 1e-7, 1e-6, 1e-3, 1} { // 1e-7 is the unit of Windows
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

// display sets how long after its end the frame was displayed, in ms, or that it never was.
func (f *TraceFrame) display(ms float64, ever bool) {
	f.Dropped = !ever || !(ms > 0) || math.IsInf(ms, 0)
	if !f.Dropped {
		f.UntilDisplayed = ms / 1e3
	}
}

// doubt adds a note if the values cannot be frame times in ms. There is at least one frame.
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
