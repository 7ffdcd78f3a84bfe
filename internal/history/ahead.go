package history

import (
	"slices"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/bridge"
	"halfstep/internal/schedule"
	"halfstep/physicsloop"
	"halfstep/world"
)

// carrier carries out entries: a Log, a Rewinder or a screen. It has all that the loop asks
// of a simulation, but for the calls that are entries: a Predictor or a Player makes these.
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
	order(c *world.Command) // carries out an order (a rollback or the like, see log.go) or answers a question
}

// base is the carrier that a Predictor stands around: a Log or a Rewinder.
type base interface {
	carrier
	confirm(e *Entry, events []world.Event) // keeps an entry that a prediction has carried out, and its events
	keeps() bool                            // there are keepers, which need the world at each due tick
	keepDue()                               // keeps the due tick, at which the world is, unless it is kept already
}

// Predictor is what the loop steps in every run that is no replay. In RunAhead it also predicts ticks
// that are not due yet, with the commands known so far and the forces of the last frame. The world is
// then at one of these ticks, and goes back to the due one when anything else is done to it. A tick
// that becomes due as it was predicted is not computed again.
type Predictor struct {
	base
	log   *Log
	ticks *ticks // of log

	entry   Entry           // scratch
	forces  []world.Command // the forces of this frame
	assumed []world.Command // the forces that predictions assume in each frame
	framed  bool            // forces may differ from assumed: see reframe
	loads   []bridge.Load   // scratch
}

// Close frees the kept ticks. Physics must have ended.
func (p *Predictor) Close() { p.log.close() }

var (
	_ physicsloop.Simulation[body2d.State, world.Event, world.Command] = (*Predictor)(nil)
	_ physicsloop.Predictor                                            = (*Predictor)(nil)
)

// Predict returns a Predictor around b, which is l or the Rewinder around l.
func Predict(l *Log, b base) *Predictor {
	l.events.early = l.o.EventsAtOnce
	l.events.sorts = l.events.sorts || l.o.EventsAtOnce // due events are first compared with those told early
	return &Predictor{base: b, log: l, ticks: &l.ticks}
}

// ObserveFrame notes, for the blend of corrections, up to which tick states are on the
// screen or about to be.
func (p *Predictor) ObserveFrame(f *buffer.Frame) {
	p.base.ObserveFrame(f)
	if f.Ahead > 0 {
		p.log.blend.stays = f.Needs
	} else if !p.log.ahead {
		p.log.blend.stays = 0
	}
}

// BeginFrame, EndFrame, Step and Apply are the calls of the loop (physicsloop.Simulation)
// that become entries.
func (p *Predictor) BeginFrame() {
	frame := &p.log.frame
	p.make(Entry{Kind: Begin, Tick: p.log.tick, Carry: frame.Carry, Whole: frame.Whole, Still: frame.Still})
}

// EndFrame ends the frame's forces.
func (p *Predictor) EndFrame() { p.make(Entry{Kind: End, Tick: p.log.tick}) }

// Step does a step.
func (p *Predictor) Step(tick uint64, dt float64) {
	p.make(Entry{Kind: Step, Tick: tick, Dt: dt, Rewinds: p.ticks.rewinding.now()})
}

// Apply carries out a command or an order.
func (p *Predictor) Apply(_ uint64, c *world.Command, scheduled bool) {
	if !inside.OnlyReads(c) {
		p.make(Entry{Kind: Apply, Tick: p.log.tick, Scheduled: scheduled, Command: c})
		return
	}
	// An order (a rollback, a seek, a recording) comes as a command that only reads, too.
	p.present()
	p.keepDue() // a step that was confirmed in this frame may not be noted yet
	switch inside.Order(c).(type) {
	case *GoBack, SetRewind:
		p.ticks.forget(p.log.tick) // the ticks ahead follow from another past
	}
	p.order(c)
}

// make makes an entry of a call, and carries it out.
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

// follow notes the forces of a frame, also while the loop is not ahead: predictions assume that
// later frames have the same.
func (p *Predictor) follow(e *Entry) {
	switch {
	case e.Kind == Begin:
		p.reframe()
		clear(p.forces)
		p.forces, p.framed = p.forces[:0], true
	case e.Kind == Apply && !e.Scheduled && !e.Command.AtStart && inside.IsForce(e.Command):
		p.forces = append(p.forces, *e.Command)
	}
}

// enter prepares for an entry while the loop is ahead, and reports false if there is
// nothing left to do.
func (p *Predictor) enter(e *Entry) bool {
	switch e.Kind {
	case Begin:
		p.log.guessed = false
		if !p.keeps() && p.log.at != p.log.tick { // the world goes back only for entries that change it
			p.log.frame, p.log.untold = *e, true
			return false
		}
		p.present()
	case Apply:
		if p.present(); !inside.IsForce(e.Command) { // forces are compared later, with those assumed
			p.ticks.drop(p.log.tick + 1)
		}
	case Step:
		p.present()
		p.save() // the loop may show this tick again, when it ends its run ahead
		p.ticks.drop(p.log.tick + 1)
		p.log.guessed = false
	case End:
		p.reframe()
		if p.log.untold = false; !p.log.guessed {
			return true // the step was done just now, and the world is at its tick
		}
		// The world is ahead. It goes back only if there are forces to end.
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

// changed drops the state that was taken at the tick at which the world is.
func (p *Predictor) changed() {
	if t := p.ticks.keptAt(p.log.at); t != nil {
		p.ticks.letGo(&t.now)
	}
}

// save takes a snapshot of the world at its tick, unless that has one, before the world goes on.
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
		return // the prediction that it belongs to was dropped
	}
	p.ticks.save(p.log, &t.now)
}

// Look is the method of physicsloop.Predictor: it takes the world to a tick, and reports false if no
// snapshot of that is kept.
func (p *Predictor) Look(tick uint64) bool {
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

// present takes the world to the due tick, before something is done to it, and begins the frame
// in the world unless that is done.
func (p *Predictor) present() {
	if !p.Look(p.log.tick) {
		panic("history: the due tick is lost")
	}
	if p.log.untold {
		p.log.untold = false
		inside.BeginFrame(p.log.Simulation, p.log.frame.Still)
	}
}

// Predict steps to a tick that is not due. The forces are those that wait at the due tick,
// or else those of the last frame.
func (p *Predictor) Predict(tick uint64, dt float64) {
	l := p.log
	if !l.ahead {
		l.ahead, l.blend.follows = true, l.o.Blend > 0
		p.ticks.forget(p.log.tick)
	}
	p.reframe()
	p.Look(tick - 1)
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
	if tick-1 > l.tick { // each predicted step is that of a frame of its own
		l.Simulation.EndFrame()
	}
	l.Simulation.BeginFrame()
	t.loads = inside.Loads(l.Simulation, t.loads)
	if len(t.loads) == 0 {
		for i := range p.assumed {
			l.Simulation.Apply(tick-1, &p.assumed[i], false)
		}
		l.events.drop() // rejections of these forces come again when their frame does
		t.loads = inside.Loads(l.Simulation, t.loads)
	}
	if tick == l.tick+1 {
		l.failing = dt
	}
	l.Simulation.Step(tick, dt)
	l.failing = 0
	p.predicted(t)
}

// predicted takes the events of a prediction that has just been made.
func (p *Predictor) predicted(t *keptTick) {
	l := p.log
	t.came = l.events.take(t.came)
	l.events.direct()
	l.events.predicted(t.tick, t.came)
	l.look(t)
}

// Predicted is the newest valid prediction. Changes at the due tick make predictions void, unless they
// are the assumed forces alone.
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

// pushes reports whether the forces that wait for the next step equal those with which it was
// predicted. If mayCome is true there may also be none yet, because a later frame may give
// them.
func (p *Predictor) pushes(next *keptTick, mayCome bool) bool {
	p.loads = inside.Loads(p.log.Simulation, p.loads[:0])
	return slices.Equal(p.loads, next.loads) || mayCome && len(p.loads) == 0 && len(p.assumed) > 0
}

// reframe is called when all forces of a frame are known: predictions assume them from now on, and
// predictions that assumed other forces are dropped.
func (p *Predictor) reframe() {
	if !p.framed {
		return
	}
	p.framed = false
	same := func(x, y world.Command) bool { return inside.SameForce(&x, &y) }
	if !slices.EqualFunc(p.forces, p.assumed, same) {
		p.ticks.drop(p.log.tick + 1)
		clear(p.assumed)
		p.assumed = append(p.assumed[:0], p.forces...)
	}
}

// Confirm makes a predicted step due. It reports false, and does nothing, if the step would now have
// another result.
func (p *Predictor) Confirm(tick uint64, dt float64) bool {
	t := p.ticks.keptAt(tick)
	if t == nil || t.dt != dt {
		return false
	}
	pushed := p.log.guessed && len(p.ticks.keptAt(p.log.tick).loads) > 0 // by a step before it in the frame
	if pushed || len(t.loads) > 0 || p.log.at == p.log.tick {            // otherwise there are no forces to compare
		if p.present(); !p.pushes(t, false) {
			return false
		}
	}
	if p.keeps() {
		p.present()
		p.keepDue()
		p.Look(tick)
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

// Settle drops the prediction, and has events that were told early taken back.
func (p *Predictor) Settle() {
	p.present()
	p.keepDue()
	p.log.ahead, p.log.blend.follows = false, false
	p.ticks.forget(p.log.tick)
	p.log.events.retract()
}

// Visits lets new watchers in. They begin at the due tick, so the world goes there first.
func (p *Predictor) Visits() bool {
	if !p.log.called() {
		return false
	}
	p.present()
	return p.base.Visits()
}
