package main

import (
	"bufio"
	"strconv"
	"strings"

	"halfstep/engine"
)

const logHeader = "frame,time_s,tick,alpha,steps,dropped_s,body,x,y,angle\n"

// frameLog writes a row per frame and tracked body.
type frameLog struct {
	file *stream
	w    *bufio.Writer
	row  []byte

	withSeen bool
	rows     []waitingRow // in order
}

func newFrameLog(path string, ending <-chan struct{}, withSeen bool) (*frameLog, error) {
	f, err := newStream(path, ending)
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
// read the same value back. close returns the first error.
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
	l.release(0)
	err := l.w.Flush()
	if e := l.file.Close(); err == nil {
		err = e
	}
	return err
}
