package history

import (
	"math"

	"halfstep/buffer/body2d"
)

// blend has the offsets at which bodies are shown. Offsets keep the picture from jumping when a rollback
// has moved bodies. With Options.Blend they do the same for corrections of predictions. They are added
// to the captured states, so that drawing, interpolation and picking agree.
type blend struct {
	slots  []offset
	until  uint64 // the tick from which on no body has an offset; 0 if no body has one
	jumpAt uint64 // the tick at which bodies with offset.jumps jump to their new position
	moved  bool   // the last capture may have moved bodies

	// follows is true while the loop runs ahead with Options.Blend. Then seen has the shown states of the
	// newest ticks, and stays is the tick on the screen. If a correction makes the loop capture a tick up to
	// stays again, the tick looks the same as before.
	follows bool
	seen    [4]seenTick
	stays   uint64

	// The states before and after a rollback are used from begin to end.
	old, new []body2d.State // the states before and after the rollback
	jumped   []bool         // by slot: whether the body was teleported after the tick of the rollback
}

// offset is the difference between the shown position of a body and its real position.
type offset struct {
	x, y, angle float64 // the offset at the beginning of the blend, in m and rad
	until       uint64  // the tick at which the offset has become 0
	ticks       float64 // the length of the blend, in ticks
	generation  uint32  // the generation of the body; another body may use the slot later
	jumps       bool    // at tick blend.jumpAt the body jumps to its position without interpolation
}

const (
	noJump   = ^uint64(0)
	nextJump = noJump - 1 // stands for the next captured tick
)

// left returns the part of the offset that remains at a tick, from 0 to 1.
func (o *offset) left(tick uint64) float64 {
	if tick >= o.until {
		return 0
	}
	return min(1, float64(o.until-tick)/o.ticks)
}

// seenTick is a tick with the states that were shown for that tick.
type seenTick struct {
	tick   uint64
	states []body2d.State
}

// moves reports whether a capture of a tick must contain all bodies, and not only those that have
// changed. This is so while there are offsets, and at the first capture after that.
func (d *blend) moves(tick uint64) bool {
	was := d.moved
	d.moved = d.follows || d.shows(tick)
	return was || d.moved
}

// shows reports whether the method show changes any state at a tick.
func (d *blend) shows(tick uint64) bool {
	return d.jumpAt == nextJump || d.jumpAt == tick || tick <= d.until
}

// show moves captured states to the positions at which they are shown.
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

// place moves a state to the position at which it is shown.
func (o *offset) place(s *body2d.State, tick uint64) {
	if o.ticks == 0 || tick > o.until {
		return
	}
	left := o.left(tick)
	s.X, s.Y = float32(float64(s.X)+left*o.x), float32(float64(s.Y)+left*o.y)
	s.SetAngle(s.Unwrapped() + left*o.angle)
	// The velocities do not fit the shown path. The flag Impact keeps the picture from drawing a curve from
	// the velocities.
	s.SetBits(s.Flags()|body2d.Impact, s.Generation())
}

// begin records the positions of all bodies before a rollback.
func (d *blend) begin(l *Log, o *Rollback) {
	d.old = l.Simulation.Capture(d.old)
	d.jumped = d.jumped[:0]
	for i := range d.old {
		d.jumped = append(d.jumped, private.Jumped(l.Simulation, i, o.To))
	}
	if d.jumpAt != nextJump && d.jumpAt != l.tick { // earlier jumps have already been shown
		d.jumpAt = noJump
		for i := range d.slots {
			d.slots[i].jumps = false
		}
	}
}

// end is called after a rollback. From then on bodies move from their shown positions to their real
// positions.
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
		if at.generation != is.Generation() { // the offset belonged to another body
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

// follow changes the captured states while the loop runs ahead. A tick up to the tick on the screen
// looks the same as before if it is captured again. From there bodies move to their real positions.
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
