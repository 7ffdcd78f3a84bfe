package clock

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// maxTrace is the size limit of a trace in bytes.
const maxTrace = 64 << 20

// ReadTraceFile reads a trace from a file; see ReadTrace. An error is one line that
// begins with the path.
func ReadTraceFile(path string) (*Trace, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, withoutPath(err))
	}
	defer f.Close()
	t, err := ReadTrace(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, withoutPath(err))
	}
	return t, nil
}

// withoutPath removes a second mention of the path from an error.
func withoutPath(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// traceColumn is the column that identifies the header of a recording.
const traceColumn = "MsBetweenPresents"

// ReadTrace reads frame times in one of two formats. A list has one frame time in
// milliseconds per line; blank lines and lines that begin with # are skipped. A
// table is a CSV file of PresentMon, CapFrameX or OCAT. Its header is the first
// line that contains MsBetweenPresents. Only the rows of the first application and
// swap chain are read, and incomplete rows are skipped. Other text in the file may
// have any encoding.
//
// ReadTrace fails on a frame time that is negative, not finite or longer than a
// day, on a trace without frames, and on more than 64 MiB.
func ReadTrace(r io.Reader) (*Trace, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxTrace+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxTrace {
		return nil, fmt.Errorf("larger than %d MB", maxTrace>>20)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	// Accept the line endings of all systems.
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	t := &Trace{}
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

// traceHeader returns the number and the position of the header line.
func traceHeader(data []byte) (line, at int, ok bool) {
	i := bytes.Index(lower(data), lower([]byte(traceColumn)))
	if i < 0 {
		return 0, 0, false
	}
	return 1 + bytes.Count(data[:i], []byte("\n")), bytes.LastIndexByte(data[:i], '\n') + 1, true
}

// lower returns data with its ASCII letters in lower case. It works on bytes, so
// that positions stay the same and other bytes need not be UTF-8.
func lower(data []byte) []byte {
	small := bytes.Clone(data)
	for i, c := range small {
		if 'A' <= c && c <= 'Z' {
			small[i] = c + 'a' - 'A'
		}
	}
	return small
}

func (t *Trace) readList(data []byte) error {
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		ms, err := strconv.ParseFloat(line, 64)
		if err != nil && len(t.Frames) == 0 && strings.ContainsAny(line, ",;\t") {
			return fmt.Errorf("no column %s", traceColumn)
		}
		if err != nil {
			return fmt.Errorf("line %d: %q is not a frame time in ms", i+1, clip(line))
		}
		if err := t.add(TraceFrame{Between: ms / 1e3}, ms); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return nil
}

func (t *Trace) add(f TraceFrame, ms float64) error {
	if math.IsNaN(ms) || ms < 0 || ms*1e6 > MaxFrameTime {
		return fmt.Errorf("a frame time of %v ms", ms)
	}
	f.Duration = int64(math.Round(ms * 1e6))
	t.Frames = append(t.Frames, f)
	return nil
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

// traceColumns are the indices of columns, -1 for a missing one.
type traceColumns struct{ between, time, until, dropped, app, chain int }

func (t *Trace) readTable(data []byte, first int) error {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1
	r.LazyQuotes = true
	names, err := r.Read()
	if err != nil {
		return fmt.Errorf("line %d: %w", first, err)
	}
	at := func(name string) int {
		return slices.IndexFunc(names, func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), name) })
	}
	c := traceColumns{at(traceColumn), at("TimeInSeconds"), at("MsUntilDisplayed"), at("Dropped"), at("Application"), at("SwapChainAddress")}
	if c.between < 0 {
		return fmt.Errorf("no column %s", traceColumn)
	}
	t.Presented = c.time >= 0 && c.until >= 0 && c.dropped >= 0
	var app, chain string
	for rows := 0; ; rows++ {
		row, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", first+rows+1, err)
		}
		if rows == 0 {
			app, chain = traceField(row, c.app), traceField(row, c.chain)
		}
		if traceField(row, c.app) != app || traceField(row, c.chain) != chain {
			continue
		}
		f, ms, ok := t.frame(c, row)
		if !ok {
			continue
		}
		if err := t.add(f, ms); err != nil {
			line, _ := r.FieldPos(0)
			return fmt.Errorf("line %d: %w", first+line-1, err)
		}
	}
}

// frame reads one row. ok is false if a value is missing or not a number.
func (t *Trace) frame(c traceColumns, row []string) (f TraceFrame, ms float64, ok bool) {
	ms, err := strconv.ParseFloat(traceField(row, c.between), 64)
	if err != nil {
		return f, 0, false
	}
	f.Between = ms / 1e3
	if !t.Presented {
		return f, ms, true
	}
	shown, err1 := strconv.ParseFloat(traceField(row, c.until), 64)
	dropped, err2 := strconv.Atoi(traceField(row, c.dropped))
	f.Time, err = strconv.ParseFloat(traceField(row, c.time), 64)
	if err != nil || err1 != nil || err2 != nil || math.IsNaN(f.Time) || math.IsInf(f.Time, 0) {
		return f, 0, false
	}
	f.UntilDisplayed, f.Dropped = shown/1e3, dropped != 0
	return f, ms, true
}

func traceField(row []string, i int) string {
	if i < 0 || i >= len(row) {
		return ""
	}
	return strings.TrimSpace(row[i])
}
