package clock

import "math"

// Trace is a recording of frame times.
type Trace struct {
	Frames []TraceFrame

	// Presented is set if the recording says when each frame was presented and
	// displayed. TraceFrame.Time, UntilDisplayed and Dropped are then valid.
	Presented bool
}

// TraceFrame is one row of a trace.
type TraceFrame struct {
	Duration int64   // ns, rounded to nearest
	Between  float64 // s, the same time without rounding

	Time           float64 // s, when the frame was presented
	UntilDisplayed float64 // s, from the present to the display
	Dropped        bool    // whether the frame was never displayed
}

// Starts returns the time at which each frame started, in seconds. The first
// frame starts at 0, the others at the present of the frame before.
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
