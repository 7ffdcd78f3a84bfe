package history

import (
	"slices"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/exports"
	"halfstep/internal/schedule"
	"halfstep/physicsloop"
	"halfstep/world"
)

// carrier carries out entries. A Log, a RollbackLog and a screen are carriers. A Predictor or a Player
// wraps a carrier and adds the calls of the loop that become entries.
type carrier interface {
	Start(out *buffer.Outbox[world.Event])
	Capture(dst []body2d.State) []body2d.State
	Counts() body2d.Counts
	physicsloop.ChangeCapturer[body2d.State]
	physicsloop.DebugCapturer
	physicsloop.Announcer
	physicsloop.Shifter[body2d.State]
	ObserveFrame(f *buffer.Frame)
	Lasted() float64
	Visits() bool
	Scheduled() *schedule.Queue[world.Command]

	carry(e *Entry)         // carries out an entry
	order(c *world.Command) // carries out an order, such as the beginning of a recording (see log.go), or answers a question
}

// base is the carrier that a Predictor wraps: a Log or a RollbackLog.
type base interface {
	carrier
	confirm(e *Entry, events []world.Event) // keeps an entry that a prediction has already carried out, and the events of that entry
	needsEachTick() bool                    // reports whether there are sinks, which need the world at each due tick
	keepDue()                               // keeps the due tick, at which the world must be, unless the tick is already kept
}

// Predictor is the simulation of the loop in every run except replays. In RunAhead it also predicts
// ticks that are not due yet. A prediction uses the commands that are known so far and the forces of
// the last frame. The world is then at a predicted tick. It returns to the due tick before any other
// change. A tick that becomes due exactly as predicted is not computed again.
type Predictor struct {
	base
	back  *RollbackLog // equal to base if base is a RollbackLog, and nil otherwise
	log   *Log
	ticks *ticks // ticks are the ticks of log.

	entry   Entry           // scratch memory
	forces  []world.Command // forces are the forces of this frame.
	assumed []world.Command // assumed are the forces that predictions assume in each frame.
	framed  bool            // framed says that the forces of the present frame may differ from those assumed (see reframe).
	loads   []exports.Load  // scratch memory
}

// Close frees the kept ticks. The physics goroutine must have ended.
func (p *Predictor) Close() { p.log.close() }

var (
	_ physicsloop.Simulation[body2d.State, world.Event, world.Command] = (*Predictor)(nil)
	_ physicsloop.Predictor                                            = (*Predictor)(nil)
)

// Predict returns a Predictor around b. The carrier b is l, or a RollbackLog around l.
func Predict(l *Log, b base) *Predictor {
	l.events.early = l.o.EventsAtOnce
	l.events.comparesDue = l.events.comparesDue || l.o.EventsAtOnce // events of due ticks are compared with events that were delivered early
	back, _ := b.(*RollbackLog)
	return &Predictor{base: b, back: back, log: l, ticks: &l.ticks}
}

// ObserveFrame tells the blend of corrections the newest tick that is on the screen or will soon be
// there.
func (p *Predictor) ObserveFrame(f *buffer.Frame) {
	p.base.ObserveFrame(f)
	if f.Ahead > 0 {
		p.log.blend.stays = f.Needs
	} else if !p.log.ahead {
		p.log.blend.stays = 0
	}
}

// BeginFrame turns the loop's call into an entry, and carries the entry out, as EndFrame, Step and Apply
// do. The comments of physicsloop.Simulation explain the calls.
func (p *Predictor) BeginFrame() {
	frame := &p.log.frame
	p.make(Entry{Kind: Begin, Tick: p.log.tick, Units: frame.Units, StepUnits: frame.StepUnits, Still: frame.Still})
}

// EndFrame makes the entry with which the forces of the frame end.
func (p *Predictor) EndFrame() { p.make(Entry{Kind: End, Tick: p.log.tick}) }

// Step does a step of length dt, in s.
func (p *Predictor) Step(tick uint64, dt float64) {
	p.make(Entry{Kind: Step, Tick: tick, Dt: dt, Rewinds: p.ticks.rewinding.now()})
}

// Apply carries out a command or an order.
func (p *Predictor) Apply(_ uint64, c *world.Command, scheduled bool) {
	if !private.OnlyReads(c) {
		p.make(Entry{Kind: Apply, Tick: p.log.tick, Scheduled: scheduled, Command: c})
		return
	}
	switch o := private.Order(c).(type) {
	case *Rollback:
		p.dropPredictions() // the predictions do not know the change that follows
		p.back.rollBack(o)
		p.ticks.done.Add(1)
		return
	case SetRewind:
		p.dropPredictions()
	default:
		p.present()
		p.keepDue() // a step that was confirmed in this frame may not be kept yet
	}
	p.order(c)
}

// dropPredictions moves the world to the due tick, keeps that tick, and drops the predictions: they are
// based on a past or a course of ticks that is about to change.
func (p *Predictor) dropPredictions() {
	p.present()
	p.keepDue() // a step that was confirmed in this frame may not be kept yet
	p.ticks.forget(p.log.tick)
}

// make makes an entry of a call, and carries the entry out.
func (p *Predictor) make(entry Entry) {
	e := &p.entry
	*e = entry
	p.follow(e)
	if p.log.ahead && !p.enter(e) {
		return
	}
	p.carry(e)
	if p.log.ahead {
		if e.Kind != Begin {
			p.changed()
		}
		p.ticks.trim(p.log.tick)
	}
}

// follow records the forces of a frame, even while the loop does not run ahead. Predictions assume
// the same forces in later frames.
func (p *Predictor) follow(e *Entry) {
	switch {
	case e.Kind == Begin:
		p.reframe()
		clear(p.forces)
		p.forces, p.framed = p.forces[:0], true
	case e.Kind == Apply && !e.Scheduled && !e.Command.AtStart && private.IsForce(e.Command):
		p.forces = append(p.forces, *e.Command)
	}
}

// enter prepares the world for an entry while the loop runs ahead. It returns false if nothing is
// left to do.
func (p *Predictor) enter(e *Entry) bool {
	switch e.Kind {
	case Begin:
		p.log.guessed = false
		if !p.needsEachTick() && p.log.at != p.log.tick { // only entries that change the world move it back to the due tick
			p.log.frame, p.log.pendingBegin = *e, true
			return false
		}
		p.present()
	case Apply:
		if p.present(); !private.IsForce(e.Command) { // forces are compared with the assumed forces later
			p.ticks.drop(p.log.tick + 1)
		}
	case Step:
		p.present()
		p.save() // the loop may show this tick again when it stops running ahead
		p.ticks.drop(p.log.tick + 1)
		p.log.guessed = false
	case End:
		p.reframe()
		if p.log.pendingBegin = false; !p.log.guessed {
			return true // the step was done just now, and the world is at its tick
		}
		// The world is at a predicted tick. It must return to the due tick only if there are forces to end.
		if p.confirm(e, nil); len(p.ticks.keptAt(p.log.tick).loads) > 0 {
			p.present()
			p.log.Simulation.EndFrame()
			p.changed()
		}
		return false
	}
	p.keepDue()
	return true
}

// changed drops the state of the tick at which the world is.
func (p *Predictor) changed() {
	if t := p.ticks.keptAt(p.log.at); t != nil {
		p.ticks.recycle(&t.now)
	}
}

// save takes a snapshot of the world at its tick, unless the tick already has a snapshot.
func (p *Predictor) save() {
	if p.ticks.saved(p.log.at) {
		return
	}
	t := p.ticks.keptAt(p.log.at)
	switch {
	case t != nil:
	case p.log.at == p.log.tick:
		t = p.ticks.begin(p.log.at, p.log.rewound)
	default:
		return // the prediction of this tick was dropped
	}
	p.ticks.makeRoom(&t.now)
	must(p.log.take(&t.now))
}

// MoveTo is the method of physicsloop.Predictor. It moves the world to a tick. It returns false if no
// snapshot of the tick is kept.
func (p *Predictor) MoveTo(tick uint64) bool {
	if p.log.at == tick {
		return true
	}
	if !p.log.ahead || !p.ticks.saved(tick) {
		return false
	}
	t := p.ticks.keptAt(tick)
	p.save()
	must(p.log.rerun(t.now))
	p.log.look(t)
	return true
}

// present moves the world to the due tick, before a change. If a frame has not begun in the world yet,
// present begins the frame there.
func (p *Predictor) present() {
	if !p.MoveTo(p.log.tick) {
		panic("history: the due tick is lost")
	}
	if p.log.pendingBegin {
		p.log.pendingBegin = false
		private.BeginFrame(p.log.Simulation, p.log.frame.Still)
	}
}

// Predict does the step to a tick that is not due. If forces already wait at the due tick, they act in
// the step. If none wait, the forces of the last frame act.
func (p *Predictor) Predict(tick uint64, dt float64) {
	l := p.log
	if !l.ahead {
		l.ahead, l.blend.follows = true, l.o.Blend > 0
		p.ticks.forget(p.log.tick)
	}
	p.reframe()
	p.MoveTo(tick - 1)
	p.save()
	t := p.ticks.begin(tick, p.ticks.rewinding.now())
	t.dt = dt
	l.events.hold()
	if t.back != 0 {
		e := Entry{Tick: tick, Dt: dt}
		l.stepBack(&e)
		t.back = e.Rewinds
		p.predicted(t)
		return
	}
	if tick-1 > l.tick { // each later predicted step belongs to a frame of its own
		l.Simulation.EndFrame()
	}
	l.Simulation.BeginFrame()
	t.loads = private.Loads(l.Simulation, t.loads)
	if len(t.loads) == 0 {
		for i := range p.assumed {
			l.Simulation.Apply(tick-1, &p.assumed[i], false)
		}
		l.events.drop() // if the world rejects these forces, it rejects them again in their real frame
		t.loads = private.Loads(l.Simulation, t.loads)
	}
	if tick == l.tick+1 {
		l.failing = dt
	}
	l.Simulation.Step(tick, dt)
	l.failing = 0
	p.predicted(t)
}

// predicted handles the events of a new prediction.
func (p *Predictor) predicted(t *keptTick) {
	l := p.log
	t.came = l.events.take(t.came)
	l.events.direct()
	l.events.predicted(t.tick, t.came)
	l.look(t)
}

// Predicted returns the newest tick that is predicted and still valid. A change at the due tick
// makes predictions invalid, unless the change is only the assumed forces.
func (p *Predictor) Predicted() uint64 {
	p.reframe()
	due := p.log.tick
	if next := p.ticks.keptAt(due + 1); next == nil || p.log.at == due && !p.ticks.saved(due) && !p.pushes(next, true) {
		p.ticks.drop(due + 1)
	}
	if n := len(p.ticks.list); n > 0 {
		return max(due, p.ticks.list[n-1].tick)
	}
	return due
}

// pushes reports whether the forces that wait for the next step are the forces in the prediction of
// that step. If mayCome is true, pushes also returns true while no forces wait, because the frame may
// still send some.
func (p *Predictor) pushes(next *keptTick, mayCome bool) bool {
	p.loads = private.Loads(p.log.Simulation, p.loads[:0])
	return slices.Equal(p.loads, next.loads) || mayCome && len(p.loads) == 0 && len(p.assumed) > 0
}

// reframe is called when all forces of a frame are known. From then on predictions assume these forces.
// Predictions with other forces are dropped.
func (p *Predictor) reframe() {
	if !p.framed {
		return
	}
	p.framed = false
	same := func(x, y world.Command) bool { return private.SameForce(&x, &y) }
	if !slices.EqualFunc(p.forces, p.assumed, same) {
		p.ticks.drop(p.log.tick + 1)
		clear(p.assumed)
		p.assumed = append(p.assumed[:0], p.forces...)
	}
}

// Confirm makes a predicted step due. It returns false and does nothing if the step would now have a
// different result.
func (p *Predictor) Confirm(tick uint64, dt float64) bool {
	t := p.ticks.keptAt(tick)
	if t == nil || t.dt != dt {
		return false
	}
	pushed := p.log.guessed && len(p.ticks.keptAt(p.log.tick).loads) > 0 // forces acted in an earlier step of the frame
	if pushed || len(t.loads) > 0 || p.log.at == p.log.tick {            // only then are there forces to compare
		if p.present(); !p.pushes(t, false) {
			return false
		}
	}
	if p.needsEachTick() {
		p.present()
		p.keepDue()
		p.MoveTo(tick)
	}
	p.log.becomeDue(t)
	p.entry = Entry{Kind: Step, Tick: tick, Dt: dt, Rewinds: t.back}
	if t.back != steps {
		p.log.showState(&p.entry)
	}
	p.confirm(&p.entry, t.came)
	p.ticks.trim(p.log.tick)
	return true
}

// Repeat carries out the forces of the last frame again.
func (p *Predictor) Repeat() {
	for _, c := range slices.Clone(p.assumed) {
		p.Apply(p.log.tick, &c, false)
	}
}

// Settle drops the predictions, and retracts events that were delivered early.
func (p *Predictor) Settle() {
	p.dropPredictions()
	p.log.ahead, p.log.blend.follows = false, false
	p.log.events.retract()
}

// Visits lets new watchers join. New watchers begin at the due tick, so the world first returns to it.
func (p *Predictor) Visits() bool {
	if !p.log.called() {
		return false
	}
	p.present()
	return p.base.Visits()
}
