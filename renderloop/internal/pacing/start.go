package pacing

import (
	"math"

	"halfstep/renderloop/present"
)

const (
	// startFrames is the number of frames that may be without a report.
	startFrames = 256
	// Start has an effect once startSteady frames in a row have been seen in a refresh of
	// their own. A frame that was not takes startLost from their number, and startKeep are
	// enough once it has an effect.
	startSteady, startLost, startKeep = 48, 8, 16
	// startBudget is the default of Start.Budget.
	startBudget = 1. / 1000
	// forgiven is the number of frames among those that the cushion covers that may take
	// longer than it, and covered how many frames it covers, times the budget. Of n frames
	// in any order the next one is among the longest m with a probability of m/(n+1), so
	// at most 4 of 5,000 frames, 0.8 of the budget, need more than the cushion.
	forgiven, covered = 4, 5
	// At first the longest frames are still to come, so the cushion is enlarged: to twice its
	// value at the start, and to one and a half after fewFrames frames.
	fewFrames = 100
	// meanFrames is the number of frames that the mean cost is made of.
	meanFrames = 16
	// reserveStep is by how much the reserve grows beyond what a missed refresh needed, as
	// a part of a refresh, and reserveEvery the time in which it is lost again, in frames
	// times the budget: a refresh is missed that often to find out whether less is enough.
	reserveStep, reserveEvery = 1. / 32, 4
	// reserveFirst is the reserve at first, as a part of a refresh, and reserveFall the
	// part of it that it loses in each frame until a refresh is missed for the first time.
	reserveFirst, reserveFall = .5, 1. / 256
	// A frame came too late if it is seen later than planned by lateFrom of a refresh and
	// the noise of the reported times.
	lateFrom = 1. / 64
	// minDelay is the shortest delay that is worth a sleep, ns.
	minDelay = 200_000
)

// Start says how long a frame may sleep before it reads its input, so that its picture is
// done just in time for the next refresh. The sleep ends before that refresh by
//
//	the work: what the last frames cost, up to the swap, and on the GPU,
//	the cushion: what frames cost beyond that, but for one in 1/Budget, and
//	the reserve: what the display needs from there to the refresh.
//
// Frames that were seen too late teach it the reserve. All three grow at once and shrink
// slowly. It has no effect until frames are known to be seen in a refresh of their own
// each, if a report comes late or is not to be believed, or where a frame needs the whole
// refresh.
//
// The zero Start is ready to use. It allocates nothing. Times are in nanoseconds since the
// first frame began.
type Start struct {
	// Budget is the share of refreshes that may be missed because a frame began late; 0
	// means a thousandth.
	Budget float64

	frames [startFrames]startFrame
	newest uint64

	refresh refreshes
	seen    uint64  // number of the newest frame that was seen
	at      float64 // the refresh in which that was
	shown   float64 // the same time as reported
	told    int64   // when the last report came
	steady  int     // frames that were seen in a refresh of their own, see startSteady
	on      bool    // the display is known well enough

	room     float64    // the mean time from the beginning of a frame that is not delayed to its refresh
	mean     float64    // cost of the last frames
	costs    [2]float64 // the costs of the newest frames whose reports have come
	cushion  longest
	reserve  float64
	learning bool          // no refresh has been missed for want of reserve yet
	gpu      float64       // the last known cost of a frame on the graphics processor
	plan     present.Start // of the newest frame, with counters
}

type startFrame struct {
	number  uint64
	ready   int64   // when it could have begun
	begun   int64   // when it was to begin
	late    int64   // how much later its sleep ended
	refresh float64 // the refresh that the frame is for; 0 if it was not delayed
	gpu     float64 // its cost on the graphics processor; 0 is unknown
}

// Next returns the plan for the frame with that number, which can begin now. All reports
// that have come by now have been given to Report.
func (s *Start) Next(number uint64, now int64) present.Start {
	s.newest = number
	f := &s.frames[number%startFrames]
	*f = startFrame{number: number, ready: now, begun: now}
	s.plan.Delay, s.plan.Work, s.plan.Cushion, s.plan.Reserve = 0, 0, 0, 0
	if !s.known(now) {
		return s.plan
	}
	period := s.refresh.period
	// Frames are shown one after the other, so this one is for the refresh after that of
	// the frame before, also if a driver keeps several of them in a queue.
	refresh := s.refresh.after(float64(now))
	if s.seen > 0 {
		refresh = max(refresh, s.at+float64(number-s.seen)*period)
	}
	refresh = s.refresh.nearest(refresh)
	work, cushion := s.work(), s.cushion.value()
	lead := work + cushion + s.reserve
	if lead > period {
		return s.plan
	}
	delay := int64(refresh - lead - float64(now))
	if delay < minDelay || float64(delay) > 3*period {
		return s.plan
	}
	f.begun, f.refresh = now+delay, refresh
	s.plan.Delay, s.plan.Work, s.plan.Cushion, s.plan.Reserve = delay, int64(work), int64(cushion), int64(s.reserve)
	return s.plan
}

// Woke says when the sleep of the newest frame ended.
func (s *Start) Woke(now int64) {
	f := &s.frames[s.newest%startFrames]
	f.late = max(now-f.begun, 0)
}

// known reports whether the display is known well enough.
func (s *Start) known(now int64) bool {
	enough := startSteady
	if s.on {
		enough = startKeep
	}
	s.on = s.refresh.locked && s.steady >= enough && now-s.told < second &&
		s.refresh.noise < square(s.refresh.period/16)
	return s.on
}

// work is what a frame costs now: the mean, or more if the last two did. So if frames
// suddenly cost more, only two of them need the cushion.
func (s *Start) work() float64 { return max(s.mean, min(s.costs[0], s.costs[1])) }

// GPU takes what a frame cost on the graphics processor, in ns. It may come before or
// after the frame's report; where it comes after, it counts for later frames.
func (s *Start) GPU(number uint64, ns int64) {
	s.gpu = float64(ns)
	if f := s.find(number); f != nil {
		f.gpu = s.gpu
	}
}

// Report takes a report on an earlier frame.
func (s *Start) Report(r present.Report, now int64) {
	f := s.find(r.Frame)
	if f == nil || r.Quality <= present.Grid || !r.Quality.Believed() || r.Frame <= s.seen {
		return // a grid does not tell which refreshes were missed
	}
	if !r.WasSeen() {
		s.steady = 0
		return
	}
	if s.refresh.observe(float64(r.Seen), float64(max(r.Refresh, 0))); !s.refresh.locked {
		s.seen, s.steady = 0, 0
		return
	}
	s.told = now
	seen := s.refresh.nearest(float64(r.Seen))
	before, period := s.shown, s.refresh.period
	s.shown = float64(r.Seen)
	follows := s.seen > 0 && s.seen == r.Frame-1
	if s.seen > 0 {
		if gap := (seen - s.at) / period; gap > float64(r.Frame-s.seen)+.5 {
			s.steady = max(s.steady-startLost, 0)
		} else if s.steady++; s.steady > 2*startSteady {
			s.steady = 2 * startSteady
		}
	}
	s.seen, s.at = r.Frame, seen
	if r.Swapped == 0 {
		s.steady = 0 // without the end of its work, nothing is known of a frame's cost
		return
	}
	if f.gpu == 0 {
		f.gpu = s.gpu
	}
	cost := max(float64(r.Swapped-f.begun), 0) + f.gpu
	if f.refresh == 0 {
		s.room += (seen - float64(f.ready) - s.room) / meanFrames
	}
	if f.refresh > 0 && follows {
		s.judge(f, cost, s.shown, before)
	}
	s.reserveFalls()
	s.learn(cost, float64(f.late))
}

// judge looks at whether a frame that was delayed came in time. before is when the frame
// before was seen. A compositor that waits for frames shows a late one by part of a refresh
// later, and all that follow with it.
func (s *Start) judge(f *startFrame, cost, seen, before float64) {
	period := s.refresh.period
	late := f.refresh + period*lateFrom + 3*math.Sqrt(s.refresh.noise)
	if seen < late {
		return // in time
	}
	if before > late-period {
		return // the frame before was late, too
	}
	had := f.refresh - float64(f.begun) - cost // the reserve that was not enough
	if cost-float64(f.late)+s.reserve > f.refresh-float64(f.ready) {
		s.plan.Overrun++
		return
	}
	s.plan.Missed++
	if had >= s.reserve-period/64 {
		s.reserve, s.learning = min(had, period)+period*reserveStep, false
	}
}

// reserveFalls lets the reserve shrink a little, in every frame that was reported.
func (s *Start) reserveFalls() {
	switch period := s.refresh.period; {
	case s.reserve == 0 && !s.learning:
		s.reserve, s.learning = period*reserveFirst, true
	case s.learning:
		s.reserve -= s.reserve * reserveFall
	default:
		s.reserve = max(s.reserve-period*reserveStep*s.budget()/reserveEvery, -period/4)
	}
}

// learn takes the cost of a frame, which includes the time late by which its sleep ended too
// late. A frame that could not have been in time anyway says nothing about others.
func (s *Start) learn(cost, late float64) {
	if cost-late+s.reserve < max(s.room, s.refresh.period) {
		s.cushion.add(cost-s.work(), int(covered/s.budget()))
	}
	cost -= late
	s.mean += (cost - s.mean) / meanFrames
	s.costs[0], s.costs[1] = s.costs[1], cost
}

func (s *Start) budget() float64 {
	if s.Budget > 0 {
		return s.Budget
	}
	return startBudget
}

func (s *Start) find(number uint64) *startFrame {
	if f := &s.frames[number%startFrames]; f.number == number && number > 0 {
		return f
	}
	return nil
}

// longest has the longest of the last values. It covers one to two times as many values as add
// is told to cover.
type longest struct {
	now, before [forgiven]float64 // the longest first
	n, all      int               // how many values now is made of, and all ever
}

func (l *longest) add(x float64, cover int) {
	if l.n >= cover {
		l.before, l.now, l.n = l.now, [forgiven]float64{}, 0
	}
	l.n++
	l.all++
	for i := range l.now {
		if x > l.now[i] {
			x, l.now[i] = l.now[i], x
		}
	}
}

// value is the forgiven-th longest of the last values, so that only forgiven - 1 are above it.
// It is enlarged while there are few, see fewFrames.
func (l *longest) value() float64 {
	a, b, v := 0, 0, 0.
	for range forgiven {
		if l.now[a] >= l.before[b] {
			v = l.now[a]
			a++
		} else {
			v = l.before[b]
			b++
		}
	}
	return max(v, 0) * (1 + fewFrames/float64(fewFrames+l.all))
}
