package world

import (
	"slices"

	"halfstep/buffer/body2d"
	"halfstep/internal/owner"
)

// course says in which way the last step led to the state of the world.
type course uint8

const (
	forward  course = iota
	backward        // the step restored an earlier state
	standing        // there was no earlier state, so nothing moved
)

// turn changes the captured state of a body after a step back, because the body moves against its velocity. The returned
// flag keeps the picture from drawing a curve from the velocities.
func (c course) turn(d *body2d.State) body2d.Flags {
	d.VX, d.VY, d.Omega = -d.VX, -d.VY, -d.Omega
	if c == standing {
		d.VX, d.VY, d.Omega = 0, 0, 0
	}
	return body2d.Impact
}

// StepBack returns the world to an earlier state, in place of the step to a tick. The parameter dt is the length of that step,
// in s. The ticks of the loop go on. The picture blends from the previous state to the restored state, as after a step, so
// bodies move backwards. A body that did not exist at that time moves to its place of creation. If stands is true, the
// restored state looks like the present state, and nothing moves.
func (private) StepBack(s *Simulation, to *Snapshot, tick uint64, dt float64, stands bool) error {
	w := &s.world
	if owner.Checked {
		w.guard.Enter()
		defer w.guard.Leave()
	}
	w.release()
	w.news.restamp(tick)
	w.when.now = tick - w.when.shift // the tick of BodyRemoved events
	before := w.places.moves()
	w.keeping.dt = dt
	if err := w.restore(to, asStep, tick); err != nil {
		return err
	}
	if w.places.course = backward; stands {
		w.places.course = standing
	}
	for i := range before {
		s, was := &w.places.slots[i], &before[i]
		if s.leapt = false; s.b == nil || was.handle != s.rec.handle {
			continue
		}
		s.leapt = was.leapt(s, w.when.tick)
		s.generation = was.generation // the generation stays, even if LoadSnapshot has made another object for the body
	}
	w.forces.dropLoads(false)
	w.forces.dropLoads(true) // the frames of these forces are over
	return nil
}

// goOn is called before the next step. After a step back it marks all states as changed, because all velocities change their
// sign.
func (p *places) goOn() {
	if p.course == forward {
		return
	}
	p.course = forward
	for i := range p.slots {
		p.slots[i].leapt = false
	}
	p.changed.MarkAll(len(p.slots))
}

// move is the last jump of a body, with the same fields as the body's slot.
type move struct {
	handle        Body // 0 in a slot without a body
	generation    uint32
	jump, shifted uint64
}

// moves returns the last jumps of the bodies in all slots.
func (p *places) moves() []move {
	list := p.moved[:0]
	for i := range p.slots {
		s := &p.slots[i]
		m := move{0, s.generation, s.jump, s.shifted}
		if s.b != nil {
			m.handle = s.rec.handle
		}
		list = append(list, m)
	}
	p.moved = list
	return list
}

// leapt reports whether the body jumped between the state in s, at the given tick, and a later state. A step back goes from
// the later state to s. If the body jumped, the picture does not blend the way back either.
func (m *move) leapt(s *slot, tick uint64) bool {
	jumped := m.jump != noJump && m.jump != s.jump && m.jump >= tick
	return jumped || m.shifted != s.shifted && m.shifted > tick
}

// vanish is called before a step back removes a body. The next captured tick still shows the body, on the way to its place of
// creation.
func (k *keeping) vanish(r *body) {
	k.news.depart(func() { k.news.announceWhole(r) })
	d := dying{slot: r.slot, freed: true}
	k.places.capture(int(r.slot), &d.state)
	s := &d.state
	if k.places.course == forward {
		s.SetBits(s.Flags()|backward.turn(s), s.Generation())
	}
	dt := k.dt
	s.X = float32(float64(s.X) + float64(dt*float64(s.VX)))
	s.Y = float32(float64(s.Y) + float64(dt*float64(s.VY)))
	s.SetAngle(r.b.M_sweep.A + float64(dt*float64(s.Omega)))
	k.places.dying = append(k.places.dying, d)
}

// stillShown reports whether the next captured tick shows a body that a restore has removed from a slot.
func (p *places) stillShown(slot int32) bool {
	return slices.ContainsFunc(p.dying, func(d dying) bool { return d.slot == slot })
}
