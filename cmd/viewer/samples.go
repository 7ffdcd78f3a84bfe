package main

import (
	"bufio"
	"io"
	"math"
	"strconv"
	"sync/atomic"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/world"
)

// plotted are the values that are noted of a body after each step. Those of a joint are of its
// newest joint. The energy of all is that of motion, and of height in the world's gravity.
var plotted = [...]string{"x, m", "y, m", "speed, m/s", "angle, rad", "energy, J", "joint force, N", "joint angle, rad", "energy of all, J"}

const (
	plotsJointForce = 5
	plotsJointAngle = 6
	plotsAll        = 7
)

// values are those of plotted.
type values [len(plotted)]float64

// samplesKept is how many ticks the samples of a body go back.
const samplesKept = 4096

// samples are noted on the physics goroutine, after each step, and shown by the render thread.
// Neither waits: a row has the tick and the body that it is of, which are read before and after
// its values.
type samples struct {
	world *world.World // nil until it is set up
	body  atomic.Uint64
	shown atomic.Int32 // an index of plotted: what costs something is noted only then
	rows  []sample     // a ring, by tick

	logs   atomic.Uint64 // the body that is noted for -plot
	logged []loggedSample
}

// sample is a row of the ring: atomic, as both goroutines use it at once.
type sample struct {
	tick, body atomic.Uint64 // tick is one more, so that no row of zeros is of a tick
	values     [len(plotted)]atomic.Uint64
}

// loggedSample is a row of a file of samples.
type loggedSample struct {
	tick uint64
	values
}

// attach makes a configuration note samples of its world.
func (s *samples) attach(c *engine.Config) {
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

// choose says of which body values are noted, and which one is shown.
func (s *samples) choose(b world.Body, what int) {
	s.body.Store(uint64(b))
	s.shown.Store(int32(what))
}

// step notes the values after a step. Physics goroutine.
func (s *samples) step(tick uint64) {
	if b := s.body.Load(); b != 0 {
		if v, ok := valuesOf(s.world, world.Body(b), int(s.shown.Load())); ok {
			s.note(tick, b, v)
		}
	}
	if b := s.logs.Load(); b != 0 {
		if v, ok := valuesOf(s.world, world.Body(b), -1); ok {
			s.logged = append(s.logged, loggedSample{tick, v})
		}
	}
}

// valuesOf are the values of a body now. Those that cost something are NaN unless they are
// shown, or shown is negative.
func valuesOf(w *world.World, b world.Body, shown int) (v values, ok bool) {
	i, err := w.Body(b)
	if err != nil {
		return v, false
	}
	nan := math.NaN()
	v = values{i.Position.X, i.Position.Y, math.Hypot(i.Velocity.X, i.Velocity.Y), i.Angle, i.KineticEnergy(), nan, nan, nan}
	if shown < 0 || shown == plotsJointForce || shown == plotsJointAngle {
		for n := range w.JointsOf(b) {
			if j, err := w.Joint(n); err == nil {
				v[plotsJointForce], v[plotsJointAngle] = math.Hypot(j.Force.X, j.Force.Y), j.Angle
			}
			break
		}
	}
	if shown < 0 || shown == plotsAll {
		g := w.Gravity()
		v[plotsAll] = 0
		for n := range w.Bodies() {
			o, _ := w.Body(n)
			v[plotsAll] += o.KineticEnergy() - o.Mass*(g.X*o.Centre.X+g.Y*o.Centre.Y)
		}
	}
	return v, true
}

// note puts a row into the ring: tick 0 first, so that nobody takes a half-written one for whole.
func (s *samples) note(tick, body uint64, v values) {
	r := &s.rows[tick%samplesKept]
	r.tick.Store(0)
	r.body.Store(body)
	for i, x := range v {
		r.values[i].Store(math.Float64bits(x))
	}
	r.tick.Store(tick + 1)
}

// at is a value of a body after a tick. ok is false if it was not noted.
func (s *samples) at(tick uint64, body world.Body, what int) (x float64, ok bool) {
	r := &s.rows[tick%samplesKept]
	if r.tick.Load() != tick+1 || r.body.Load() != uint64(body) {
		return 0, false
	}
	x = math.Float64frombits(r.values[what].Load())
	return x, x == x && r.tick.Load() == tick+1
}

// follow takes from a frame what no step has noted: the values of a body that has just been
// chosen, or of a world that is only shown.
func (s *samples) follow(e *player, body world.Body) {
	view := e.View()
	slot, there := view.Scene.Slot(uint64(body))
	if _, noted := s.at(view.Tick, body, 0); noted || !there || slot >= len(view.Cur) {
		return
	}
	if now := &view.Cur[slot]; now.Flags()&body2d.Alive != 0 {
		b, nan := &view.Scene.Bodies[slot], math.NaN()
		sin, cos := math.Sincos(now.Unwrapped())
		x := float64(now.X) - cos*float64(b.LocalX) + sin*float64(b.LocalY)
		y := float64(now.Y) - sin*float64(b.LocalX) - cos*float64(b.LocalY)
		s.note(view.Tick, uint64(body), values{x, y, math.Hypot(float64(now.VX), float64(now.VY)), now.Unwrapped(), nan, nan, nan, nan})
	}
}

// csvHeader names the columns of values.
const csvHeader = "tick,time_s,x,y,speed,angle,energy,joint_force,joint_angle,energy_of_all\n"

// writeCSV writes rows of values; those that are not known are empty.
func writeCSV(to io.Writer, rate float64, rows []loggedSample) error {
	w := bufio.NewWriter(to)
	w.WriteString(csvHeader)
	for i := range rows {
		b := strconv.AppendUint(nil, rows[i].tick, 10)
		b = strconv.AppendFloat(append(b, ','), float64(rows[i].tick)/rate, 'g', -1, 64)
		for _, x := range rows[i].values {
			if b = append(b, ','); x == x {
				b = strconv.AppendFloat(b, x, 'g', -1, 64)
			}
		}
		w.Write(append(b, '\n'))
	}
	return w.Flush()
}
