package clock

import "math"

// Trace is a recording of frame times.
type Trace struct {
	Frames []TraceFrame

	// Presented says that the recording knows when each frame was presented
	// and shown: TraceFrame.Time, UntilDisplayed and Dropped are filled.
	Presented bool
}

// TraceFrame is one row of a trace.
type TraceFrame struct {
	Duration int64   // ns, rounded to nearest
	Between  float64 // the same as it was written, but in seconds

	Time           float64 // s, when it was presented
	UntilDisplayed float64 // s, from the present until it could be seen
	Dropped        bool    // it was never shown
}

// Starts returns when each frame started, in seconds: at the present of the
// frame before. The first starts at 0.
func (t *Trace) Starts() []float64 {
	starts := make([]float64, len(t.Frames))
	if !t.Presented {
		sum := 0.0
		for i, f := range t.Frames {
			starts[i] = sum
			sum += f.Between
		}
		return starts
	}
	for i, f := range t.Frames {
		starts[i] = f.Time - f.Between - t.origin()
	}
	return starts
}

// Visible returns when each frame could be seen, on the clock of Starts, and
// NaN for those that never could. It is nil unless the trace is Presented.
func (t *Trace) Visible() []float64 {
	if !t.Presented {
		return nil
	}
	visible := make([]float64, len(t.Frames))
	for i, f := range t.Frames {
		visible[i] = math.NaN()
		if !f.Dropped && f.UntilDisplayed > 0 {
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
