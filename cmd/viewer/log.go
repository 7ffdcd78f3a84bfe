package main

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

const logHeader = "frame,time_s,tick,alpha,steps,dropped_s,body,x,y,angle\n"

// frameLog writes the file of -log. With withSeen (-log-seen) a row waits until the window system has
// reported when its frame was on the display.
type frameLog struct {
	file *outfile.Stream
	w    *bufio.Writer
	row  []byte // scratch of write

	withSeen bool
	rows     []waitingRow // in the order of the file
}

func newFrameLog(path string, withSeen bool) (*frameLog, error) {
	f, err := outfile.Create(path, nil)
	if err != nil {
		return nil, err
	}
	l := &frameLog{file: f, w: bufio.NewWriterSize(f, 1<<16), withSeen: withSeen}
	header := logHeader
	if withSeen {
		header = strings.TrimSuffix(header, "\n") + seenColumn
	}
	l.w.WriteString(header)
	return l, nil
}

// logRow holds the columns of a row that do not depend on the body.
type logRow struct {
	frame   uint64
	time    float64 // s, scaled time on the clock
	tick    uint64
	alpha   float32
	steps   int
	dropped float64 // s
}

// write adds the row of one body. Numbers have as many digits as it takes to
// read the same value back. The first error is kept for close.
func (l *frameLog) write(r logRow, body string, p engine.Pose) {
	b := l.row[:0]
	b = append(strconv.AppendUint(b, r.frame, 10), ',')
	b = append(strconv.AppendFloat(b, r.time, 'f', -1, 64), ',')
	b = append(strconv.AppendUint(b, r.tick, 10), ',')
	b = append(strconv.AppendFloat(b, float64(r.alpha), 'g', -1, 32), ',')
	b = append(strconv.AppendInt(b, int64(r.steps), 10), ',')
	b = append(strconv.AppendFloat(b, r.dropped, 'g', -1, 64), ',')
	b = append(appendField(b, body), ',')
	b = append(strconv.AppendFloat(b, p.X, 'g', -1, 64), ',')
	b = append(strconv.AppendFloat(b, p.Y, 'g', -1, 64), ',')
	b = append(strconv.AppendFloat(b, p.Angle, 'g', -1, 64), '\n')
	l.row = b
	if l.withSeen {
		l.hold(r.frame, b)
		return
	}
	l.w.Write(b)
}

// appendField quotes a name if CSV requires it.
func appendField(b []byte, s string) []byte {
	if !strings.ContainsAny(s, ",\"\r\n") {
		return append(b, s...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(s, `"`, `""`)...)
	return append(b, '"')
}

func (l *frameLog) close() error {
	l.release(0) // keep none
	return cmp.Or(l.w.Flush(), l.file.Close())
}

// seenColumn is added to the header by -log-seen.
const seenColumn = ",seen_s\n"

// maxWaiting is the most rows that wait for a report on their frames.
const maxWaiting = 1024

// waitingRow is a row that waits until it is known when its frame was seen.
type waitingRow struct {
	frame uint64
	text  []byte
	seen  []byte // the last column; nil while it is not known
}

// hold keeps a row until its last column is known.
func (l *frameLog) hold(frame uint64, row []byte) {
	if len(l.rows) >= maxWaiting {
		l.release(maxWaiting / 2)
	}
	l.rows = append(l.rows, waitingRow{frame: frame, text: slices.Clone(bytes.TrimSuffix(row, []byte("\n")))})
}

// seen fills in the last column of a frame's rows. at is when the frame was seen, on the viewer's clock.
func (l *frameLog) seen(frame uint64, t presenttimes.Time, at time.Duration) {
	if !l.withSeen {
		return
	}
	word := []byte("nan")
	switch {
	case t.Seen.IsZero():
		word = []byte("inf")
	case t.Quality.Believed():
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

func (l *frameLog) waiting() int { return len(l.rows) }

// release writes all rows but the newest keep, even those whose last column is not known.
func (l *frameLog) release(keep int) { l.writeOut(max(len(l.rows)-keep, 0)) }

// writeOut writes the first n waiting rows. A last column that is not known is nan.
func (l *frameLog) writeOut(n int) {
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
