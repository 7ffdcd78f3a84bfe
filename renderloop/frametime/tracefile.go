package frametime

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"halfstep/renderloop/clock"
)

// Limits of a trace.
const (
	maxTrace        = 64 << 20  // bytes
	maxTraceFrames  = 2_000_000 // nine hours at 60 Hz
	maxTraceColumns = 1000
)

// ReadTraceFile reads a trace from a file; see ReadTrace. An error is one line that
// begins with the path.
func ReadTraceFile(path string) (*Trace, error) {
	var t *Trace
	f, err := os.Open(path)
	if err == nil {
		defer f.Close()
		t, err = ReadTrace(f)
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err // does not mention the path again
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// traceColumn is the column that identifies the header of a recording.
const traceColumn = "MsBetweenPresents"

// ReadTrace reads frame times in one of two formats. A list has one frame time in
// milliseconds per line; blank lines and lines that begin with # are skipped. A
// table is a CSV file of PresentMon, CapFrameX or OCAT, with a row per line. Its
// header is the first line that contains MsBetweenPresents. Only the rows of the
// first application and swap chain are read, and incomplete rows are skipped. Other
// text in the file may have any encoding.
//
// ReadTrace fails on a frame time that is negative, not finite or longer than a
// day, on a trace without frames, and on more than 64 MiB, 2,000,000 frames or
// 1,000 columns. It takes at most five times the size of the file and 40 bytes for
// each line, up to 2,000,000.
func ReadTrace(r io.Reader) (*Trace, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxTrace+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxTrace {
		return nil, fmt.Errorf("larger than %d MiB", maxTrace>>20)
	}
	data = oneLineEnding(bytes.TrimPrefix(data, []byte("\ufeff")))
	t := &Trace{Frames: make([]TraceFrame, 0, min(bytes.Count(data, []byte("\n"))+1, maxTraceFrames))}
	if first, at, ok := traceHeader(data); ok {
		err = t.readTable(data[at:], first)
	} else {
		err = t.readList(data)
	}
	if err != nil {
		return nil, err
	}
	if len(t.Frames) == 0 {
		return nil, errors.New("no frame times in it")
	}
	return t, nil
}

// oneLineEnding replaces the line endings of all systems by \n, in place.
func oneLineEnding(data []byte) []byte {
	to := 0
	for i, c := range data {
		switch {
		case c != '\r':
		case i+1 < len(data) && data[i+1] == '\n':
			continue
		default:
			c = '\n'
		}
		data[to] = c
		to++
	}
	return data[:to]
}

func traceHeader(data []byte) (line, at int, ok bool) {
	name := []byte(traceColumn)
	for i := range data {
		if data[i]|0x20 == 'm' && i+len(name) <= len(data) && bytes.EqualFold(data[i:i+len(name)], name) {
			return 1 + bytes.Count(data[:i], []byte("\n")), bytes.LastIndexByte(data[:i], '\n') + 1, true
		}
	}
	return 0, 0, false
}

func (t *Trace) readList(data []byte) error {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		ms, err := strconv.ParseFloat(string(line), 64)
		if err != nil && len(t.Frames) == 0 && bytes.ContainsAny(line, ",;\t") {
			return fmt.Errorf("no column %s", traceColumn)
		}
		if err != nil {
			return fmt.Errorf("line %d: %q is not a frame time in ms", n, clip(line))
		}
		if err := t.add(TraceFrame{Between: ms / 1e3}, ms); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return nil
}

func (t *Trace) add(f TraceFrame, ms float64) error {
	if math.IsNaN(ms) || ms < 0 || ms*1e6 > clock.MaxFrameTime {
		return fmt.Errorf("a frame time of %v ms", ms)
	}
	if len(t.Frames) == maxTraceFrames {
		return fmt.Errorf("more than %d frames", maxTraceFrames)
	}
	f.Duration = int64(math.Round(ms * 1e6))
	t.Frames = append(t.Frames, f)
	return nil
}

func clip(b []byte) string {
	if len(b) > 40 {
		return string(b[:40]) + "…"
	}
	return string(b)
}

type traceColumns struct{ between, time, until, dropped, app, chain int }

func (t *Trace) readTable(data []byte, first int) error {
	header, data, _ := bytes.Cut(data, []byte("\n"))
	row := splitRow(nil, header, maxTraceColumns+1)
	if len(row) > maxTraceColumns {
		return fmt.Errorf("line %d: more than %d columns", first, maxTraceColumns)
	}
	c := findColumns(row)
	if c.between < 0 {
		return fmt.Errorf("no column %s", traceColumn)
	}
	t.Presented = c.time >= 0 && c.until >= 0 && c.dropped >= 0
	var app, chain []byte
	n, rows := first, 0
	for line := range bytes.Lines(data) {
		n++
		line = bytes.TrimSuffix(line, []byte("\n"))
		if len(line) == 0 {
			continue
		}
		row = splitRow(row[:0], line, maxTraceColumns)
		if rows++; rows == 1 {
			app, chain = traceField(row, c.app), traceField(row, c.chain)
		}
		if !bytes.Equal(traceField(row, c.app), app) || !bytes.Equal(traceField(row, c.chain), chain) {
			continue
		}
		f, ms, ok := t.frame(c, row)
		if !ok {
			continue
		}
		if err := t.add(f, ms); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return nil
}

// splitRow appends the fields of a line to row, until there are most. Quotes around a
// field are left out; two quotes within one stay two.
func splitRow(row [][]byte, line []byte, most int) [][]byte {
	for len(row) < most {
		from, end := 0, bytes.IndexByte(line, ',')
		if len(line) > 0 && line[0] == '"' {
			from = 1
			for end = 1; end < len(line) && !(line[end] == '"' && (end+1 == len(line) || line[end+1] == ',')); end++ {
				if line[end] == '"' && line[end+1] == '"' {
					end++
				}
			}
		}
		if end < 0 || end >= len(line) {
			return append(row, line[from:])
		}
		row = append(row, line[from:end])
		if line = line[end+from:]; len(line) == 0 { // the quote was the last
			return row
		}
		line = line[1:]
	}
	return row
}

func findColumns(names [][]byte) traceColumns {
	at := func(name string) int {
		return slices.IndexFunc(names, func(b []byte) bool { return strings.EqualFold(string(bytes.TrimSpace(b)), name) })
	}
	return traceColumns{at(traceColumn), at("TimeInSeconds"), at("MsUntilDisplayed"), at("Dropped"), at("Application"), at("SwapChainAddress")}
}

// frame reads one row. ok is false if a value is missing or not a number.
func (t *Trace) frame(c traceColumns, row [][]byte) (f TraceFrame, ms float64, ok bool) {
	ms, err := strconv.ParseFloat(string(traceField(row, c.between)), 64)
	if err != nil {
		return f, 0, false
	}
	f.Between = ms / 1e3
	if !t.Presented {
		return f, ms, true
	}
	shown, err1 := strconv.ParseFloat(string(traceField(row, c.until)), 64)
	dropped, err2 := strconv.Atoi(string(traceField(row, c.dropped)))
	f.Time, err = strconv.ParseFloat(string(traceField(row, c.time)), 64)
	if err != nil || err1 != nil || err2 != nil || math.IsNaN(f.Time) || math.IsInf(f.Time, 0) {
		return f, 0, false
	}
	f.UntilDisplayed, f.Dropped = shown/1e3, dropped != 0
	return f, ms, true
}

func traceField(row [][]byte, i int) []byte {
	if i < 0 || i >= len(row) {
		return nil
	}
	return bytes.TrimSpace(row[i])
}
