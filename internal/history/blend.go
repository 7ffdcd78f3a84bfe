package history

import (
	"math"

	"halfstep/buffer/body2d"
)

// blend has the offsets at which bodies are shown, so that the picture does not jump when a
// rollback or (with Options.Blend) a correction of predictions has moved bodies. The offsets are
// added to the captured states, so that drawing, interpolation and picking agree.
type blend struct {
	slots  []offset
	until  uint64 // tick from which on no body has an offset; 0 if none has one
	jumpAt uint64 // the tick at which bodies with offset.jumps are shown at their new place at once
	moved  bool   // the last capture may have moved bodies

	// follows is true while running ahead with Options.Blend. Then seen has the shown states of the
	// newest ticks, and stays is the tick that is on the screen: if a tick up to it is captured again,
	// after a correction, it looks as before.
	follows bool
	seen    [4]seenTick
	stays   uint64

	// used from begin to end of a rollback
	old, new []body2d.State // the states before and after
	jumped   []bool         // by slot: the body was teleported after the tick of the rollback
}

// offset is the distance of the shown body in a slot from its real place.
type offset struct {
	x, y, angle float64 // m, rad, at the beginning of the blend
	until       uint64  // tick at which the offset is gone
	ticks       float64 // the length of the blend
	generation  uint32  // generation of the body; another body may have the slot later
	jumps       bool    // at tick blend.jumpAt the body jumps to its place and is not interpolated
}

const (
	noJump   = ^uint64(0)
	nextJump = noJump - 1 // stands for the next captured tick
)

// left is the remaining part of the offset at a tick, from 0 to 1.
func (o *offset) left(tick uint64) float64 {
	if tick >= o.until {
		return 0
	}
	return min(1, float64(o.until-tick)/o.ticks)
}

// seenTick is a tick with its shown states.
type seenTick struct {
	tick   uint64
	states []body2d.State
}

// moves reports whether a capture of a tick must have all bodies, and not only those that have
// changed: while there are offsets, and at the next capture.
func (d *blend) moves(tick uint64) bool {
	was := d.moved
	d.moved = d.follows || d.shows(tick)
	return was || d.moved
}

// shows reports whether show changes any state at a tick.
func (d *blend) shows(tick uint64) bool {
	return d.jumpAt == nextJump || d.jumpAt == tick || tick <= d.until
}

// show moves captured states to their shown places.
func (d *blend) show(tick uint64, states []body2d.State) {
	if d.jumpAt == nextJump {
		d.jumpAt = tick
	}
	if !d.shows(tick) {
		return
	}
	cut := d.jumpAt == tick
	for i := range min(len(states), len(d.slots)) {
		s, o := &states[i], &d.slots[i]
		if s.Generation() != o.generation || s.Flags()&body2d.Jump != 0 {
			*o = offset{}
		} else if cut && o.jumps {
			s.SetBits(s.Flags()|body2d.Jump, s.Generation())
		}
		o.place(s, tick)
	}
}

// place moves a state to its shown place.
func (o *offset) place(s *body2d.State, tick uint64) {
	if o.ticks == 0 || tick > o.until {
		return
	}
	left := o.left(tick)
	s.X, s.Y = float32(float64(s.X)+left*o.x), float32(float64(s.Y)+left*o.y)
	s.SetAngle(s.Unwrapped() + left*o.angle)
	// The velocities do not fit the shown path. Impact keeps the picture from drawing a curve by them.
	s.SetBits(s.Flags()|body2d.Impact, s.Generation())
}

// begin records the places of bodies before a rollback.
func (d *blend) begin(l *Log, o *Rollback) {
	d.old = l.Simulation.Capture(d.old)
	d.jumped = d.jumped[:0]
	for i := range d.old {
		d.jumped = append(d.jumped, private.Jumped(l.Simulation, i, o.To))
	}
	if d.jumpAt != nextJump && d.jumpAt != l.tick { // earlier cuts have been shown
		d.jumpAt = noJump
		for i := range d.slots {
			d.slots[i].jumps = false
		}
	}
}

// end is called after a rollback: bodies begin to move from their shown places to their real ones.
func (d *blend) end(l *Log, o *Rollback) {
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
		next := offset{generation: is.Generation(), jumps: at.jumps}
		if ticks == 0 || d.jumped[i] || private.Jumped(l.Simulation, i, o.To) {
			next.jumps, d.jumpAt = true, nextJump
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

// follow is show while running ahead. If a tick up to the one on the screen is captured again, it
// looks as before, and bodies begin to move from there to their real places.
func (d *blend) follow(l *Log, states []body2d.State) {
	tick := l.at
	seen := &d.seen[tick%uint64(len(d.seen))]
	if seen.tick == tick && tick <= d.stays && l.dt > 0 {
		ticks := math.Ceil(l.o.Blend / l.dt)
		d.slots = append(d.slots, make([]offset, max(0, len(states)-len(d.slots)))...)
		for i := range min(len(states), len(seen.states)) {
			was, is, at := &seen.states[i], &states[i], &d.slots[i]
			if was.Bits&is.Bits&uint32(body2d.Alive) == 0 || was.Generation() != is.Generation() ||
				is.Flags()&body2d.Jump != 0 || private.Jumped(l.Simulation, i, l.tick) {
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
