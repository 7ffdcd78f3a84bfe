package history

import (
	"slices"

	"halfstep/buffer"
	"halfstep/internal/bridge"
	"halfstep/world"
)

// ahead is the prediction of the ticks that are not due yet: the steps that follow the
// last due tick with the commands known so far, and the forces of the last frame. The
// world is at one of these ticks, and goes back to the due one for whatever else is
// done to it. A tick that becomes due as it was predicted is not done again.
type ahead struct {
	on    bool
	at    uint64 // where the world is
	dirty bool   // it is not as the snapshot of that tick
	// unbegun says that the frame has begun and the world does not know.
	unbegun bool
	// confirmed says that the last step of the frame was one of the prediction.
	confirmed bool

	kept  []*tickAhead // consecutive ticks, from up to two before the due one
	spare []*tickAhead

	out   buffer.Outbox[world.Event] // the world's
	due   *buffer.Log[world.Event]
	fresh *buffer.Log[world.Event] // of predicted steps

	forces  []world.Command // of this frame
	assumed []world.Command // of the frames ahead
	framed  bool            // the frame may have other forces than the prediction has
	loads   []bridge.Load   // scratch
}

// tickAhead is a tick of the prediction, or one that was due lately.
type tickAhead struct {
	tick     uint64
	dt       float64 // s, of the step that led to it
	saved    bool
	snapshot world.Snapshot // with all commands that followed
	events   []world.Event  // of the step
	loads    []bridge.Load  // of the step
}

// start returns where the world's structure and events go.
func (a *ahead) start(out *buffer.Outbox[world.Event]) *buffer.Outbox[world.Event] {
	a.out, a.due, a.fresh = *out, out.Events, buffer.NewLog[world.Event]()
	return &a.out
}

// shown is the tick at which the world is.
func (p *Past) shown() uint64 {
	if p.ahead.on {
		return p.ahead.at
	}
	return p.tick
}

// find returns a tick, or nil if it is not kept.
func (a *ahead) find(tick uint64) *tickAhead {
	if len(a.kept) == 0 || tick < a.kept[0].tick || tick-a.kept[0].tick >= uint64(len(a.kept)) {
		return nil
	}
	return a.kept[tick-a.kept[0].tick]
}

// add begins to keep a tick, in the place of itself and those after it.
func (a *ahead) add(tick uint64) *tickAhead {
	if a.drop(tick); len(a.kept) > 0 && a.kept[len(a.kept)-1].tick != tick-1 {
		a.drop(0)
	}
	var t *tickAhead
	if n := len(a.spare); n > 0 {
		t, a.spare = a.spare[n-1], a.spare[:n-1]
	} else {
		t = new(tickAhead)
	}
	clear(t.events)
	t.tick, t.dt, t.saved, t.events, t.loads = tick, 0, false, t.events[:0], t.loads[:0]
	a.kept = append(a.kept, t)
	return t
}

// drop drops the ticks from one on.
func (a *ahead) drop(from uint64) {
	for n := len(a.kept); n > 0 && a.kept[n-1].tick >= from; n-- {
		a.spare = append(a.spare, a.kept[n-1])
		a.kept = a.kept[:n-1]
	}
}

// trim drops the ticks before one.
func (a *ahead) trim(first uint64) {
	for len(a.kept) > 0 && a.kept[0].tick < first {
		a.spare = append(a.spare, a.kept[0])
		a.kept = slices.Delete(a.kept, 0, 1)
	}
}

// forget drops all ticks: the world is about to become another.
func (a *ahead) forget() {
	a.drop(0)
	a.dirty = true
}

// save takes the snapshot of where the world is, before it goes on.
func (p *Past) save() {
	a := &p.ahead
	if !a.dirty {
		return
	}
	a.dirty = false
	t := a.find(a.at)
	switch {
	case t != nil:
	case a.at == p.tick:
		t = a.add(a.at)
	default:
		return // of a prediction that was dropped
	}
	must(inside.Snapshot(p.World(), &t.snapshot))
	t.saved = true
}

// Look takes the world to a tick. It is of physicsloop.Predictor, as are the following.
func (p *Past) Look(tick uint64) bool {
	a := &p.ahead
	if !a.on || a.at == tick {
		return tick == p.shown()
	}
	if t := a.find(tick); t == nil || !t.saved {
		return false
	}
	p.save()
	must(inside.Rerun(p.Simulation, &a.find(tick).snapshot))
	a.at = tick
	return true
}

// present takes the world to the due tick, for whatever is done to it there.
func (p *Past) present() {
	a := &p.ahead
	if !a.on {
		return
	}
	if !p.Look(p.tick) {
		panic("history: the due tick is lost")
	}
	if a.unbegun {
		a.unbegun = false
		p.Simulation.BeginFrame()
	}
}

// Predicts is false for a replay, whose steps are those of the recording.
func (p *Past) Predicts() bool { return p.replay == nil }

// Predict steps to a tick that is not due.
func (p *Past) Predict(tick uint64, dt float64) {
	a := &p.ahead
	if !a.on {
		a.on, a.at, a.dirty = true, p.tick, true
		a.forget()
	}
	p.reframe()
	p.Look(tick - 1)
	p.save()
	t := a.add(tick)
	t.dt = dt
	a.out.Events = a.fresh
	if tick-1 > p.tick {
		inside.EndForces(p.Simulation)
	}
	p.Simulation.BeginFrame()
	t.loads = inside.Loads(p.Simulation, t.loads)
	if len(t.loads) == 0 {
		for i := range a.assumed {
			p.Simulation.Apply(tick-1, &a.assumed[i], false)
		}
		a.fresh.DropOldest(a.fresh.Count(), 0)
		t.loads = inside.Loads(p.Simulation, t.loads)
	}
	if tick == p.tick+1 {
		p.failing = dt
	}
	p.Simulation.Step(tick, dt)
	p.failing = 0
	a.fresh.Trim()
	t.events = drain(t.events, a.fresh)
	a.out.Events = a.due
	p.told.predict(tick, t.events)
	a.at, a.dirty = tick, true
}

// Predicted is the newest tick that was predicted from the world as it is.
func (p *Past) Predicted() uint64 {
	a := &p.ahead
	if !a.on {
		return p.tick
	}
	p.reframe()
	if next := a.find(p.tick + 1); next == nil || a.at == p.tick && a.dirty && !p.pushes(next, true) {
		a.drop(p.tick + 1)
	}
	if n := len(a.kept); n > 0 {
		return max(p.tick, a.kept[n-1].tick)
	}
	return p.tick
}

// pushes reports whether the forces that wait for the next step are those with which
// it was predicted. Those that no frame has given yet count as given if they may be.
func (p *Past) pushes(next *tickAhead, may bool) bool {
	a := &p.ahead
	a.loads = inside.Loads(p.Simulation, a.loads[:0])
	return slices.Equal(a.loads, next.loads) || may && len(a.loads) == 0 && len(a.assumed) > 0
}

// reframe follows the commands of a frame. The frames ahead have the forces of the
// last one.
func (p *Past) reframe() {
	a := &p.ahead
	if !a.framed {
		return
	}
	a.framed = false
	same := func(x, y world.Command) bool { return inside.SameForce(&x, &y) }
	if !slices.EqualFunc(a.forces, a.assumed, same) {
		a.drop(p.tick + 1)
		clear(a.assumed)
		a.assumed = append(a.assumed[:0], a.forces...)
	}
}

// Confirm makes a predicted step due.
func (p *Past) Confirm(tick uint64, dt float64) bool {
	a := &p.ahead
	t := a.find(tick)
	if !a.on || t == nil || t.dt != dt {
		return false
	}
	pushed := a.confirmed && len(a.find(p.tick).loads) > 0 // earlier in the frame
	if pushed || len(t.loads) > 0 || a.at == p.tick {      // otherwise there are no forces
		if p.present(); !p.pushes(t, false) {
			return false
		}
	}
	if p.keeps() {
		p.present()
		p.keepDue()
		p.Look(tick)
	}
	for i := range t.events {
		a.due.Append(t.events[i])
	}
	p.tick, p.dt = tick, dt
	a.confirmed = true
	p.note(&Entry{Kind: Step, Tick: tick, Dt: dt})
	p.told.pass(tick)
	a.trim(p.tick - min(p.tick, 2))
	return true
}

// Repeat carries out the forces of the last frame again.
func (p *Past) Repeat() {
	for _, c := range slices.Clone(p.ahead.assumed) {
		p.Apply(p.tick, &c, false)
	}
}

// note hands an entry to those who keep it. The world is as it says.
func (p *Past) note(e *Entry) {
	if p.rollback != nil {
		m := p.rollback.last
		m.add(*e)
		p.rollback.collect(m, true)
	}
	p.keep(e)
}

// keeps reports whether somebody keeps entries, and needs the world at them.
func (p *Past) keeps() bool {
	return p.writer != nil || p.watched != nil || p.o.Box != nil || p.rollback != nil
}

// keepDue keeps the due tick for rollback, if it was not captured.
func (p *Past) keepDue() {
	if r := p.rollback; p.ahead.on && r != nil && r.last.Start.Tick != p.tick {
		r.spare = p.captured(p.Simulation.Capture(r.spare))
	}
}

// Settle drops the prediction.
func (p *Past) Settle() {
	p.present()
	p.keepDue()
	p.ahead.on = false
	p.ahead.drop(0)
	p.told.retract()
}

// follow notes the forces of a frame, whether the loop is ahead or not.
func (p *Past) follow(e *Entry) {
	a := &p.ahead
	switch {
	case e.Kind == Begin:
		p.reframe()
		clear(a.forces)
		a.forces, a.framed = a.forces[:0], true
	case e.Kind == Apply && !e.Scheduled && inside.IsForce(e.Command):
		a.forces = append(a.forces, *e.Command)
	}
}

// enter prepares for a call of the loop's, and reports false if there is nothing left
// to do.
func (p *Past) enter(e *Entry) bool {
	a := &p.ahead
	switch e.Kind {
	case Begin:
		a.confirmed = false
		if !p.keeps() && a.at != p.tick {
			p.frame, a.unbegun = *e, true
			return false
		}
		p.present()
	case Apply:
		if p.present(); !inside.IsForce(e.Command) {
			a.drop(p.tick + 1)
		}
	case Step:
		p.present()
		p.save() // whoever settles may want it
		a.drop(p.tick + 1)
		a.confirmed = false
	case End:
		p.reframe()
		if a.unbegun = false; !a.confirmed {
			return true // the end of a frame belongs to the step
		}
		if p.note(e); len(a.find(p.tick).loads) > 0 {
			p.present()
			inside.EndForces(p.Simulation)
			a.dirty = true
		}
		return false
	}
	p.keepDue()
	return true
}

// entered follows such a call.
func (p *Past) entered(e *Entry) {
	a := &p.ahead
	if e.Kind != Begin {
		a.at, a.dirty = p.tick, true
	}
	a.trim(p.tick - min(p.tick, 2))
}
