package history

import (
	"math"

	"halfstep/buffer/body2d"
)

// blend is by how much bodies are shown elsewhere than they are, so that the picture
// does not snap when a rollback or, on request, a correction has moved them. It is added to
// the states that are captured; so whatever shows them, blends them or picks among them
// agrees.
type blend struct {
	slots []offset
	until uint64 // tick from which on all bodies are shown where they are; 0 if all are
	cutAt uint64 // the tick that shows the cuts: bodies that are at their new place at once
	moved bool   // at the last capture, bodies were shown elsewhere than they are

	// In a run ahead with Options.Blend, follows is true. seen then has what was captured of
	// the newest ticks, by tick, and stays is the tick that is on the screen now: up to
	// there, a tick that is captured again keeps its picture.
	follows bool
	seen    [4]seenTick
	stays   uint64

	// From begin to end of a rollback.
	old, new []body2d.State // the states before and after
	jumped   []bool         // by slot: the body had been created or teleported since the tick gone back to
}

// offset is the blend of the body in a slot.
type offset struct {
	x, y, angle float64 // m, rad; at first
	until       uint64  // tick at which none of it is left
	ticks       float64 // the length of the blend
	generation  uint32
	cut         bool // the body is not blended at cutAt
}

const (
	noCut   = ^uint64(0)
	nextCut = noCut - 1 // the next tick that is captured
)

// left is the part of the offset that is left at a tick, from 0 to 1.
func (o *offset) left(tick uint64) float64 {
	if tick >= o.until {
		return 0
	}
	return min(1, float64(o.until-tick)/o.ticks)
}

type seenTick struct {
	tick   uint64
	states []body2d.State
}

// moves reports whether a capture of a tick is to be of all bodies: while they are shown
// elsewhere than they are, and in the tick after it.
func (d *blend) moves(tick uint64) bool {
	was := d.moved
	d.moved = d.follows || d.shows(tick)
	return was || d.moved
}

// shows reports whether show moves anything at a tick.
func (d *blend) shows(tick uint64) bool {
	return d.cutAt == nextCut || d.cutAt == tick || tick <= d.until
}

// show moves captured states to where they are to be shown.
func (d *blend) show(tick uint64, states []body2d.State) {
	if d.cutAt == nextCut {
		d.cutAt = tick
	}
	if !d.shows(tick) {
		return
	}
	cut := d.cutAt == tick
	for i := range min(len(states), len(d.slots)) {
		s, o := &states[i], &d.slots[i]
		if s.Generation() != o.generation || s.Flags()&body2d.Jump != 0 {
			*o = offset{}
		} else if cut && o.cut {
			s.SetBits(s.Flags()|body2d.Jump, s.Generation())
		}
		o.place(s, tick)
	}
}

// place moves a state to where it is to be shown.
func (o *offset) place(s *body2d.State, tick uint64) {
	if o.ticks == 0 || tick > o.until {
		return
	}
	left := o.left(tick)
	s.X, s.Y = float32(float64(s.X)+left*o.x), float32(float64(s.Y)+left*o.y)
	s.SetAngle(s.Unwrapped() + left*o.angle)
	// Its velocities are not those of the path that it is shown on. After an impact no curve
	// is drawn through them.
	s.SetBits(s.Flags()|body2d.Impact, s.Generation())
}

// begin notes where bodies are before a rollback.
func (d *blend) begin(l *Log, o *GoBack) {
	d.old = l.Simulation.Capture(d.old)
	d.jumped = d.jumped[:0]
	for i := range d.old {
		d.jumped = append(d.jumped, inside.Jumped(l.Simulation, i, o.To))
	}
	if d.cutAt != nextCut && d.cutAt != l.tick { // earlier cuts have been shown
		d.cutAt = noCut
		for i := range d.slots {
			d.slots[i].cut = false
		}
	}
}

// end is called after a rollback: from where they were shown, bodies begin to move to where
// they are now.
func (d *blend) end(l *Log, o *GoBack) {
	d.new = l.Simulation.Capture(d.new)
	now := d.new
	ticks := 0.0
	if l.dt > 0 {
		ticks = math.Ceil(o.Blend / l.dt)
	}
	d.slots = append(d.slots, make([]offset, max(0, len(now)-len(d.slots)))...)
	for i := range min(len(now), len(d.old)) {
		was, is, at := &d.old[i], &now[i], &d.slots[i]
		if was.Bits&is.Bits&uint32(body2d.Alive) == 0 || was.Generation() != is.Generation() {
			continue
		}
		if was.X == is.X && was.Y == is.Y && was.Angle == is.Angle && was.Turns == is.Turns {
			continue
		}
		left := at.left(l.tick)
		if at.generation != is.Generation() { // the offset was another body's
			left = 0
		}
		next := offset{generation: is.Generation(), cut: at.cut}
		if ticks == 0 || d.jumped[i] || inside.Jumped(l.Simulation, i, o.To) {
			next.cut, d.cutAt = true, nextCut
		} else {
			next.x = float64(was.X) + left*at.x - float64(is.X)
			next.y = float64(was.Y) + left*at.y - float64(is.Y)
			next.angle = was.Unwrapped() + left*at.angle - is.Unwrapped()
			next.ticks, next.until = ticks, l.tick+uint64(ticks)
			d.until = max(d.until, next.until)
		}
		*at = next
	}
}

// follow is show in a run ahead. A tick that is captured again, up to the one that is
// on the screen, looks as it did, and bodies set out from there.
func (d *blend) follow(l *Log, states []body2d.State) {
	tick := l.at
	seen := &d.seen[tick%uint64(len(d.seen))]
	if seen.tick == tick && tick <= d.stays && l.dt > 0 {
		ticks := math.Ceil(l.o.Blend / l.dt)
		d.slots = append(d.slots, make([]offset, max(0, len(states)-len(d.slots)))...)
		for i := range min(len(states), len(seen.states)) {
			was, is, at := &seen.states[i], &states[i], &d.slots[i]
			if was.Bits&is.Bits&uint32(body2d.Alive) == 0 || was.Generation() != is.Generation() ||
				is.Flags()&body2d.Jump != 0 || inside.Jumped(l.Simulation, i, l.tick) {
				continue
			}
			if at.generation != is.Generation() {
				*at = offset{generation: is.Generation()}
			}
			s := *is
			if at.place(&s, tick); s.X == was.X && s.Y == was.Y && s.Angle == was.Angle && s.Turns == was.Turns {
				continue
			}
			at.x, at.y = float64(was.X)-float64(is.X), float64(was.Y)-float64(is.Y)
			at.angle = was.Unwrapped() - is.Unwrapped()
			at.ticks, at.until = ticks, tick+uint64(ticks)
			d.until = max(d.until, at.until)
		}
	}
	d.show(tick, states)
	seen.tick, seen.states = tick, append(seen.states[:0], states...)
}
