package renderloop_test

import (
	"math"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/physicsloop"
)

// walkers is a simulation of bodies that move at random. It has its own random generator,
// is deterministic, costs nothing, and follows the rules for forces.
type walkers struct {
	state  []body2d.State
	force  []float32
	stale  bool // stale says that the forces belong to a frame in which no step has used the forces.
	random uint32
	out    *buffer.Outbox[tickEvent]
	every  uint64 // every is the number of ticks between two events.
}

// tickEvent says that a tick was stepped, or that a command was applied after the tick.
type tickEvent struct{ tick uint64 }

// push is a force on a body. With jump it is a teleport, and with make it is another body in
// the same slot.
type push struct {
	body int
	x    float32
	jump bool
	make bool
}

type (
	walkLink = buffer.Link[body2d.State, tickEvent, push]
	walkSim  = physicsloop.Simulation[body2d.State, tickEvent, push]
)

func newWalkers(n int) *walkers {
	w := &walkers{state: make([]body2d.State, n), force: make([]float32, n), random: 1, every: 1}
	for i := range w.state {
		w.state[i].SetBits(body2d.Alive, 1)
		w.state[i].X = float32(i)
	}
	return w
}

func (w *walkers) next() float32 {
	w.random = w.random*1664525 + 1013904223
	return float32(w.random>>8)/(1<<24) - .5
}

func (w *walkers) Start(out *buffer.Outbox[tickEvent]) { w.out = out }

func (w *walkers) BeginFrame() {
	// forces that no step has used are replaced, and not added up
	w.stale = true
}

func (w *walkers) Apply(_ uint64, p *push, _ bool) {
	if p.make {
		s := &w.state[p.body]
		*s = body2d.State{X: p.x, VX: 10 * p.x, Omega: p.x, Bits: s.Bits}
		s.SetBits(body2d.Alive, s.Generation()+1)
		return
	}
	if p.jump {
		w.state[p.body].X += p.x
		w.state[p.body].Bits |= uint32(body2d.Jump)
		return
	}
	if w.stale {
		clear(w.force)
		w.stale = false
	}
	w.force[p.body] += p.x
}

func (w *walkers) Step(tick uint64, dt float64) {
	for i := range w.state {
		s := &w.state[i]
		s.SetBits(body2d.Alive, s.Generation())
		s.VX += (w.next() + w.force[i]) * float32(dt)
		s.VY += w.next() * float32(dt)
		s.Omega += w.next()
		s.X += s.VX * float32(dt)
		s.Y += s.VY * float32(dt)
		s.SetAngle(math.Mod(s.Unwrapped()+float64(s.Omega)*dt, 1e6))
	}
	if tick%w.every == 0 {
		w.out.Events.Append(tickEvent{tick})
	}
}

func (w *walkers) EndFrame() { clear(w.force) }

func (w *walkers) Capture(dst []body2d.State) []body2d.State { return append(dst, w.state...) }

func (w *walkers) Counts() body2d.Counts { return body2d.Counts{Bodies: int32(len(w.state))} }
