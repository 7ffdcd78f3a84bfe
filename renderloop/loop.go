package renderloop

import (
	"fmt"
	"math"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/internal/lane"
	"halfstep/internal/monotime"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/internal/pacing"
	"halfstep/renderloop/scene"
)

// Sync is the way in which frames and steps are synchronized.
type Sync uint8

const (
	// Pipelined (the default) shows the instant of the frame before, while
	// physics works for the next frame. The render thread never waits.
	Pipelined Sync = iota
	// Lockstep waits for the steps of this frame. It has no lag, and a frame
	// takes at least as long as its steps.
	Lockstep
	// Auto waits for the steps of this frame while they take a small part of a
	// frame, and shows what Lockstep shows. Otherwise it shows what Pipelined
	// shows. The change takes about a second, so that nobody sees it. A frame
	// waits at most for Config.WaitBudget.
	Auto
	// RunAhead shows the instant at which the frame will be on the display, at most
	// 50 ms from now. Physics computes the steps up to there before they are due, with
	// the commands known so far, and computes them again when a command comes. A frame
	// with commands waits for that at most for Config.WaitBudget; otherwise a later
	// frame shows their effect. Where steps are too slow, the instant is earlier,
	// down to that of Pipelined. It takes a simulation that can go back
	// (physicsloop.Predictor); with another one, such as a replay, it is Pipelined.
	RunAhead
)

var syncNames = [...]string{"pipelined", "lockstep", "auto", "run-ahead"}

// String returns the mode's name as flags spell it.
func (s Sync) String() string {
	if int(s) >= len(syncNames) {
		s = Pipelined
	}
	return syncNames[s]
}

// A frame counts as late if it advances the clock at least lateFrame times as far
// as the frame before.
const lateFrame = 1.8

// Config configures a Loop. The zero Config means 60 steps per second, Pipelined,
// Interpolate, no pacing, on the wall clock.
type Config struct {
	Rate      clock.Rate // steps per second
	MaxSteps  int        // 0 means as many as can be done in a frame's time, see clock.Clock.Allow
	Sync      Sync
	Smoothing body2d.Smoothing
	Late      bool // see scene.View.LateVelocity
	Pacing    bool // even out frame times, see pacing.Pacer

	// WaitBudget is the longest time for which a frame of Auto or RunAhead waits for
	// its steps, in nanoseconds. 0 means a sixth of the frame time in Auto and
	// a third in RunAhead, at most 2 ms.
	WaitBudget int64

	// FixedLag keeps Pipelined exactly one frame behind the clock, even if a
	// step costs more than a frame.
	FixedLag bool
	// NoGovernor keeps the clock at full speed under overload, so that it runs
	// into the step bound.
	NoGovernor bool

	// Simulated means that frame times do not come from the wall clock. The loop
	// then waits for the ticks that are done on the simulated clock, so that
	// every run is the same.
	Simulated bool
	// StepCost is the cost of a step in nanoseconds on a simulated clock. Steps
	// count as done that much later. Nil means 0.
	StepCost func(tick uint64) int64

	// Lane records the phases of the render thread; nil records nothing.
	Lane *lane.Lane
}

// Loop is the render side of the frame protocol. It owns the clock, demands steps
// from physics, takes the pair of states to show, and decides which instant
// between them to show. It draws nothing. All methods belong to the render thread.
type Loop[S, E, C any] struct {
	link  *buffer.Link[S, E, C]
	clock *clock.Clock

	config    Config // of which Sync and Pacing change
	atOnce    bool   // see DeliverAtOnce
	pacer     pacing.Pacer
	aim       pacing.Aim
	lag       lag
	auto      auto
	lead      lead
	model     aheadModel
	governor  governor
	simulated *simulatedPhysics
	motion    motion

	last    last
	shown   shown
	sent    uint64 // commands posted
	events  uint64 // count of the event log up to which events are due
	kept    uint64 // events, when no more than MaxPendingEvents were left last
	seeking uint64 // the frame that ends a seek, as posted; 0 without one
	stepped bool   // the frame is that of Step
	rested  bool   // there was a pause since the frame before

	rest  int64   // of the next frame's time, in which the clock stands still, ns
	own   int64   // the frame time without the wait for steps, ns
	unit  float64 // s, of what is counted in ticks: the length of the step to come
	view  scene.View[S]
	stats Stats
}

// last keeps the values of the frame before, N-1.
type last struct {
	demand  uint64  // D[N-1]
	alpha   float64 // a[N-1]
	advance float64 // of the clock, ticks
	trail   float64 // auto.trail
	leap    float64 // see leap
}

// shown is the instant that is shown.
type shown struct {
	asked clock.Instant // without what follows
	off   float64       // how far the instant is from it, apart from lag and aim, ticks
	aimed float64       // what aim adds, ticks
	base  uint64        // the shown instant is base + t, in ticks
	t     float64
}

func (s *shown) instant() clock.Instant { return clock.Instant{Tick: s.base + 1, Part: s.t} }

// New returns a loop on a link. Physics may start before or after. It fails if
// the rate, MaxSteps or WaitBudget is out of range.
func New[S, E, C any](link *buffer.Link[S, E, C], config Config) (*Loop[S, E, C], error) {
	if config.Rate == (clock.Rate{}) {
		config.Rate = clock.Hz(60)
	}
	clock, err := clock.New(config.Rate)
	if err != nil {
		return nil, err
	}
	if int(config.Sync) >= len(syncNames) {
		return nil, fmt.Errorf("sync %d: there is no such mode", config.Sync)
	}
	if config.Smoothing > body2d.Hermite {
		return nil, fmt.Errorf("smoothing %d: there is no such mode", config.Smoothing)
	}
	if config.WaitBudget < 0 {
		return nil, fmt.Errorf("wait budget %v: must not be negative", time.Duration(config.WaitBudget))
	}
	if err := clock.SetMaxSteps(config.MaxSteps); err != nil {
		return nil, err
	}
	l := &Loop[S, E, C]{
		link: link, clock: clock, config: config, governor: governor{speed: 1}, auto: newAuto(), last: last{trail: 1}, unit: clock.Dt(),
		view: scene.View[S]{Scene: scene.New(), Smoothing: config.Smoothing, LateVelocity: config.Late, Dt: clock.Dt()},
	}
	if config.Simulated {
		l.simulated = &simulatedPhysics{cost: config.StepCost}
		if config.StepCost == nil {
			l.simulated.cost = func(uint64) int64 { return 0 }
		}
		l.governor.observe(l.simulated.cost(link.Tick() + 1))
		link.Demand.SetLimit(0)
	}
	return l, nil
}

// Clock is the loop's clock.
func (l *Loop[S, E, C]) Clock() *clock.Clock { return l.clock }

// Scene has the bodies, shapes and joints that exist in the current view.
func (l *Loop[S, E, C]) Scene() *scene.Scene { return l.view.Scene }

// View is the view that the last Frame returned.
func (l *Loop[S, E, C]) View() *scene.View[S] { return &l.view }

// Sync is the current mode.
func (l *Loop[S, E, C]) Sync() Sync { return l.config.Sync }

// SetSync changes the mode from the next frame on. A mode that does not exist changes
// nothing.
func (l *Loop[S, E, C]) SetSync(s Sync) {
	if int(s) >= len(syncNames) {
		return
	}
	if s != l.config.Sync {
		l.auto = newAuto()
		if s == Auto && l.config.Sync == Lockstep {
			l.auto.state, l.auto.trail = leaving, 0
		}
		l.last.trail = l.auto.trail
	}
	l.config.Sync = s
}

// SetSmoothing changes the global smoothing mode from the next frame on. A mode that does
// not exist changes nothing.
func (l *Loop[S, E, C]) SetSmoothing(m body2d.Smoothing) {
	if m <= body2d.Hermite {
		l.view.Smoothing = m
	}
}

// SetPacing turns pacing on or off from the next frame on.
func (l *Loop[S, E, C]) SetPacing(on bool) {
	if l.config.Pacing != on {
		l.config.Pacing = on
		l.pacer.Reset()
		l.aim.Reset()
	}
}

// SetRefresh sets pacing.Pacer.Refresh, the refresh interval of the display in
// nanoseconds; 0 means unknown.
func (l *Loop[S, E, C]) SetRefresh(ns int64) { l.pacer.Refresh = max(ns, 0) }

// Send adds a command to the next frame. Physics applies it after the ticks
// demanded so far and before the next step. It is dropped if physics has stopped.
func (l *Loop[S, E, C]) Send(o buffer.Scheduled[C]) {
	if !l.link.Stopped() {
		l.link.Commands.Append(o)
	}
}

// Rest says that ns nanoseconds of the next frame's time passed while time was to stand
// still: in a pause that began and ended since the last frame. They count as paused.
func (l *Loop[S, E, C]) Rest(ns int64) { l.rest += max(ns, 0) }

// Frame advances time by ns nanoseconds of real time since the frame before, and
// returns what to draw. In Pipelined mode on the wall clock it never waits, takes
// no lock and allocates nothing.
//
// After physics has stopped, the view goes on to the last state, and then changes no
// more; see buffer.Link.Failure.
func (l *Loop[S, E, C]) Frame(ns int64) *scene.View[S] {
	ns = min(max(ns, 0), clock.MaxFrameTime)
	l.begin(ns)
	l.count()
	if l.lead.on && (!l.running() || l.seeking != 0) {
		l.settle()
	}
	switch {
	case l.seeking != 0:
		l.arrive(l.simulated != nil || l.config.Sync == Lockstep)
	case l.config.Sync == Lockstep:
		l.lockstep(ns)
	case l.running():
		l.ahead(ns)
	default:
		l.trailing(ns)
	}
	return l.end()
}

func (l *Loop[S, E, C]) begin(ns int64) {
	l.config.Lane.End()
	l.config.Lane.Begin(l.stats.Frames, phase.Acquire)
	l.stats.Frames++
	l.stats.RealNanos += ns
	l.own = ns - min(l.rest, ns)
	if l.simulated == nil { // there, frames do not have the time that they wait
		l.own = max(l.own-l.stats.WaitNanos, 0)
	}
	l.rested = l.rest > 0
	l.stats.WaitNanos = 0
	l.link.Commands.Trim()
	if l.events != l.kept {
		l.kept = l.events
		l.stats.DroppedEvents += l.link.Events.DropOldest(l.events, MaxPendingEvents)
	}
	if l.simulated != nil && l.seeking == 0 {
		l.simulated.advance(ns)
	}
}

// count has what is counted in ticks be counted in those to come. It is as much time as
// before, so nobody sees that the rate changes.
func (l *Loop[S, E, C]) count() {
	f := l.unit / l.clock.Dt()
	if f == 1 {
		return
	}
	if due := l.clock.Demand(); l.lead.on && l.shown.base >= due {
		ahead := (float64(l.shown.base-due) + l.shown.t) * l.unit
		at := l.clock.After(clock.Instant{Tick: due + 1}, ahead)
		l.shown.base, l.shown.t = at.Tick-1, at.Part
	}
	l.unit = l.clock.Dt()
	l.last.advance *= f
	l.last.leap *= f
	l.shown.aimed *= f
	l.lag.ticks *= f
	l.lag.need.scale(f)
	l.lead.ticks *= f
	l.lead.advance.scale(f)
	l.lead.early.scale(f)
}

func (l *Loop[S, E, C]) end() *scene.View[S] {
	l.clock.Forget(l.shown.base)
	l.last.demand, l.last.alpha = l.clock.Demand(), l.clock.Remainder().Fraction()
	l.measure()
	l.stepped = false
	l.config.Lane.SetTick(l.view.Tick, l.view.Fresh)
	l.config.Lane.Enter(phase.Other)
	return &l.view
}

// trailing is a frame of Pipelined or Auto. Its instant trails the clock by the part
// trail of a frame, which is always 1 in Pipelined, and by the lag.
func (l *Loop[S, E, C]) trailing(ns int64) {
	if v := l.simulated; v != nil {
		l.link.Demand.SetLimit(v.done)
		l.link.Await(v.done, v.frames)
	}
	newest, _ := l.link.Exchange.Peek()
	backlog := l.last.demand - newest
	after, paced := l.clock.Demand(), l.paced()-ns
	advanced := l.advance(ns, backlog)

	waits := l.decide(ns, advanced, paced, newest, backlog)
	// Take the pair before demanding more: physics might otherwise publish a
	// newer one first.
	tick := l.wanted()
	l.view.Fresh = l.acquireUpTo(tick)
	posted := l.link.Demand.Posted()
	l.post(after)
	edited := l.clock.Demand() == after && l.link.Demand.Posted() > posted
	if waits && (tick > after || edited) {
		l.waitForSteps(tick)
		l.view.Fresh = l.acquireUpTo(tick) || l.view.Fresh
	}

	l.last.leap = l.leapt(l.leap(advanced))
	t := l.within(l.view.Tick) + l.last.leap
	// A rounding error must not take the picture back, nor a pair that was missed
	// and left it ahead of its instant.
	t = max(t, float64(int64(l.shown.base)-int64(max(l.view.Tick, 1)-1))+l.shown.t)
	if t > 1 && l.view.Tick > 0 && !l.aimedPast(t) {
		l.lag.held(l.auto.held(l.units(t-1), advanced))
	}
	l.show(t, advanced == 0)
	l.last.advance, l.last.trail = advanced, l.auto.trail
}

// decide chooses the frame's instant, from how far the clock has advanced, where it was
// before (paced, see takeAim) and how far physics is. waits says that the frame may wait
// for its steps.
func (l *Loop[S, E, C]) decide(ns int64, advanced float64, paced int64, newest, backlog uint64) (waits bool) {
	a := &l.auto
	if l.config.Sync == Auto && advanced > 0 {
		a.update(ns, float64(ns)/advanced, a.budget(autoPart, l.config.WaitBudget))
	}
	l.setAsked(advanced)
	if !l.config.FixedLag {
		moved := advanced - a.trail*advanced + l.last.trail*l.last.advance - l.last.leap
		l.lag.update(l.beyond(newest), moved, ns)
		if advanced == 0 && (backlog == 0 || l.clock.Ended()) {
			// Otherwise the last tick might never be shown.
			l.lag.ticks = max(l.lag.ticks-float64(ns)/1e9/l.clock.Dt(), 0)
		}
	}
	waits = backlog == 0 && a.state != apart && l.link.Frames() >= a.lastMissed
	reachable := newest
	if waits {
		reachable = l.clock.Demand() // by waiting for it
	}
	l.takeAim(l.paced()-int64(a.trail*float64(l.paced()-paced)), reachable)
	return waits
}

// setAsked sets the frame's instant without lag.
func (l *Loop[S, E, C]) setAsked(advanced float64) {
	if l.shown.off = 0; l.auto.trail == 1 {
		l.shown.asked = clock.Instant{Tick: l.last.demand, Part: l.last.alpha} // without a rounding error
		return
	}
	l.shown.asked, l.shown.off = l.now(), -l.auto.trail*advanced
}

// now is the clock's instant, but for RunAhead, which is a step further.
func (l *Loop[S, E, C]) now() clock.Instant {
	return clock.Instant{Tick: l.clock.Demand(), Part: l.clock.Remainder().Fraction()}
}

// beyond is how far the instant of Pipelined without lag is beyond a tick, in ticks.
func (l *Loop[S, E, C]) beyond(tick uint64) float64 {
	if l.clock.Alike() {
		return float64(int64(l.last.demand)-int64(tick)) + l.last.alpha - 1
	}
	return l.clock.Between(clock.Instant{Tick: tick, Part: 1}, clock.Instant{Tick: l.last.demand, Part: l.last.alpha}) / l.unit
}

// units takes a part of the step that follows the pair at hand to ticks as they are
// counted.
func (l *Loop[S, E, C]) units(part float64) float64 {
	return part * (l.clock.Length(l.view.Tick+1) / l.unit)
}

// wanted is the tick whose pair the frame's instant lies in.
func (l *Loop[S, E, C]) wanted() uint64 {
	tick := int64(l.shown.asked.Tick) + int64(math.Floor(l.within(l.shown.asked.Tick)))
	return uint64(max(tick, 0))
}

// leap is the number of ticks that a paced frame shows beyond its instant. An
// instant that trails the clock by a frame would make up for a late frame only in
// the next frame, and two frames would be wrong instead of one. But a frame knows
// that it is late. So it advances at once, as far as the acquired pair reaches. The
// next frame is later in any case, so nothing goes back.
func (l *Loop[S, E, C]) leap(advanced float64) float64 {
	t := l.within(l.view.Tick)
	if !l.config.Pacing || l.last.advance <= 0 || advanced < lateFrame*l.last.advance || t >= 1 {
		return 0
	}
	return min(l.auto.trail*(advanced-l.last.advance), 1-t)
}

// within is the position of the frame's instant in the pair that ends at the tick:
// 0 at the previous state, 1 at the current one.
func (l *Loop[S, E, C]) within(tick uint64) float64 { return l.withinLater(tick, 0) }

// withinLater is the same for an instant that is so many ticks later.
func (l *Loop[S, E, C]) withinLater(tick uint64, later float64) float64 {
	s := &l.shown
	if l.clock.Alike() {
		return float64(int64(s.asked.Tick)-int64(tick)) + (s.asked.Part + s.off) - l.lag.ticks + s.aimed + later
	}
	at := l.clock.After(s.asked, (s.off-l.lag.ticks+s.aimed+later)*l.unit)
	return float64(int64(at.Tick)-int64(tick)) + at.Part
}

func (l *Loop[S, E, C]) lockstep(ns int64) {
	backlog := l.last.demand - l.link.Tick()
	if l.simulated != nil {
		backlog = 0
	}
	after := l.clock.Demand()
	advanced := l.advance(ns, backlog)
	l.post(after)
	if v := l.simulated; v != nil {
		v.finishAll()
		l.link.Demand.SetLimit(l.clock.Demand())
	}
	l.view.Fresh = false
	l.lag = lag{}
	l.shown.asked, l.shown.off = l.now(), 0
	l.takeAim(l.paced(), l.clock.Demand())
	l.showDemanded(advanced == 0)
}

// showDemanded waits for the steps demanded and shows the clock's instant.
func (l *Loop[S, E, C]) showDemanded(still bool) {
	demand := l.clock.Demand()
	start := monotime.Now()
	l.link.Await(demand, l.link.Demand.Posted())
	if l.simulated == nil {
		l.stats.WaitNanos = int64(monotime.Since(start))
	}
	l.lag = lag{}
	l.shown.asked, l.shown.off = l.now(), 0
	tick := newestTick
	if l.shown.aimed != 0 {
		tick = l.wanted()
	}
	l.view.Fresh = l.acquireUpTo(tick) || l.view.Fresh
	l.show(l.within(l.view.Tick), still)
}

// Step is a frame in which no time passes and the clock advances by exactly n
// steps, see clock.Clock.Step. It waits for them, in every mode, and shows the
// state at the last one. All events up to there are due.
func (l *Loop[S, E, C]) Step(n int) *scene.View[S] {
	l.begin(0)
	l.count()
	l.stepped = true
	if l.lead.on {
		l.settle()
	}
	if l.seeking != 0 {
		if l.arrive(true); l.seeking != 0 {
			return l.end() // physics has stopped
		}
	}
	l.view.Fresh = false
	after := l.clock.Demand()
	l.view.Steps = l.clock.Step(n)
	demand := l.clock.Demand()
	if v := l.simulated; v != nil {
		v.skip(demand)
		l.link.Demand.SetLimit(demand)
	}
	l.post(after)
	// MaxSteps is a limit on what a frame leaves to be done, and this frame leaves
	// nothing. It takes what the steps publish as often, so that nothing piles up.
	most := uint64(l.clock.MaxSteps())
	l.stats.MaxBacklog = max(l.stats.MaxBacklog, demand-after)
	for tick := after; demand-tick > most; {
		if tick += most; !l.link.Await(tick, 0) {
			break
		}
		l.view.Fresh = l.acquireUpTo(newestTick) || l.view.Fresh
	}
	l.showDemanded(true)
	l.last.advance, l.last.leap, l.shown.aimed = 0, 0, 0
	return l.end()
}

// advance advances the clock and returns by how many ticks.
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
	before, from := c.Remainder(), l.now()
	n := c.Advance(ns, backlog)
	after := c.Remainder()
	l.view.Steps = n
	l.stats.MaxBacklog = max(l.stats.MaxBacklog, backlog+uint64(n))
	if !c.Alike() {
		return c.Between(from, l.now()) / l.unit
	}
	return float64(n) + float64(after.Units-before.Units)/float64(after.Step)
}

// post publishes the frame's commands, which follow the tick after, and the steps
// demanded. It posts nothing if there are neither.
func (l *Loop[S, E, C]) post(after uint64) {
	if l.asksNothing(after) {
		return
	}
	l.postFrame(after, 0, 0)
	if l.simulated != nil {
		l.simulated.demand(l.clock.Demand())
	}
}

// asksNothing reports whether the frame has neither commands nor steps.
func (l *Loop[S, E, C]) asksNothing(after uint64) bool {
	if l.clock.Demand() != after || l.link.Commands.Count() != l.sent {
		return false
	}
	l.motion.due = false
	return true
}

// postFrame posts a frame with the ticks to run ahead to, at once and afterwards.
func (l *Loop[S, E, C]) postFrame(after, needs, ahead uint64) {
	commands, demand := l.link.Commands.Count(), l.clock.Demand()
	l.entered(commands != l.sent, after)
	f := buffer.Frame{
		After: after, Demand: demand, Ahead: ahead, Needs: needs, Dt: l.clock.Dt(), Commands: commands,
		Remainder: l.clock.Remainder(),
	}
	if l.lead.on && l.simulated != nil {
		l.model.queue = append(l.model.queue, aheadFrame{f, l.simulated.now, commands != l.sent || l.lead.again})
	} else {
		l.link.Demand.Post(f)
	}
	l.sent = commands
}

// acquireUpTo takes the pair that ends at the tick, or the nearest, and tells the
// governor what its step cost.
func (l *Loop[S, E, C]) acquireUpTo(tick uint64) bool {
	shown := l.view.Tick
	if !acquireUpTo(l.link, &l.view, tick) {
		return false
	}
	v := l.simulated
	// A step that counted 0 on a coarse clock tells nothing, except on a simulated one.
	if l.view.Tick != shown && (v != nil || l.view.StepNanos > 0) {
		cost := l.view.StepNanos
		if v != nil {
			cost = v.cost(l.view.Tick)
		}
		l.governor.observe(cost)
		l.auto.cost = max(l.auto.cost, cost)
	}
	return true
}

// show sets the shown instant. t is its position in the acquired pair: 0 at the
// previous state, 1 at the current one. If t is beyond the pair, the picture is
// held at its end. still says that the clock did not advance in this frame.
func (l *Loop[S, E, C]) show(t float64, still bool) {
	v := &l.view
	v.Held = t > 1 && v.Tick > 0 && !l.aimedPast(t)
	if v.Held {
		l.stats.Held++
	}
	t = min(max(t, 0), 1)
	before, was := l.shown.base, l.shown.t
	l.shown.base = max(v.Tick, 1) - 1
	if l.shown.base == before {
		t = l.notBack(t, was)
	}
	l.shown.t = t
	if v.Tick == 0 {
		l.shown.t = 0
	}
	// Less than a nanosecond is rounding: the same time is another part of a step of another length.
	if back := was - float64(int64(l.shown.base)-int64(before)) - l.shown.t; back*l.unit > 1e-9 {
		l.stats.Backward++
	}
	v.Alpha = float32(t)
	v.Instant = float64(l.shown.base) + l.shown.t
	l.stats.Lag = l.lag.ticks

	l.events = max(l.events, l.due(t, still))
}

// due is the number of events that are due at the position t in the acquired pair.
// While time passes, events wait until the instant reaches their tick. While it
// stands still, the instant may never reach the current state, but an edit of it is
// shown at once. So the events of an edit are due as soon as it is acquired, and to
// keep the order, so are those of the step before it.
func (l *Loop[S, E, C]) due(t float64, still bool) uint64 {
	cur := l.link.Exchange.Current()
	edited := cur.Events > cur.AfterStep
	if t >= 1 || cur.Tick == 0 || l.atOnce || still && edited || l.lead.on {
		return cur.Events
	}
	return cur.BeforeStep
}

// DeliverAtOnce makes events available as soon as their state has arrived, and not
// only when the shown instant reaches their tick.
func (l *Loop[S, E, C]) DeliverAtOnce(on bool) { l.atOnce = on }

// NextEvent moves the oldest event that is due in this frame to e. It returns
// false if there is none. See MaxPendingEvents for events that nobody reads.
func (l *Loop[S, E, C]) NextEvent(e *E) bool {
	lane := l.config.Lane
	p := l.link.Events.Peek(l.events)
	if p == nil {
		if lane.Phase() == phase.Events {
			lane.Enter(phase.Other)
		}
		return false
	}
	lane.Enter(phase.Events)
	*e = *p
	l.link.Events.Take()
	return true
}

// Acquire moves the newest pair of states and everything that came with it from
// the link to the view, and reports false if the view has it already. It leaves
// alone what a loop decides: Alpha, Instant, Smoothing, Steps, Held, Fresh.
func Acquire[S, E, C any](link *buffer.Link[S, E, C], v *scene.View[S]) bool {
	return acquireUpTo(link, v, newestTick)
}

// newestTick stands for whatever tick is the newest.
const newestTick = ^uint64(0)

// acquireUpTo is Acquire of the pair that ends at the tick, or the nearest there
// is; see buffer.Exchange.AcquireUpTo.
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

// follow applies the records of a log up to a count.
func follow(s *scene.Scene, log *buffer.Log[body2d.Structure], limit uint64) {
	for r := log.Peek(limit); r != nil; r = log.Peek(limit) {
		s.Apply(r)
		log.Take()
	}
}

// fill makes a pair of states that of a view.
func fill[S any](v *scene.View[S], cur, prev *buffer.Slot[S]) {
	v.Prev, v.Cur = prev.States, cur.States
	v.PrevSerial, v.CurSerial = prev.Serial, cur.Serial
	v.PrevStamps, v.CurStamps = &prev.Stamps, &cur.Stamps
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
