package pacing

import (
	"math"
	"math/bits"

	"halfstep/renderloop/present"
)

const (
	// aimFrames is the number of frames that Aim keeps. Reports on older frames are
	// ignored.
	aimFrames = 1024
	// aimReports is the greatest number of reports between two frames.
	aimReports = 256
	// aimAfter is the number of seen frames before Aim scores, and again before it
	// has an effect. aimMemory is the number of frames in a score.
	aimAfter, aimMemory = 5, 128
	// aimSilence is the time without a report after which the refreshes are unknown again, ns.
	aimSilence = second
	// aimSlew is the time in which the effect of Aim grows from none to full, or fades, in ns.
	aimSlew = second / 10
	// Aim takes effect when it reduces the square of the animation error to less
	// than aimGain of its value. It stays in effect while the reduction is to less
	// than aimKeep.
	aimGain, aimKeep = .5, .8
	// aimSure is the number of scored frames that Aim needs if every frame is seen.
	aimSure = 48
	// The latency changes by at most 1/aimSlewLatency of the time that passes.
	aimSlewLatency = 512
	// maxDoubtful is how many of the last 64 reports may be inconsistent.
	maxDoubtful = 6
)

// Aim predicts the refresh of the display in which a frame will be seen, and returns
// the offset from the paced instant to the right instant for that refresh.
//
// Without present times the best guess is that a picture is seen a constant time
// after it was drawn. On a display that shows frames only at its refreshes, and not
// every frame, that is wrong by up to a refresh: the compositor chooses which of
// several frames it shows at a refresh. So all frames that it may choose have to
// show the instant of that refresh.
//
// Aim trusts reports only as far as past predictions from them were right: for every
// frame that was seen, it compares the animation error of the paced instants with
// that of the aimed ones, and mixes the two so that the error would have been least.
// So it has no effect where every frame is seen for one refresh (vsync), where the
// display follows the frames (adaptive sync, tearing), or where reports are too
// late, wrong or absent. Its effect grows and fades within half a second.
//
// The zero Aim is ready to use. It allocates nothing.
type Aim struct {
	frames  [aimFrames]aimFrame
	newest  uint64 // number of the newest frame
	reports [aimReports]present.Report
	queued  int // number of reports that Next has not processed yet
	recent  frameWindow
	frame   float64 // mean frame time, ns

	refresh refreshes
	told    int64  // when the frame started that took the last usable report, ns; 0 if there was none
	doubt   uint64 // a bit per inconsistent report, the newest lowest
	seen    uint64 // number of the newest frame that was seen
	seenAt  int64  // ns
	unseen  uint64 // number of later frames that were never seen

	// Means over frames that were seen:
	n       float64 // how many, at most aimMemory
	early   float64 // time from the refresh to the present, ns; it is negative
	spread  float64 // variance of early, ns²
	age     float64 // time from the paced instant to the refresh, ns
	latency float64 // time from the aimed instant to the refresh, ns
	slewing bool    // latency is moving towards its target

	scored              float64 // number of scored frames, at most aimMemory
	paced, aimed, mixed float64 // means of the squared errors and of their product, ns²
	weight              float64 // the weight of the aimed instant, 0 to 1
}

type aimFrame struct {
	number       uint64
	start        int64   // ns
	paced, aimed float64 // instants, ns of real time; aimed is NaN if there is none
}

// Reach is the range of instants that a frame can show, in nanoseconds from the paced
// instant: Held with the pair of states at hand, Newest with the newest pair.
type Reach struct{ Held, Newest [2]float64 }

// nearest returns the offset nearest to the given one that the frame can show.
func (r *Reach) nearest(offset float64) float64 {
	newest := min(max(offset, r.Newest[0]), r.Newest[1])
	// without the end of the held pair: there the newest pair begins
	held := min(max(offset, r.Held[0]), r.Held[1]-1)
	if r.Held[1]-1 > r.Held[0] && math.Abs(held-offset) < math.Abs(newest-offset) {
		return held
	}
	return newest
}

// Report records a report on an earlier frame. If too many of them come between two
// frames, it keeps the newest.
func (a *Aim) Report(r present.Report) {
	if a.queued == len(a.reports) {
		copy(a.reports[:], a.reports[1:])
		a.queued--
	}
	a.reports[a.queued] = r
	a.queued++
}

// Next returns the offset of a frame's instant from the paced one, in nanoseconds.
// Frames are numbered from 1, possibly with gaps. start is when the frame starts and
// paced the instant that it would show, both in nanoseconds of real time since the
// first frame. reach is the range of instants that it can show. refresh is
// Pacer.Refresh.
func (a *Aim) Next(number uint64, start int64, paced float64, reach Reach, refresh int64) (offset float64) {
	ns := a.begin(number, start, paced)
	if a.queued == 0 && a.told == 0 {
		return 0 // there has never been a report, but one may follow
	}
	for i := range a.queued {
		a.take(&a.reports[i], refresh)
	}
	a.queued = 0
	if a.recent.n == 0 {
		return 0
	}
	known := a.known(start)
	a.weigh(float64(ns), known)
	if !known {
		return 0
	}
	a.approach(float64(ns))
	f := a.at(number)
	presented := float64(start + a.recent.wide)
	f.aimed = paced + reach.nearest(a.refresh.nearest(presented-a.early)-a.latency-paced)
	return reach.nearest(a.weight * (f.aimed - paced))
}

// Reset discards all frames and reports.
func (a *Aim) Reset() { *a = Aim{} }

// Leapt says that the paced instant of the newest frame has moved on by ns.
func (a *Aim) Leapt(ns float64) {
	if f := a.at(a.newest); f != nil {
		f.paced += ns
	}
}

// Weight is the part of the offset that is in effect, from 0 to 1.
func (a *Aim) Weight() float64 { return a.weight }

// begin records a frame and returns the time since the frame before.
func (a *Aim) begin(number uint64, start int64, paced float64) (ns int64) {
	if before := a.at(number - 1); before != nil {
		ns = start - before.start
		a.recent.push(min(ns, stall))
		a.frame += (float64(min(ns, stall)) - a.frame) / min(float64(a.recent.n), aimMemory)
	}
	a.newest = number
	a.frames[number%aimFrames] = aimFrame{number, start, paced, math.NaN()}
	return ns
}

// at returns a frame by its number, or nil if Aim no longer keeps it.
func (a *Aim) at(number uint64) *aimFrame {
	if f := &a.frames[number%aimFrames]; f.number == number && number > 0 {
		return f
	}
	return nil
}

// width is the range of the times from a seen frame's present to its refresh. Within
// that time no other frame is presented, because a compositor takes the newest frame
// and shows it at the next refresh.
func (a *Aim) width() float64 {
	return min(float64(a.recent.wide), a.refresh.period)
}

// known reports whether the refreshes, and the times at which frames are seen, are known
// well enough for a frame that starts at start.
func (a *Aim) known(start int64) bool {
	tolerance := square(a.refresh.period / 16)
	if math.Abs(a.frame-a.refresh.period) < a.refresh.period/24 {
		return false // a frame for each refresh: Pacer finds that grid
	}
	return a.refresh.locked && a.n >= aimAfter && start-a.told < aimSilence &&
		bits.OnesCount64(a.doubt) <= maxDoubtful &&
		a.refresh.noise < tolerance && a.spread < square(.4*a.width())+tolerance
}

// take uses a report. refresh is Pacer.Refresh.
func (a *Aim) take(r *present.Report, refresh int64) {
	f, next := a.at(r.Frame), a.at(r.Frame+1)
	if !r.Quality.Believed() || f == nil || next == nil {
		return
	}
	now := a.at(a.newest).start
	a.told = max(now, 1)
	a.doubt <<= 1
	if !r.WasSeen() {
		a.unseen++
		return
	}
	if r.Frame <= a.seen || r.Seen < f.start || r.Seen > now+stall {
		a.doubt |= 1
		return
	}
	last, time := a.at(a.seen), float64(r.Seen-a.seenAt)
	if a.unseen != r.Frame-a.seen-1 {
		last = nil // a frame in between may have been seen as well
	}
	a.seen, a.seenAt, a.unseen = r.Frame, r.Seen, 0
	a.refresh.observe(float64(r.Seen), float64(max(r.Refresh, 0)))
	if !a.refresh.locked || !a.refresh.plausible(refresh) {
		a.n, a.scored = 0, 0
		return
	}
	seen := a.refresh.nearest(float64(r.Seen))
	a.n = min(a.n+1, aimMemory)
	early := float64(next.start) - seen - a.early
	a.early += early / a.n
	if a.n > 1 {
		a.spread += (early*early - a.spread) / a.n
	} else {
		a.spread = 0
	}
	a.age += (seen - f.paced - a.age) / a.n
	if last != nil && !math.IsNaN(f.aimed) && !math.IsNaN(last.aimed) {
		a.score(f.paced-last.paced-time, f.aimed-last.aimed-time)
	}
}

// score updates the animation errors of the paced and of the aimed instants.
func (a *Aim) score(paced, aimed float64) {
	// a stall, which cannot be predicted, must not outweigh all other frames
	most := a.refresh.period
	paced, aimed = min(max(paced, -most), most), min(max(aimed, -most), most)
	a.scored = min(a.scored+1, aimMemory)
	a.paced += (paced*paced - a.paced) / a.scored
	a.aimed += (aimed*aimed - a.aimed) / a.scored
	a.mixed += (paced*aimed - a.mixed) / a.scored
}

// weigh moves the weight towards its target, in a frame of ns.
func (a *Aim) weigh(ns float64, known bool) {
	best := 0.
	if known && a.scored >= aimAfter {
		best = a.best()
	}
	step := ns / aimSlew
	a.weight = min(max(best, a.weight-step), a.weight+step)
}

// best is the weight that would have made the animation error least, or 0 if the gain
// would have been small.
func (a *Aim) best() float64 {
	if tiny := square(a.refresh.period / 1000); a.paced < tiny && a.aimed < tiny {
		// both instants are right while the compositor keeps choosing the same frame for a refresh
		if a.width() < a.refresh.period {
			return 1
		}
		return a.weight
	}
	apart := a.paced - 2*a.mixed + a.aimed // mean square of the difference
	if apart <= 0 {
		return a.weight
	}
	w := min(max((a.paced-a.mixed)/apart, 0), 1)
	least := a.paced + w*(w*apart-2*(a.paced-a.mixed))
	gain := aimGain
	switch {
	case a.weight > 0:
		gain = aimKeep
	case a.width() == a.refresh.period && a.scored < aimSure:
		return 0 // a few frames may agree by chance
	}
	if least > gain*a.paced {
		return 0
	}
	return w
}

// approach moves the latency, in a frame of ns, towards the latency without Aim, so that
// most of the aimed instants are within reach. If frames are short, the latency is longer by
// a part of a refresh, so that aimed instants lie before the paced ones, where states exist.
// A difference of less than an eighth of a refresh is left.
func (a *Aim) approach(ns float64) {
	want := a.age + min(a.width()/2, a.refresh.period/10)
	if a.weight == 0 {
		a.latency = want // no one sees it
		return
	}
	off := want - a.latency
	if math.Abs(off) > a.refresh.period/8 {
		a.slewing = true
	}
	if a.slewing {
		most := ns / aimSlewLatency
		a.latency += min(max(off, -most), most)
		a.slewing = math.Abs(off) > a.refresh.period/64
	}
}

func square(x float64) float64 { return x * x }
