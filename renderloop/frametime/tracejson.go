package frametime

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// capture is a recording in CapFrameX' own form.
type capture struct {
	Info struct{ ProcessName string }
	Runs []struct {
		CaptureData struct {
			MsBetweenPresents, TimeInSeconds, MsUntilDisplayed, Dropped []value
		}
	}
}

// value is a number. One that is no number is written as a string or as null, and whether a
// frame was dropped as a truth value.
type value float64

func (v *value) UnmarshalJSON(b []byte) error {
	switch s := strings.Trim(string(b), `"`); s {
	case "true":
		*v = 1
	case "false":
		*v = 0
	default:
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			x = math.NaN()
		}
		*v = value(x)
	}
	return nil
}

func readCapFrameX(r io.Reader, stream string) (*Trace, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxTraceJSON+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxTraceJSON {
		return nil, fmt.Errorf("JSON larger than %d MiB", maxTraceJSON>>20)
	}
	var c capture
	if err := json.Unmarshal(data, &c); err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			return nil, fmt.Errorf("it is JSON that is damaged or cut off at byte %d: %w", syntax.Offset, err)
		}
		return nil, fmt.Errorf("it is JSON, but no capture of CapFrameX; %s", traceForms)
	}
	t := &Trace{Streams: []TraceStream{{Application: c.Info.ProcessName}}}
	runs, without, shown := 0, 0, true
	for _, run := range c.Runs {
		d := run.CaptureData
		if len(d.MsBetweenPresents) == 0 {
			continue
		}
		runs++
		shown = shown && len(d.MsUntilDisplayed) > 0
		t.Frames = slices.Grow(t.Frames, min(len(d.MsBetweenPresents), maxTraceFrames-len(t.Frames)))
		at := func(all []value, i int) float64 {
			if i < len(all) {
				return float64(all[i])
			}
			return math.NaN()
		}
		for i, between := range d.MsBetweenPresents {
			if !possible(float64(between)) {
				without++
				continue
			}
			if len(t.Frames) == maxTraceFrames {
				return nil, fmt.Errorf("more than %d frames", maxTraceFrames)
			}
			f := lasting(float64(between))
			f.Time = at(d.TimeInSeconds, i)
			f.display(at(d.MsUntilDisplayed, i), at(d.Dropped, i) != 1)
			t.Frames = append(t.Frames, f)
		}
	}
	if runs == 0 {
		return nil, fmt.Errorf("it is JSON without Runs[].CaptureData.MsBetweenPresents, so no capture of CapFrameX; %s", traceForms)
	}
	t.Presented, t.Streams[0].Frames = shown, len(t.Frames)
	if !t.Streams[0].has(strings.Fields(stream)) {
		return nil, noStream(stream, t.Streams)
	}
	if runs > 1 {
		t.note(fmt.Sprintf("its %d runs are read one after the other", runs))
	}
	if without > 0 {
		t.note(plural(without, "row") + " without a frame time skipped")
	}
	t.settle(false)
	return t, nil
}
