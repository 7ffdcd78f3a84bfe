package pacing

import (
	"math"

	"halfstep/renderloop/present"
)

const (
	// startFrames is the greatest number of frames that can wait for their reports.
	startFrames = 256
	// Start takes effect once startSteady frames in a row have each been seen in a refresh of
	// their own. Every other frame takes startLost off that count. Once Start has an effect, a
	// count of startKeep is enough.
	startSteady, startLost, startKeep = 48, 8, 16
	// startBudget is the value of Start.Budget if that is 0.
	startBudget = 1. / 1000
	// The cushion is chosen so that of the past covered/Budget frames at most outliers - 1 took
	// longer. The next frame is among the longest m of n frames with a probability of m/(n+1). So
	// with the default budget at most 4 of 5,000 frames need more than the cushion, which is 0.8
	// of the budget.
	outliers, covered = 4, 5
	// At first the longest frames are still to come, so the cushion is made larger: twice its
	// value at the start, and one and a half times its value after fewFrames frames.
	fewFrames = 100
	// meanFrames is the number of frames in the average cost.
	meanFrames = 16
	// When a refresh is missed, the reserve grows to what that frame needed and reserveStep of a
	// refresh. It decreases by as much in reserveEvery/Budget frames. So a refresh is missed that
	// often, which shows whether less is enough.
	reserveStep, reserveEvery = 1. / 32, 4
	// reserveFirst is the reserve at the start, as a part of a refresh. In each frame the reserve
	// loses reserveFall of itself, until a refresh is missed for the first time.
	reserveFirst, reserveFall = .5, 1. / 256
	// A frame was too late if it was seen later than planned by more than lateFrom of a refresh
	// and the noise of the reported times.
	lateFrom = 1. / 64
	// minDelay is the shortest delay that is worth a sleep, ns.
	minDelay = 200_000
)

// Start says how long a frame may sleep before it reads its input, so that its picture is done
// just in time for the next refresh. The sleep ends before that refresh by
//
//	the work: the time that the last frames needed up to the swap, and on the GPU,
//	the cushion: more time, for all but one in 1/Budget frames, and
//	the reserve: the time that the display needs after that until the refresh.
//
// Start learns the reserve from frames that were seen too late. All three times grow at once
// and decrease slowly. Start has no effect until it knows that each frame is seen in a refresh
// of its own. It also has none while reports are late or of low quality, or if a frame needs
// all of the time between two refreshes.
//
// The zero Start is ready to use. It allocates nothing. Times are in nanoseconds since the
// first frame began.
type Start struct {
	// Budget is the part of all refreshes that may be missed because a frame began late. 0 means a
	// thousandth.
	Budget float64

	frames [startFrames]startFrame
	newest uint64

	refresh    refreshes
	seen       uint64  // the number of the newest frame that was seen
	at         float64 // the refresh in which that frame was seen
	shown      float64 // the same time, as it was reported
	reportedAt int64   // the time of the last report
	steady     int     // a count of frames that were seen in a refresh of their own, see startSteady
	on         bool    // Start knows the display well enough

	meanSlack float64    // the average time from the beginning of a frame without a delay to its refresh
	mean      float64    // the average cost of the last frames
	costs     [2]float64 // the costs of the newest frames with a report
	cushion   longest
	reserve   float64
	learning  bool          // no refresh has been missed yet because of the reserve
	gpu       float64       // the last known time of a frame on the graphics processor
	plan      present.Start // the plan of the newest frame, with its counters
}

type startFrame struct {
	number       uint64
	ready        int64   // when the frame could have begun
	plannedStart int64   // when the frame was planned to begin
	late         int64   // how much later than planned the frame's sleep ended
	refresh      float64 // the refresh for which the frame was planned; 0 if the frame was not delayed
	gpu          float64 // time of the frame on the graphics processor; 0 if it is unknown
}

// Next returns the plan for a frame that can begin now. number is the frame's number. Call
// Report with all reports before Next.
func (s *Start) Next(number uint64, now int64) present.Start {
	s.newest = number
	f := &s.frames[number%startFrames]
	*f = startFrame{number: number, ready: now, plannedStart: now}
	s.plan.Delay, s.plan.Work, s.plan.Cushion, s.plan.Reserve = 0, 0, 0, 0
	if !s.known(now) {
		return s.plan
	}
	period := s.refresh.period
	// Frames are shown one after the other, even if a driver queues several. So this frame is for
	// the refresh after the one of the frame before.
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
	f.plannedStart, f.refresh = now+delay, refresh
	s.plan.Delay, s.plan.Work, s.plan.Cushion, s.plan.Reserve = delay, int64(work), int64(cushion), int64(s.reserve)
	return s.plan
}

// SleepEnded reports the time at which the sleep of the newest frame ended.
func (s *Start) SleepEnded(now int64) {
	f := &s.frames[s.newest%startFrames]
	f.late = max(now-f.plannedStart, 0)
}

// known reports whether Start knows the display well enough.
func (s *Start) known(now int64) bool {
	enough := startSteady
	if s.on {
		enough = startKeep
	}
	s.on = s.refresh.locked && s.steady >= enough && now-s.reportedAt < second &&
		s.refresh.noise < square(s.refresh.period/16)
	return s.on
}

// work is the present cost of a frame. It is the average, or more if the last two frames cost
// more. So when frames suddenly cost more, only two of them need the cushion.
func (s *Start) work() float64 { return max(s.mean, min(s.costs[0], s.costs[1])) }

// GPU records how long the graphics processor has worked on a frame, ns. If the time comes
// after the frame's report, it counts only for later frames.
func (s *Start) GPU(number uint64, ns int64) {
	s.gpu = float64(ns)
	if f := s.find(number); f != nil {
		f.gpu = s.gpu
	}
}

// Report uses a report on an earlier frame.
func (s *Start) Report(r present.Report, now int64) {
	f := s.find(r.Frame)
	if f == nil || r.Quality <= present.Grid || !r.Quality.Trusted() || r.Frame <= s.seen {
		return // a Grid report does not say which refreshes were missed
	}
	if !r.WasSeen() {
		s.steady = 0
		return
	}
	if s.refresh.observe(float64(r.Seen), float64(max(r.Refresh, 0))); !s.refresh.locked {
		s.seen, s.steady = 0, 0
		return
	}
	s.reportedAt = now
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
		s.steady = 0 // the cost of a frame is unknown if the end of its work is unknown
		return
	}
	if f.gpu == 0 {
		f.gpu = s.gpu
	}
	cost := max(float64(r.Swapped-f.plannedStart), 0) + f.gpu
	if f.refresh == 0 {
		s.meanSlack += (seen - float64(f.ready) - s.meanSlack) / meanFrames
	}
	if f.refresh > 0 && follows {
		s.judge(f, cost, s.shown, before)
	}
	s.reserveFalls()
	s.learn(cost, float64(f.late))
}

// judge checks whether a delayed frame was in time. before is the time at which the frame
// before was seen. A compositor that waits for frames shows a late frame a part of a refresh
// later, and all following frames as much later.
func (s *Start) judge(f *startFrame, cost, seen, before float64) {
	period := s.refresh.period
	late := f.refresh + period*lateFrom + 3*math.Sqrt(s.refresh.noise)
	if seen < late {
		return // in time
	}
	if before > late-period {
		return // the frame before was late, too
	}
	had := f.refresh - float64(f.plannedStart) - cost // the reserve of this frame, which was too small
	if cost-float64(f.late)+s.reserve > f.refresh-float64(f.ready) {
		s.plan.Overrun++
		return
	}
	s.plan.Missed++
	if had >= s.reserve-period/64 {
		s.reserve, s.learning = min(had, period)+period*reserveStep, false
	}
}

// reserveFalls makes the reserve a little smaller. It is called for every frame with a report.
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

// learn adds the cost of a frame. The cost includes late, the time by which the frame's sleep
// ended too late. A frame that would have been late even without a sleep says nothing about
// other frames.
func (s *Start) learn(cost, late float64) {
	if cost-late+s.reserve < max(s.meanSlack, s.refresh.period) {
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

// longest has the longest of the newest values: of at least cover and at most 2·cover values, where
// cover is the argument of add.
type longest struct {
	now, before [outliers]float64 // the longest first
	n, all      int               // the number of values in now, and the number of all values so far
}

func (l *longest) add(x float64, cover int) {
	if l.n >= cover {
		l.before, l.now, l.n = l.now, [outliers]float64{}, 0
	}
	l.n++
	l.all++
	for i := range l.now {
		if x > l.now[i] {
			x, l.now[i] = l.now[i], x
		}
	}
}

// value is the outliers-th longest of the last values, so that only outliers - 1 values are
// longer. It is increased while there are few values, see fewFrames.
func (l *longest) value() float64 {
	a, b, v := 0, 0, 0.
	for range outliers {
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
