package main

import (
	"bytes"
	"slices"
	"strconv"
	"time"

	"halfstep/renderloop/presenttimes"
)

// seenColumn is what -log-seen adds to the header.
const seenColumn = ",seen_s\n"

// maxWaiting is how many rows wait for a word about their frames.
const maxWaiting = 1024

// waitingRow is a row that waits until it is known when its frame was seen.
type waitingRow struct {
	frame uint64
	text  []byte
	seen  []byte // nil while it is not known
}

// hold keeps a row until its last column is known.
func (l *frameLog) hold(frame uint64, row []byte) {
	if len(l.rows) >= maxWaiting {
		l.release(maxWaiting / 2)
	}
	l.rows = append(l.rows, waitingRow{frame: frame, text: slices.Clone(bytes.TrimSuffix(row, []byte("\n")))})
}

// seen fills in the rows of a frame. at is when it was seen on the viewer's clock.
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

// waiting is the number of rows that wait.
func (l *frameLog) waiting() int { return len(l.rows) }

// release writes all rows but the newest keep, whether they are known or not.
func (l *frameLog) release(keep int) { l.writeOut(max(len(l.rows)-keep, 0)) }

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
