package files

import (
	"bufio"
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"halfstep/cmd/viewer/outfile"
	"halfstep/engine"
	"halfstep/renderloop/presenttimes"
)

const LogHeader = "frame,time_s,tick,alpha,steps,dropped_s,body,x,y,angle\n"

// FrameLog writes the file of -log. If withSeen (-log-seen) is set, a row waits until the window
// system has reported when its frame was on the display.
type FrameLog struct {
	file *outfile.Stream
	w    *bufio.Writer
	row  []byte // scratch memory of write

	WithSeen bool
	rows     []waitingRow // rows are in the order of the file.
}

func NewFrameLog(path string, withSeen bool) (*FrameLog, error) {
	f, err := outfile.Create(path, nil)
	if err != nil {
		return nil, err
	}
	l := &FrameLog{file: f, w: bufio.NewWriterSize(f, 1<<16), WithSeen: withSeen}
	header := LogHeader
	if withSeen {
		header = strings.TrimSuffix(header, "\n") + seenColumn
	}
	l.w.WriteString(header)
	return l, nil
}

// LogRow has the columns of a row that are the same for all bodies.
type LogRow struct {
	Frame   uint64
	Time    float64 // Time is the scaled time on the clock, in s.
	Tick    uint64
	Alpha   float32
	Steps   int
	Dropped float64 // s
}

// Write adds the row of one body. A number has the fewest digits from which the same value can be
// read. The first error is kept and returned by Close.
func (l *FrameLog) Write(r LogRow, body string, p engine.Pose) {
	b := l.row[:0]
	b = append(strconv.AppendUint(b, r.Frame, 10), ',')
	b = append(strconv.AppendFloat(b, r.Time, 'f', -1, 64), ',')
	b = append(strconv.AppendUint(b, r.Tick, 10), ',')
	b = append(strconv.AppendFloat(b, float64(r.Alpha), 'g', -1, 32), ',')
	b = append(strconv.AppendInt(b, int64(r.Steps), 10), ',')
	b = append(strconv.AppendFloat(b, r.Dropped, 'g', -1, 64), ',')
	b = append(appendField(b, body), ',')
	b = append(strconv.AppendFloat(b, p.X, 'g', -1, 64), ',')
	b = append(strconv.AppendFloat(b, p.Y, 'g', -1, 64), ',')
	b = append(strconv.AppendFloat(b, p.Angle, 'g', -1, 64), '\n')
	l.row = b
	if l.WithSeen {
		l.hold(r.Frame, b)
		return
	}
	l.w.Write(b)
}

// appendField appends a name, in quotes if CSV requires quotes.
func appendField(b []byte, s string) []byte {
	if !strings.ContainsAny(s, ",\"\r\n") {
		return append(b, s...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(s, `"`, `""`)...)
	return append(b, '"')
}

func (l *FrameLog) Close() error {
	l.release(0) // keep none
	return cmp.Or(l.w.Flush(), l.file.Close())
}

// seenColumn is the part of the header that -log-seen adds.
const seenColumn = ",seen_s\n"

// maxWaiting is the greatest number of rows that wait for reports on their frames.
const maxWaiting = 1024

// waitingRow is a row that waits until it is known when its frame was seen.
type waitingRow struct {
	frame uint64
	text  []byte
	seen  []byte // seen is the last column of the row. It is nil while it is unknown.
}

// hold keeps a row until its last column is known.
func (l *FrameLog) hold(frame uint64, row []byte) {
	if len(l.rows) >= maxWaiting {
		l.release(maxWaiting / 2)
	}
	l.rows = append(l.rows, waitingRow{frame: frame, text: slices.Clone(bytes.TrimSuffix(row, []byte("\n")))})
}

// Seen fills in the last column of a frame's rows. The parameter at is when the frame was seen, on the
// viewer's clock.
func (l *FrameLog) Seen(frame uint64, t presenttimes.Time, at time.Duration) {
	if !l.WithSeen {
		return
	}
	word := []byte("nan")
	switch {
	case t.Seen.IsZero():
		word = []byte("inf")
	case t.Quality.Trusted():
		word = strconv.AppendFloat(nil, at.Seconds(), 'f', 6, 64)
	}
	for i := range l.rows {
		if l.rows[i].frame == frame {
			l.rows[i].seen = word
		}
	}
	known := 0
	for known < len(l.rows) && l.rows[known].seen != nil {
		known++
	}
	l.writeOut(known)
}

func (l *FrameLog) Waiting() int { return len(l.rows) }

// release writes all rows except the newest `keep` rows, even if their last column is unknown.
func (l *FrameLog) release(keep int) { l.writeOut(max(len(l.rows)-keep, 0)) }

// writeOut writes the first n waiting rows. An unknown last column is written as nan.
func (l *FrameLog) writeOut(n int) {
	for _, r := range l.rows[:n] {
		l.w.Write(r.text)
		l.w.WriteByte(',')
		if r.seen == nil {
			l.w.WriteString("nan")
		}
		l.w.Write(r.seen)
		l.w.WriteByte('\n')
	}
	l.rows = append(l.rows[:0], l.rows[n:]...)
}
