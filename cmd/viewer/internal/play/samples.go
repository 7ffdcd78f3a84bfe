package play

import (
	"math"
	"sync/atomic"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/world"
)

// Plotted has the names of the values of a body that are recorded after each step, for the plot of the
// page Body and for -plot. Values of a joint are those of the body's newest joint. The energy of all
// bodies is their kinetic energy and their potential energy in the world's gravity.
var Plotted = [...]string{"x, m", "y, m", "speed, m/s", "angle, rad", "energy, J", "joint force, N", "joint angle, rad", "energy of all, J"}

// indices of the values in Plotted that take time to compute
const (
	PlotsJointForce = 5
	plotsJointAngle = 6
	PlotsAll        = 7
)

// Values are the values whose names are in Plotted.
type Values [len(Plotted)]float64

// samplesKept is the number of ticks for which samples are kept.
const samplesKept = 4096

// The physics goroutine writes Samples after each step, and the render thread reads them. Neither waits
// for the other. A row has its tick and its body, and a reader checks the tick before and after reading
// a value.
type Samples struct {
	world *world.World  // world is nil until it is set up.
	body  atomic.Uint64 // body is the body whose values are recorded, or 0.
	shown atomic.Int32  // shown is the shown index of Plotted. Slow values are recorded only while they are shown.
	rows  []sample      // a ring, by tick

	logs   atomic.Uint64  // logs is the body whose values after all steps are kept for -plot, or 0.
	logged []LoggedSample // logged are the values for -plot.
}

// sample is a row of the ring. Its fields are atomic because both goroutines use them.
type sample struct {
	tick, body atomic.Uint64               // tick is the tick plus one; it is 0 for a row that is empty or being written
	values     [len(Plotted)]atomic.Uint64 // the bits of float64 numbers; NaN means not recorded
}

// LoggedSample is a row of a file of samples.
type LoggedSample struct {
	Tick uint64
	Values
}

// attach changes a configuration so that its engine calls s.step after each step.
func (s *Samples) attach(c *engine.Config) {
	setup, onStep := c.Setup, c.OnStep
	c.Setup = func(w *world.World) error {
		if s.world = w; setup == nil {
			return nil
		}
		return setup(w)
	}
	c.OnStep = func(tick uint64, cost time.Duration) {
		s.step(tick)
		if onStep != nil {
			onStep(tick, cost)
		}
	}
}

// Choose sets the body whose values are recorded, and the shown index of Plotted.
func (s *Samples) Choose(b world.Body, what int) {
	s.body.Store(uint64(b))
	s.shown.Store(int32(what))
}

// step records the values after a step. It runs on the physics goroutine.
func (s *Samples) step(tick uint64) {
	if b := s.body.Load(); b != 0 {
		if v, ok := valuesOf(s.world, world.Body(b), int(s.shown.Load())); ok {
			s.Note(tick, b, v)
		}
	}
	if b := s.logs.Load(); b != 0 {
		if v, ok := valuesOf(s.world, world.Body(b), allValues); ok {
			s.logged = append(s.logged, LoggedSample{tick, v})
		}
	}
}

// allValues, used as an index of Plotted, means all values.
const allValues = -1

// valuesOf returns the present values of a body. A slow value is NaN unless shown is its index or
// allValues.
func valuesOf(w *world.World, b world.Body, shown int) (v Values, ok bool) {
	i, err := w.Body(b)
	if err != nil {
		return v, false
	}
	nan := math.NaN()
	v = Values{i.Position.X, i.Position.Y, math.Hypot(i.Velocity.X, i.Velocity.Y), i.Angle, i.KineticEnergy(), nan, nan, nan}
	if shown == allValues || shown == PlotsJointForce || shown == plotsJointAngle {
		for n := range w.JointsOf(b) { // the newest comes first
			if j, err := w.Joint(n); err == nil {
				v[PlotsJointForce], v[plotsJointAngle] = math.Hypot(j.Force.X, j.Force.Y), j.Angle
			}
			break
		}
	}
	if shown == allValues || shown == PlotsAll {
		g := w.Gravity()
		v[PlotsAll] = 0
		for n := range w.Bodies() {
			o, _ := w.Body(n)
			v[PlotsAll] += o.KineticEnergy() - o.Mass*(g.X*o.Centre.X+g.Y*o.Centre.Y)
		}
	}
	return v, true
}

// Note puts a row into the ring. It first sets tick to 0, so that readers ignore a row that is being
// written.
func (s *Samples) Note(tick, body uint64, v Values) {
	r := &s.rows[tick%samplesKept]
	r.tick.Store(0)
	r.body.Store(body)
	for i, x := range v {
		r.values[i].Store(math.Float64bits(x))
	}
	r.tick.Store(tick + 1)
}

// at returns a value of a body after a tick. The result ok is false if the value was not recorded.
func (s *Samples) at(tick uint64, body world.Body, what int) (x float64, ok bool) {
	r := &s.rows[tick%samplesKept]
	if r.tick.Load() != tick+1 || r.body.Load() != uint64(body) {
		return 0, false
	}
	x = math.Float64frombits(r.values[what].Load())
	return x, !math.IsNaN(x) && r.tick.Load() == tick+1
}

// noteShown records the values of the shown tick that the picture has, if no step has recorded them.
// This is the case if the body was chosen only just now, or if the world is replayed from states and
// makes no steps.
func (s *Samples) noteShown(p *Player, body world.Body) {
	view := p.View()
	slot, there := view.Scene.Slot(uint64(body))
	if _, noted := s.at(view.Tick, body, 0); noted || !there || slot >= len(view.Cur) {
		return
	}
	if now := &view.Cur[slot]; now.Flags()&body2d.Alive != 0 {
		b, nan := &view.Scene.Bodies[slot], math.NaN()
		sin, cos := math.Sincos(now.Unwrapped())
		// the picture has the centre of mass, but x and y are those of the origin
		x := float64(now.X) - cos*float64(b.LocalX) + sin*float64(b.LocalY)
		y := float64(now.Y) - sin*float64(b.LocalX) - cos*float64(b.LocalY)
		s.Note(view.Tick, uint64(body), Values{x, y, math.Hypot(float64(now.VX), float64(now.VY)), now.Unwrapped(), nan, nan, nan, nan})
	}
}
