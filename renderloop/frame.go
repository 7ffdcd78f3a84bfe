package renderloop

import (
	"math"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/internal/pacing"
	"halfstep/renderloop/present"
	"halfstep/renderloop/scene"
)

// This file has the parts of a frame in order: begin, advance the clock, choose an instant, demand
// steps, take the pair of states around the instant, show the instant, end. Each mode chooses its
// own instant, and takes the pair at its own time: see pipelined.go, lockstep.go and runahead.go.
// In formulas, N is the number of the frame, D the tick that it demands, and a the clock's
// remainder as a fraction of a step (r in README). So the clock's instant is D[N] - 1 + a[N].

// shown is the instant that a frame shows. It is
//
//	asked + off - lag + aimed + overshoot,
//
// limited to the pair that the loop has, and never earlier than the last shown instant. In
// Pipelined, lag is above 0 if a step takes longer than a frame, and overshoot is above 0 in a late
// frame.
type shown struct {
	asked clock.Instant // the instant for which the mode asks
	off   float64       // the lead of RunAhead, in ticks; 0 in Pipelined and Lockstep
	aimed float64       // the offset that pacing.Aim adds for the refresh in which the frame will be seen, in ticks

	at clock.Instant // the shown instant
}

// start is the instant before any step.
var start = clock.Instant{Tick: 1}

// in converts an instant to a position in the pair of states tick - 1 and tick: 0 at the state tick
// - 1, 1 at the state tick.
func in(tick uint64, i clock.Instant) float64 { return float64(int64(i.Tick)-int64(tick)) + i.Part }

// Frame advances time by ns nanoseconds, the real time since the frame before, and returns the view
// to draw. In Pipelined mode on the wall clock, Frame never waits, takes no lock and allocates
// nothing.
//
// After physics has stopped, the view advances to the last state and stays there; see
// buffer.Link.Failure.
func (l *Loop[S, E, C]) Frame(ns int64) *scene.View[S] {
	ns = min(max(ns, 0), clock.MaxFrameTime)
	l.begin(ns)
	if l.lead.on && (!l.running() || l.seeking != 0) {
		l.settle() // the loop stops running ahead, and the shown instant becomes due
	}
	switch {
	case l.seeking != 0: // a replay is seeking
		l.arrive(l.config.Sync == Lockstep)
	case l.config.Sync == Lockstep:
		l.lockstep(ns)
	case l.running():
		l.runAhead(ns)
	default:
		l.pipelined(ns)
	}
	return l.end()
}

// begin begins a frame of ns nanoseconds, or of 0 for Step.
func (l *Loop[S, E, C]) begin(ns int64) {
	l.config.phases.End()
	l.config.phases.Begin(l.stats.Frames, phase.Acquire)
	l.stats.Frames++
	l.still = true // advance sets it to false if the clock advances
	l.stats.RealNanos += ns
	l.own = ns - min(l.rest, ns)
	if l.physics.model == nil { // on a simulated clock a wait takes no simulated time
		l.own = max(l.own-l.stats.WaitNanos, 0)
	}
	l.rested = l.rest > 0
	l.stats.WaitNanos = 0
	l.link.Commands.Trim()
	if l.events != l.kept {
		l.kept = l.events
		l.stats.DroppedEvents += l.link.Events.DropOldest(l.events, MaxPendingEvents)
	}
	if l.seeking == 0 {
		l.physics.pass(ns) // only a simulated clock needs this
	}
	l.rescale()
}

// rescale converts all values that are counted in ticks after a change of the rate, from ticks of
// the old length to ticks of the next step's length. So each value remains the same time.
func (l *Loop[S, E, C]) rescale() {
	f := l.unit / l.clock.Dt()
	if f == 1 {
		return
	}
	if due := l.clock.Demand(); l.lead.on && l.shown.at.Tick > due {
		ahead := in(due+1, l.shown.at) * l.unit
		l.shown.at = l.clock.After(clock.Instant{Tick: due + 1}, ahead)
	}
	l.unit = l.clock.Dt()
	l.last.advance *= f
	l.last.overshoot *= f
	l.shown.aimed *= f
	l.lag.ticks *= f
	l.lag.need.scale(f)
	if l.now() != (clock.Instant{}) { // if no time has passed yet, the present interval has the new length, too
		l.lead.ticks *= f
	}
	l.lead.advance.scale(f)
	l.lead.early.scale(f)
}

// advance advances the clock, and returns the number of ticks by which the clock has advanced. The
// parameter backlog is the number of ticks that are demanded and not done.
func (l *Loop[S, E, C]) advance(ns int64, backlog uint64) (ticks float64) {
	if l.config.Pacing {
		ns = l.pacer.Pace(ns)
	}
	c := l.clock
	if l.rest > 0 {
		rest := min(l.rest, ns)
		ns, l.rest = ns-rest, l.rest-rest
		c.Rest(rest)
	}
	if scale := c.Scale(); scale > 0 && !l.config.NoGovernor {
		c.SetSpeed(l.governor.update(c.Dt()*1e9/scale, ns, backlog))
	}
	if ns > 0 && !c.Paused() {
		c.Allow(l.governor.steps(l.own, l.last.demand-backlog, backlog))
	}
	before, from := c.Remainder(), l.lockstepInstant()
	n := c.Advance(ns, backlog)
	after := c.Remainder()
	l.view.Steps = n
	l.stats.MaxBacklog = max(l.stats.MaxBacklog, backlog+uint64(n))
	l.still = n == 0 && before == after
	if !c.Alike() { // the steps near this instant have several lengths
		return c.Between(from, l.lockstepInstant()) / l.unit
	}
	return float64(n) + float64(after.Units-before.Units)/float64(after.Step)
}

// now returns the instant of the clock, D[N] - 1 + a[N].
func (l *Loop[S, E, C]) now() clock.Instant {
	return clock.Instant{Tick: l.clock.Demand(), Part: l.clock.Remainder().Fraction()}
}

// paced returns the real time by which the clock was advanced so far, in ns.
func (l *Loop[S, E, C]) paced() int64 { return l.stats.RealNanos - l.pacer.Residue() }

// nanosPerTick returns the real time of a tick in ns, or 0 if the clock stands still.
func (l *Loop[S, E, C]) nanosPerTick() float64 {
	c := l.clock
	speed := c.Scale() * c.Speed()
	if c.Paused() || speed == 0 {
		return 0
	}
	return l.unit * 1e9 / speed
}

// within returns the position of the frame's instant in the pair of states tick - 1 and tick; see
// in. The instant may be outside the pair, and earlier than the last shown instant.
func (l *Loop[S, E, C]) within(tick uint64) float64 { return l.withinLater(tick, 0) }

// withinLater returns the same as within, for an instant that is later by the given number of
// ticks.
func (l *Loop[S, E, C]) withinLater(tick uint64, later float64) float64 {
	s := &l.shown
	if l.clock.Alike() {
		return float64(int64(s.asked.Tick)-int64(tick)) + (s.asked.Part + s.off) - l.lag.ticks + s.aimed + later
	}
	return in(tick, l.clock.After(s.asked, (s.off-l.lag.ticks+s.aimed+later)*l.unit))
}

// units converts a part of the step after the present pair to ticks of the length Loop.unit.
func (l *Loop[S, E, C]) units(part float64) float64 {
	return part * (l.clock.Length(l.view.Tick+1) / l.unit)
}

// wanted returns the later tick of the pair around the frame's instant.
func (l *Loop[S, E, C]) wanted() uint64 {
	tick := int64(l.shown.asked.Tick) + int64(math.Floor(l.within(l.shown.asked.Tick)))
	return uint64(max(tick, 0))
}

// Presented reports when the picture of an earlier frame was seen. With pacing, the loop then shows
// the instant at which the frame will be seen; see pacing.Aim. The reports must come in the order
// of their frames. A report with a low quality, or about an old frame, is ignored.
func (l *Loop[S, E, C]) Presented(r present.Report) {
	l.motion.meter.Report(r)
	if r.Quality.Trusted() && r.WasSeen() {
		l.lead.report(r.Frame, r.Seen, l.stats.RealNanos)
	}
	if l.config.Pacing {
		l.aim.Report(r)
	}
	l.startDelay.Report(r, l.stats.RealNanos)
}

// Delay returns how long the program can sleep before the next frame reads its input so that the
// picture is still done in time for the next refresh, in nanoseconds; see pacing.Start. The
// parameter now is the time at which the last present returned, in nanoseconds since the first
// frame's start. The next Frame must get the frame time up to now, without the sleep. Call
// Presented with all reports before Delay. Delay returns 0 if the reports are not sufficient.
func (l *Loop[S, E, C]) Delay(now int64) int64 {
	l.stats.Start = l.startDelay.Next(l.stats.Frames+1, now)
	return l.stats.Start.Delay
}

// SleepEnded reports the time at which the sleep after Delay ended, in nanoseconds since the first frame's start.
func (l *Loop[S, E, C]) SleepEnded(now int64) { l.startDelay.SleepEnded(now) }

// GPUTime reports how long the graphics processor has worked on the frame with the given number, in
// ns.
func (l *Loop[S, E, C]) GPUTime(frame uint64, ns int64) { l.startDelay.GPU(frame, ns) }

// takeAim sets shown.aimed for the refresh in which the frame will be seen. The parameter paced is
// the real time to which the clock was advanced for the frame's instant without aimed, in ns, and
// newest is the newest tick that the frame can show.
func (l *Loop[S, E, C]) takeAim(paced int64, newest uint64) {
	before := l.shown.aimed
	if l.shown.aimed = 0; !l.config.Pacing || l.clock.Ended() {
		return
	}
	perTick := l.nanosPerTick()
	if perTick == 0 {
		l.shown.aimed = before // time stands still, so the shown instant must not change
		return
	}
	span := func(tick uint64, states float64) [2]float64 {
		end := (1 - l.within(tick)) * perTick
		return [2]float64{end - states*perTick, end}
	}
	// The exchange has the newest three states.
	reach := pacing.Reach{Newest: span(newest, min(float64(newest), 2))}
	if reach.Held = reach.Newest; l.view.Tick > 0 {
		reach.Held = span(l.view.Tick, 1)
	}
	// the instant without aimed includes the lag, so pacing.Aim does not need the lag
	l.shown.aimed = l.aim.Next(l.stats.Frames, l.stats.RealNanos, float64(paced), reach, l.pacer.Refresh) / perTick
}

// aimedPast reports whether the position t is beyond the end of the pair only by a rounding error
// of shown.aimed.
func (l *Loop[S, E, C]) aimedPast(t float64) bool { return l.shown.aimed != 0 && t < 1+1e-6 }

// post posts the frame's demand, and the commands that are applied after the tick given as after.
// It returns false and posts nothing if the frame has neither commands nor steps.
func (l *Loop[S, E, C]) post(after uint64) bool {
	if l.isEmptyFrame(after) {
		return false
	}
	l.postFrame(after, 0, 0)
	return true
}

// isEmptyFrame reports whether the frame has neither commands nor steps.
func (l *Loop[S, E, C]) isEmptyFrame(after uint64) bool {
	if l.clock.Demand() != after || l.link.Commands.Count() != l.postedCommands {
		return false
	}
	l.motion.due = false
	return true
}

// postFrame posts a frame. The parameters after, needs and ahead are the fields of buffer.Frame; in
// Pipelined and Lockstep needs and ahead are 0.
func (l *Loop[S, E, C]) postFrame(after, needs, ahead uint64) {
	commands := l.link.Commands.Count()
	l.entered(commands != l.postedCommands, after) // measures the input latency
	f := buffer.Frame{
		After: after, Demand: l.clock.Demand(), Ahead: ahead, Needs: needs, Dt: l.clock.Dt(), Commands: commands,
		Remainder: l.clock.Remainder(), Still: l.still, Repredict: l.lead.on && l.lead.again,
	}
	l.physics.post(f, commands != l.postedCommands || f.Repredict) // on a simulated clock this may call Demand.Post later
	l.postedCommands = commands
}

// acquireUpTo takes the pair whose later tick is the given tick, or the nearest pair, and gives the
// cost of the step to that tick to the governor. It reports whether the view has a new pair.
func (l *Loop[S, E, C]) acquireUpTo(tick uint64) bool {
	shown := l.view.Tick
	if !acquireUpTo(l.link, &l.view, tick) {
		return false
	}
	if l.view.Tick != shown {
		if cost, known := l.physics.cost(l.view.Tick, l.view.StepNanos); known {
			l.governor.observe(cost)
		}
	}
	return true
}

// position returns the position of the frame's instant in the present pair, plus an overshoot in
// ticks, but not an earlier instant than the last shown one. The frame's instant may be earlier in
// two cases: the frame before has shown a later instant than its own because it did not get its
// pair, or the lag grows while Aim stops the instant (TestNoReportMovesTheInstantBack).
func (l *Loop[S, E, C]) position(overshoot float64) float64 {
	return max(l.within(l.view.Tick)+overshoot, in(max(l.view.Tick, 1), l.shown.at))
}

// show sets the shown instant to the position t in the acquired pair: 0 at the previous state, 1 at
// the current state. If t is greater than 1, show uses 1. The parameter still is true if the clock
// did not advance in this frame.
func (l *Loop[S, E, C]) show(t float64, still bool) {
	v := &l.view
	v.Held = t > 1 && v.Tick > 0 && !l.aimedPast(t)
	if v.Held {
		l.stats.Held++
	}
	t = min(max(t, 0), 1)
	before := l.shown.at
	l.shown.at = clock.Instant{Tick: max(v.Tick, 1), Part: t}
	if v.Tick == 0 {
		l.shown.at.Part = 0
	}
	// A difference below a nanosecond is a rounding error, because steps can have different
	// lengths.
	if back := in(l.shown.at.Tick, before) - l.shown.at.Part; back*l.unit > 1e-9 {
		l.stats.Backward++
	}
	v.Alpha = float32(t)
	v.Instant = float64(l.shown.at.Tick-1) + l.shown.at.Part
	l.stats.Lag = l.lag.ticks

	l.events = max(l.events, l.due(t, still))
}

// due returns the number of events that are due at the position t in the acquired pair.
// (buffer.Meta says which events belong to the step and which to later commands.) While time
// passes, events become due when the instant reaches their tick. While time stands still, the
// instant may never reach the current state, but the effect of a command on that state is shown at
// once. So all events of the current state are then due if a command has changed the state.
func (l *Loop[S, E, C]) due(t float64, still bool) uint64 {
	cur := l.link.Exchange.Current()
	edited := cur.Events > cur.AfterStep
	if t >= 1 || cur.Tick == 0 || l.atOnce || still && edited || l.lead.on {
		return cur.Events
	}
	return cur.BeforeStep
}

// end stores values for the next frame, measures the motion and returns the view.
func (l *Loop[S, E, C]) end() *scene.View[S] {
	l.view.Fresh = l.view.Fresh || l.stats.Frames == 1 // in the first frame the states from AcquireFirst are new
	l.clock.Forget(l.shown.at.Tick - 1)
	l.last.demand, l.last.alpha = l.clock.Demand(), l.clock.Remainder().Fraction()
	l.measure()
	l.stepped = false
	l.config.phases.SetTick(l.view.Tick, l.view.Fresh)
	l.config.phases.Enter(phase.Other)
	return &l.view
}

// NextEvent moves the oldest event that is due in this frame to e. It returns false if no event is
// due. See MaxPendingEvents about events that are not read.
func (l *Loop[S, E, C]) NextEvent(e *E) bool {
	phases := l.config.phases
	p := l.link.Events.Peek(l.events)
	if p == nil {
		if phases.Phase() == phase.Events {
			phases.Enter(phase.Other)
		}
		return false
	}
	phases.Enter(phase.Events)
	*e = *p
	l.link.Events.Take()
	return true
}

// Acquire takes the newest pair of states from the link to the view v, with all structure records
// that belong to the pair. It returns false if the view has that pair already. It does not change
// the fields that a Loop sets: Alpha, Instant, Smoothing, Steps, Held and Fresh.
func Acquire[S, E, C any](link *buffer.Link[S, E, C], v *scene.View[S]) bool {
	return acquireUpTo(link, v, newestTick)
}

// newestTick makes acquireUpTo choose the newest pair.
const newestTick = ^uint64(0)

// acquireUpTo is Acquire for the pair whose later tick is the given tick, or for the nearest pair;
// see buffer.Exchange.AcquireUpTo.
func acquireUpTo[S, E, C any](link *buffer.Link[S, E, C], v *scene.View[S], tick uint64) bool {
	x := link.Exchange
	if !x.AcquireUpTo(tick) {
		return false
	}
	cur := x.Current()
	follow(v.Scene, link.Structure, cur.Structure)
	fill(v, cur, x.Previous())
	return true
}

// follow applies the structure records of a log, up to the count limit.
func follow(s *scene.Scene, log *buffer.Log[body2d.Structure], limit uint64) {
	for r := log.Peek(limit); r != nil; r = log.Peek(limit) {
		s.Apply(r)
		log.Take()
	}
}

// fill sets the states of a view and the fields that describe these states.
func fill[S any](v *scene.View[S], cur, prev *buffer.Slot[S]) {
	v.Prev, v.Cur = prev.States, cur.States
	v.PrevSerial, v.CurSerial = prev.Serial, cur.Serial
	v.PrevChanges, v.CurChanges = &prev.Changes, &cur.Changes
	v.Tick, v.Revision = cur.Tick, cur.Revision
	v.Counts = cur.Counts
	v.StepNanos = cur.StepNanos
	v.Debug = nil
	if cur.HasDebug {
		v.Debug = &cur.Debug
	}
	if cur.Dt > 0 {
		v.Dt = cur.Dt
	}
}
