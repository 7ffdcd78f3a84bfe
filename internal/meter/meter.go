// Package meter computes the animation error and the input latency. It uses reports of when
// frames were seen on the screen.
package meter

import (
	"math"
	"slices"

	"halfstep/renderloop/present"
)

const (
	// meterFrames is the greatest number of frames that wait for a report, and the greatest
	// number of errors that the figures cover.
	meterFrames = 1024
	// meterTime is the time that the figures cover, in ns.
	meterTime = 4_000_000_000
	// silence is the time after the last report, in ns, from which on the figures are inferred
	// and no longer measured.
	silence = 1_000_000_000
	// inputs is the number of input events over which the median latency is computed, and the
	// greatest number of events whose effect is not visible yet.
	inputs = 32
)

// Meter measures the animation error and the input latency of frames. The zero Meter is
// ready to use. Only the render thread may use it. It allocates nothing.
type Meter struct {
	frames [meterFrames]meterFrame
	newest uint64  // number of the newest frame
	shown  float64 // shown is the instant that the newest frame shows, in ns: the sum of all advances.
	epoch  uint32  // epoch changes at a frame that cannot be compared with the frame before.

	reportedAt int64 // reportedAt is the start of the frame before the newest usable report, in ns.
	quality    present.Quality
	measured   window
	inferred   window // inferred is the window at the last call of Figures.

	pending []input       // pending are the waiting events, in the order of their ticks.
	storage [inputs]input // memory of pending
	latency struct{ measured, inferred latencies }
}

type meterFrame struct {
	number uint64
	start  int64   // ns
	shown  float64 // instant, ns
	ticks  float64 // instant, ticks
	epoch  uint32
}

// Frame adds the next frame. The frame starts `start` nanoseconds after the first frame. The
// instant that it shows comes `ticks` ticks, or `advance` nanoseconds of real time, after
// that of the frame before. The parameter whole is false if the two frames cannot be
// compared.
func (m *Meter) Frame(number uint64, start int64, ticks, advance float64, whole bool) {
	last := m.at(m.newest)
	if !whole || last == nil || number != m.newest+1 {
		m.epoch++
		m.pending = m.storage[:0]
		advance = 0
	}
	m.shown += advance
	m.newest = number
	m.frames[number%meterFrames] = meterFrame{number, start, m.shown, ticks, m.epoch}
	if len(m.pending) > 0 && last != nil && number == last.number+1 {
		m.inputsSeen(last, start, false) // inferred, not measured
	}
}

// infer adds the frames since the last call of Figures. It assumes that a frame without a
// report is seen when the next frame starts. The method Frame does not call infer, because
// Figures is called rarely.
func (m *Meter) infer() {
	w := &m.inferred
	oldest := m.newest - min(m.newest, meterFrames) + 1
	if w.last.number+1 < oldest {
		w.last = meterFrame{}
	}
	for n := max(w.last.number+1, oldest); n < m.newest; n++ {
		if f, next := m.at(n), m.at(n+1); f != nil && next != nil {
			w.seen(f, next.start, next.start)
		}
	}
}

// Input says that the commands after a tick answer an input event. The parameter at is the time of the
// event, in ns after the start of the first frame. If too many events wait, this event is ignored.
func (m *Meter) Input(at int64, tick uint64) {
	if m.pending == nil {
		m.pending = m.storage[:0]
	}
	if len(m.pending) < inputs {
		m.pending = append(m.pending, input{at: at, tick: tick})
	}
}

// Answered does the same as Input for an event whose effect the newest frame is the first to
// show.
func (m *Meter) Answered(at int64) {
	m.Input(at, 0)
	if n := len(m.pending); n > 0 && m.pending[n-1].at == at {
		m.pending[n-1].frame = m.newest
	}
}

// Report takes a report that says when a frame was seen. Reports must come in the order of their frames.
func (m *Meter) Report(r present.Report) {
	f, newest := m.at(r.Frame), m.at(m.newest)
	if !r.Quality.Trusted() || f == nil {
		return
	}
	if !r.WasSeen() {
		m.reportedAt = newest.start
		return
	}
	if r.Seen < f.start || r.Seen > newest.start+silence {
		return // impossible
	}
	m.reportedAt, m.quality = newest.start, r.Quality
	m.measured.seen(f, r.Seen, newest.start)
	m.inputsSeen(f, r.Seen, true) // measured
}

// Figures returns the figures up to the newest frame.
func (m *Meter) Figures() present.Figures {
	newest := m.at(m.newest)
	if newest == nil {
		return present.Figures{}
	}
	m.infer()
	w, l := &m.inferred, &m.latency.inferred
	told := m.reportedAt > 0 && newest.start-m.reportedAt < silence
	if told {
		w, l = &m.measured, &m.latency.measured
	}
	f := w.figures(newest.start)
	f.Input, f.Measured = l.median(), told && m.quality > present.Grid
	return f
}

func (m *Meter) at(number uint64) *meterFrame {
	if f := &m.frames[number%meterFrames]; f.number == number && number > 0 {
		return f
	}
	return nil
}

// input is an event whose effect has not been seen yet.
type input struct {
	at       int64
	tick     uint64 // tick is the tick after which the commands for the event come.
	frame    uint64 // frame is the first frame that may show the effect of the event.
	inferred bool   // inferred says that the time at which the effect was seen is inferred, not reported.
}

// inputsSeen takes the events whose effect a frame shows out of the list of waiting events.
func (m *Meter) inputsSeen(f *meterFrame, seen int64, measured bool) {
	left := m.pending[:0]
	for _, in := range m.pending {
		switch {
		case f.ticks <= float64(in.tick) || f.number < in.frame:
			left = append(left, in)
		case measured:
			m.latency.measured.add(seen - in.at)
		case !in.inferred:
			m.latency.inferred.add(seen - in.at)
			in.inferred = true
			left = append(left, in)
		case f.start-m.reportedAt < silence && seen-in.at < silence:
			left = append(left, in) // a report may come
		}
	}
	m.pending = left
}

// latencies are the newest latencies of input events, in ns.
type latencies struct {
	ns [inputs]int64
	n  int // number of events so far
}

func (l *latencies) add(ns int64) {
	l.ns[l.n%inputs] = ns
	l.n++
}

// median returns the median of the latencies, in ms.
func (l *latencies) median() float64 {
	if l.n == 0 {
		return 0
	}
	sorted := l.ns
	n := min(l.n, inputs)
	slices.Sort(sorted[:n])
	return float64(sorted[n/2]+sorted[(n-1)/2]) / 2e6
}

// window has the errors of the frames of the last meterTime, and sums over these errors.
type window struct {
	last  meterFrame // last is the last frame that was seen.
	at    int64      // at is when the last frame was seen, in ns.
	first int        // first is the index of the oldest sample in the ring.
	n     int        // number of samples
	ring  [meterFrames]sample
	sum   float64 // sum is the sum of the squares of the errors, in ms².
	// count[i] is the number of errors from i to i+1 bucket widths. The last count includes all
	// larger errors.
	count [buckets + 1]uint16
}

type sample struct {
	at     int64   // ns
	err    float32 // ms
	bucket uint16
}

// buckets are so narrow that the 99th percentile is wrong by at most the width of one bucket
const (
	buckets = 1000
	bucket  = .02 // ms
)

// seen adds the next frame that was seen. The parameter now is when its display became
// known.
func (w *window) seen(f *meterFrame, at, now int64) {
	if w.last.number > 0 && f.number <= w.last.number {
		return
	}
	if w.last.epoch == f.epoch && w.last.number > 0 {
		ms := math.Abs(f.shown-w.last.shown-float64(at-w.at)) * 1e-6
		w.add(sample{now, float32(ms), uint16(min(ms*(1/bucket), buckets))})
	}
	w.last, w.at = *f, at
}

func (w *window) add(s sample) {
	w.expire(s.at)
	if w.n == len(w.ring) {
		w.drop()
	}
	w.ring[(w.first+w.n)%len(w.ring)] = s
	w.n++
	w.sum += float64(s.err) * float64(s.err)
	w.count[s.bucket]++
}

func (w *window) drop() {
	s := &w.ring[w.first]
	w.first = (w.first + 1) % len(w.ring)
	w.n--
	w.sum -= float64(s.err) * float64(s.err)
	w.count[s.bucket]--
	if w.n == 0 {
		w.sum = 0 // start the sum again, so that rounding errors do not accumulate
	}
}

func (w *window) expire(now int64) {
	for w.n > 0 && now-w.ring[w.first].at > meterTime {
		w.drop()
	}
}

func (w *window) figures(now int64) (f present.Figures) {
	w.expire(now)
	if w.n == 0 {
		return f
	}
	f.Frames = w.n
	f.RMS = math.Sqrt(max(w.sum, 0) / float64(w.n))
	above := w.n - 1 - w.n*99/100 // above is how many errors are larger than the 99th percentile
	if above < int(w.count[buckets]) {
		f.P99 = w.longest(above)
		return f
	}
	for i := buckets; i >= 0; i-- {
		if above -= int(w.count[i]); above < 0 {
			f.P99 = (float64(i) + .5) * bucket
			break
		}
	}
	return f
}

// longest returns the largest error after skipping `but` larger errors. The number `but` is
// at most a hundredth of all errors.
func (w *window) longest(but int) float64 {
	var top [meterFrames/100 + 2]float32 // top are the largest errors, the largest first
	for k := range w.n {
		e := w.ring[(w.first+k)%len(w.ring)].err
		if e <= top[but] {
			continue
		}
		i := but
		for ; i > 0 && top[i-1] < e; i-- {
			top[i] = top[i-1]
		}
		top[i] = e
	}
	return float64(top[but])
}
