package renderloop

import (
	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/scene"
)

// Sync says how the frames of the render thread and the steps of physics go
// together.
type Sync uint8

const (
	// Pipelined (the default) draws one frame behind the clock while physics
	// works for the next. The render thread never waits.
	Pipelined Sync = iota
	// Lockstep waits for the steps of this frame: no lag, and a frame that
	// takes as long as its steps.
	Lockstep
)

// String returns the mode's name as flags spell it.
func (s Sync) String() string {
	if s == Lockstep {
		return "lockstep"
	}
	return "pipelined"
}

// lateFrame is from how many times the frame before a frame counts as late.
const lateFrame = 1.8

// Config is what a Loop is made from. The zero value is 60 steps a second,
// Pipelined, Interpolate, on the wall clock.
type Config struct {
	Rate      clock.Rate // steps per second
	MaxSteps  int        // 0 means DefaultMaxSteps
	Sync      Sync
	Smoothing body2d.Smoothing
	Pacing    bool // even out frame times, see Pacer

	// FixedLag keeps the lag of Pipelined at its smallest, one frame, even
	// where physics needs more.
	FixedLag bool
	// NoGovernor lets overload run into the step bound.
	NoGovernor bool

	// Injected says that frame times do not come from the wall clock. The loop
	// then waits for the ticks that the protocol expects, so that a run is the
	// same every time.
	Simulated bool
	// StepCost is the simulated cost of a step in nanoseconds, on an injected
	// clock. Physics counts as done that much later. Nil means no cost.
	StepCost func(tick uint64) int64

	// Lane follows the render thread through its phases; nil marks nothing.
	Lane *phase.Lane
}

// Loop is the render side of the frame protocol: it owns the clock, asks
// physics for steps, takes the pair of states to show and says where between
// them the shown instant lies. It draws nothing and knows no GL. All methods
// belong to the render thread.
type Loop[S, E, C any] struct {
	link  *buffer.Link[S, E, C]
	clock *clock.Clock
	scene *scene.Scene
	sync  Sync

	pacer    clock.Pacer
	pacing   bool
	lag      lag
	governor governor
	virtual  *virtual
	config   Config

	prevDemand  uint64  // D[N-1]
	prevAlpha   float64 // a[N-1]
	prevAdvance float64 // of the clock in frame N-1, ticks
	prevLeap    float64 // see leap
	sent        uint64  // commands posted
	events      uint64  // of the log, that may be delivered
	kept        uint64  // events, when no more than MaxPendingEvents were left last
	atOnce      bool

	view  scene.View[S]
	base  uint64 // the shown instant is base + t ticks
	t     float64
	stats Stats
}

// New returns a loop on a link. The physics side may start before or after.
func New[S, E, C any](link *buffer.Link[S, E, C], config Config) (*Loop[S, E, C], error) {
	if config.Rate == (clock.Rate{}) {
		config.Rate = clock.Hz(60)
	}
	clock, err := clock.New(config.Rate)
	if err != nil {
		return nil, err
	}
	if config.MaxSteps != 0 {
		if err := clock.SetMaxSteps(config.MaxSteps); err != nil {
			return nil, err
		}
	}
	l := &Loop[S, E, C]{
		link: link, clock: clock, scene: scene.New(), sync: config.Sync,
		pacing: config.Pacing, config: config,
	}
	l.view.Scene = l.scene
	l.view.Smoothing = config.Smoothing
	l.view.Dt = clock.Dt()
	if config.Simulated {
		l.virtual = &virtual{cost: config.StepCost}
		link.Demand.SetLimit(0)
	}
	return l, nil
}

// Clock is the loop's clock.
func (l *Loop[S, E, C]) Clock() *clock.Clock { return l.clock }

// Scene is the loop's account of what exists.
func (l *Loop[S, E, C]) Scene() *scene.Scene { return l.scene }

// View is what the last frame showed.
func (l *Loop[S, E, C]) View() *scene.View[S] { return &l.view }

// Sync is the mode in use.
func (l *Loop[S, E, C]) Sync() Sync { return l.sync }

// SetSync changes the mode from the next frame on.
func (l *Loop[S, E, C]) SetSync(s Sync) { l.sync = s }

// SetSmoothing changes the global smoothing mode from the next frame on.
func (l *Loop[S, E, C]) SetSmoothing(m body2d.Smoothing) { l.view.Smoothing = m }

// SetPacing turns pacing on or off from the next frame on.
func (l *Loop[S, E, C]) SetPacing(on bool) {
	if l.pacing != on {
		l.pacing = on
		l.pacer.Reset()
	}
}

// SetRefresh tells the pacer the time between two refreshes of the display in
// nanoseconds; 0 is unknown.
func (l *Loop[S, E, C]) SetRefresh(ns int64) { l.pacer.Refresh = max(ns, 0) }

// Order puts a command into this frame: it is applied once the ticks demanded
// so far are done and before the next step. Where physics has stopped it is
// dropped.
func (l *Loop[S, E, C]) Send(o buffer.Scheduled[C]) {
	if !l.link.Stopped() {
		l.link.Commands.Append(o)
	}
}

// Frame lets ns nanoseconds of real time pass since the frame before, and
// returns what to draw. It is the frame protocol; in Pipelined mode on the wall
// clock it never waits, takes no lock and allocates nothing.
//
// If physics has stopped the view stays what it was; see buffer.Link.Failure.
func (l *Loop[S, E, C]) Frame(ns int64) *scene.View[S] {
	lane := l.config.Lane
	lane.End()
	lane.Begin(l.stats.Frames, phase.Acquire)
	l.stats.Frames++
	l.stats.RealNanos += max(ns, 0)
	if l.events != l.kept {
		l.kept = l.events
		l.stats.DroppedEvents += l.link.Events.Shed(l.events, MaxPendingEvents)
	}
	ns = min(max(ns, 0), clock.LongestFrame)
	if l.virtual != nil {
		l.virtual.advance(ns)
	}
	if l.sync == Lockstep {
		l.lockstep(ns)
	} else {
		l.pipelined(ns)
	}
	l.prevDemand, l.prevAlpha = l.clock.Demand(), l.clock.Alpha()
	lane.Shows(l.view.Tick, l.view.Fresh)
	lane.Enter(phase.Other)
	return &l.view
}

func (l *Loop[S, E, C]) pipelined(ns int64) {
	if v := l.virtual; v != nil {
		l.link.Demand.SetLimit(v.done)
		l.link.Await(v.done, v.frames)
	}
	held := l.link.Exchange.Current().Tick
	newest, fresh := l.link.Exchange.Peek()
	if !fresh {
		newest = held
	}
	backlog := l.prevDemand - newest

	after := l.clock.Demand()
	advanced := l.advance(ns, backlog)
	if !l.config.FixedLag {
		l.lag.update(float64(backlog)+l.prevAlpha-1, l.prevAdvance-l.prevLeap, ns)
		if l.clock.Ended() && advanced == 0 {
			l.lag.end(float64(ns) / 1e9 / l.clock.Dt())
		}
	}
	// Taking the newest pair now would skip what is left of the pair in hand,
	// unless it is the same tick, edited.
	l.view.Fresh = false
	if fresh && (newest == held || l.within(held) >= 1) {
		l.view.Fresh = l.acquire()
	}
	// Demanding only now makes the pair the exact one: physics may be quick.
	l.post(after)
	l.prevLeap = l.leap(advanced)
	l.show(l.within(l.view.Tick) + l.prevLeap)
	l.prevAdvance = advanced
}

// leap is how many ticks a paced frame shows beyond its instant. When a frame
// came late, that is known now, but the instant, a frame behind the clock, would
// make up for it in the next frame only: two frames that are wrong in place of
// one. So the frame goes on at once as far as the pair in hand reaches; the next
// one is further on in any case.
func (l *Loop[S, E, C]) leap(advanced float64) float64 {
	t := l.within(l.view.Tick)
	if !l.pacing || l.prevAdvance <= 0 || advanced < lateFrame*l.prevAdvance || t >= 1 {
		return 0
	}
	return min(advanced-l.prevAdvance, 1-t)
}

// within is where the instant of a Pipelined frame lies in the pair that ends
// at the tick: 0 at its previous state, 1 at its current one. The difference of
// the integers comes first: as one float the instant would lose bits as time
// goes on.
func (l *Loop[S, E, C]) within(tick uint64) float64 {
	return float64(int64(l.prevDemand)-int64(tick)) + l.prevAlpha - l.lag.ticks
}

func (l *Loop[S, E, C]) lockstep(ns int64) {
	backlog := l.prevDemand - l.link.Tick()
	if l.virtual != nil {
		backlog = 0
	}
	after := l.clock.Demand()
	l.advance(ns, backlog)
	l.post(after)
	demand := l.clock.Demand()
	if v := l.virtual; v != nil {
		v.finishAll()
		l.link.Demand.SetLimit(demand)
	}
	l.link.Await(demand, l.link.Demand.Posted())
	l.view.Fresh = l.acquire()
	l.lag = lag{}
	l.show(float64(int64(demand)-int64(l.view.Tick)) + l.clock.Alpha())
}

// advance moves the clock on and returns by how many ticks.
func (l *Loop[S, E, C]) advance(ns int64, backlog uint64) (ticks float64) {
	if l.pacing {
		ns = l.pacer.Pace(ns)
	}
	c := l.clock
	if !l.config.NoGovernor {
		// The time that a step has, in real nanoseconds.
		if scale := c.Scale().Float(); scale > 0 {
			c.SetSpeed(l.governor.update(c.Dt()*1e9/scale, ns, backlog))
		}
	}
	before, _ := c.Remainder()
	n := c.Advance(ns, backlog)
	after, step := c.Remainder()
	l.view.Demanded = n
	l.stats.MaxBacklog = max(l.stats.MaxBacklog, backlog+uint64(n))
	return float64(n) + float64(after-before)/float64(step)
}

// post publishes what the frame asks for, if it asks for anything: its
// commands, which follow the tick after, and the steps demanded by now.
func (l *Loop[S, E, C]) post(after uint64) {
	commands, demand := l.link.Commands.Count(), l.clock.Demand()
	if demand == after && commands == l.sent {
		return
	}
	l.sent = commands
	carry, step := l.clock.Remainder()
	l.link.Demand.Post(buffer.Frame{
		After: after, Demand: demand, Dt: l.clock.Dt(), Commands: commands,
		Carry: carry, Step: step,
	})
	if l.virtual != nil {
		l.virtual.demand(demand)
	}
}

// acquire takes the newest pair and tells the governor what its step cost.
func (l *Loop[S, E, C]) acquire() bool {
	shown := l.view.Tick
	if !Acquire(l.link, &l.view) {
		return false
	}
	if l.view.Tick != shown && l.view.StepNanos > 0 {
		cost := l.view.StepNanos
		if v := l.virtual; v != nil {
			cost = 0
			if v.cost != nil {
				cost = v.cost(l.view.Tick)
			}
		}
		l.governor.observe(cost)
	}
	return true
}

// show settles the shown instant; t is where it lies in the pair in hand, 0 at
// its previous state and 1 at its current one, and may be beyond it.
func (l *Loop[S, E, C]) show(t float64) {
	v := &l.view
	v.Held = t > 1 && v.Tick > 0
	if v.Held {
		l.stats.Held++
		l.lag.held(t - 1)
	} else if t < 0 {
		l.lag.ahead(-t)
	}
	t = min(max(t, 0), 1)
	before, was := l.base, l.t
	l.base, l.t = max(v.Tick, 1)-1, t
	if v.Tick == 0 {
		l.t = 0
	}
	if float64(int64(l.base)-int64(before))+l.t < was {
		l.stats.Backward++
	}
	v.Alpha = float32(t)
	v.Instant = float64(l.base) + l.t
	l.stats.Lag = l.lag.ticks

	l.events = l.link.Exchange.Previous().Events
	if t >= 1 || l.atOnce {
		l.events = l.link.Exchange.Current().Events
	}
}

// DeliverAtOnce makes events available as soon as their pair is in hand, not
// only when the shown instant reaches their tick.
func (l *Loop[S, E, C]) DeliverAtOnce(on bool) { l.atOnce = on }

// NextEvent moves the oldest event that is due in this frame to e, and reports
// false if there is none. See MaxUntaken for events that nobody takes.
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
