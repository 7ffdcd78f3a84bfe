package frametrace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// capture is the part of a CapFrameX file that is read.
type capture struct {
	Info struct{ ProcessName string }
	Runs []struct {
		CaptureData struct {
			MsBetweenPresents, TimeInSeconds, MsUntilDisplayed, Dropped []value
		}
	}
}

// value is a number in a CapFrameX file. The program writes an invalid number as a string
// or as null, and writes a boolean to say whether a frame was dropped.
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
	t := &tableReader{table: new(table), streams: []TraceStream{{Application: c.Info.ProcessName}}}
	at := func(all []value, i int) float64 {
		if i < len(all) {
			return float64(all[i])
		}
		return math.NaN()
	}
	runs := 0
	for _, run := range c.Runs {
		d := &run.CaptureData
		if len(d.MsBetweenPresents) == 0 {
			continue
		}
		if runs++; len(d.MsUntilDisplayed) == 0 {
			t.shown = -1 // -1 means that the table has no such column
		}
		for i, ms := range d.MsBetweenPresents {
			if !possible(float64(ms)) {
				t.without++
			} else if err := t.add(float64(ms), at(d.TimeInSeconds, i), at(d.MsUntilDisplayed, i), at(d.Dropped, i) != 1, row{}); err != nil {
				return nil, err
			}
		}
	}
	if runs == 0 {
		return nil, fmt.Errorf("it is JSON without Runs[].CaptureData.MsBetweenPresents, so no capture of CapFrameX; %s", traceForms)
	}
	read, err := t.trace(stream)
	if err == nil && runs > 1 {
		read.note(fmt.Sprintf("its %d runs are read one after the other", runs))
	}
	return read, err
}
