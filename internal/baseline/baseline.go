// Package baseline has the loops that the fixed-time-step articles describe,
// and the naive way to put physics on a thread, each written plainly on its
// own. They are what the threaded loop is compared with: single is the oracle
// of its tests, and all of them run in the viewer (-loop) and in the
// smoothness tool.
//
// Sources: Glenn Fiedler, "Fix Your Timestep!" (2004); Daniele, "Fixed
// time-step implementation in Box2D" (2010) and its comments.
package baseline

import (
	"fmt"

	"halfstep/buffer"
	"halfstep/physicsloop"
	"halfstep/renderloop"
)

// Loop is one of the loops, driven by the frame times it is given.
type Loop[S any] interface {
	// Frame lets ns nanoseconds pass and returns what to draw.
	Frame(ns int64) *renderloop.View[S]
	// Close ends whatever the loop started.
	Close()
}

// Config is what the loops need to know.
type Config struct {
	Rate      renderloop.Rate // steps per second
	MaxSteps  int             // per frame; 0 means 5
	Smoothing buffer.Smoothing

	// StepCost is the simulated cost of a step in ns; only naive, whose
	// physics has a time of its own, can show it. Nil means none.
	StepCost func(tick uint64) int64
	// Injected says that frame times do not come from the wall clock.
	Injected bool
	// Last is the last tick to step to; 0 means no end.
	Last uint64
}

func (c Config) withDefaults() Config {
	if c.Rate == (renderloop.Rate{}) {
		c.Rate = renderloop.Hz(60)
	}
	if c.MaxSteps == 0 {
		c.MaxSteps = renderloop.DefaultMaxSteps
	}
	if c.Last == 0 {
		c.Last = ^uint64(0)
	}
	return c
}

// Names are the names that New takes.
func Names() []string { return []string{"single", "fixed", "variable", "semi-fixed", "free", "naive"} }

// New returns the loop with that name, which owns the simulation from here on.
func New[S, E, C any](name string, sim physicsloop.Simulation[S, E, C], c Config) (Loop[S], error) {
	switch name {
	case "single":
		return NewSingle(sim, c), nil
	case "fixed":
		return &fixed[S, E, C]{newStage(sim, c)}, nil
	case "variable":
		return &variable[S, E, C]{newStage(sim, c)}, nil
	case "semi-fixed":
		return &semiFixed[S, E, C]{newStage(sim, c)}, nil
	case "free":
		return &free[S, E, C]{NewSingle(sim, c)}, nil
	case "naive":
		return newNaive(sim, c), nil
	}
	return nil, fmt.Errorf("no loop %q: one of %v", name, Names())
}

// stage is what the single-threaded loops share: a simulation, its previous and
// current states, and the view made of them.
type stage[S, E, C any] struct {
	sim       physicsloop.Simulation[S, E, C]
	out       physicsloop.Outbox[E]
	config    Config
	dt        float64
	prev, cur []S
	view      renderloop.View[S]
	dropped   float64 // s
}

func newStage[S, E, C any](sim physicsloop.Simulation[S, E, C], c Config) stage[S, E, C] {
	c = c.withDefaults()
	s := stage[S, E, C]{
		sim: sim, config: c, dt: float64(c.Rate.Den) / float64(c.Rate.Num),
		out: physicsloop.Outbox[E]{
			Structure: buffer.NewLog[buffer.Structure](), Events: buffer.NewLog[E](),
		},
	}
	sim.Start(&s.out)
	s.cur = sim.Capture(nil)
	s.prev = append(s.prev, s.cur...)
	s.view = renderloop.View[S]{Scene: renderloop.NewScene(), Smoothing: c.Smoothing, Dt: s.dt}
	return s
}

// Close does nothing: there is no other goroutine.
func (s *stage[S, E, C]) Close() {}

// Dropped is the time that the frame clamp and the step bound took away, in
// seconds.
func (s *stage[S, E, C]) Dropped() float64 { return s.dropped }

// step makes current previous and steps.
func (s *stage[S, E, C]) step(dt float64) {
	s.prev, s.cur = s.cur, s.prev
	s.view.Tick++
	s.sim.Step(s.view.Tick, dt)
	s.cur = s.sim.Capture(s.cur[:0])
	s.view.PrevSerial, s.view.CurSerial = s.view.Tick, s.view.Tick+1
}

// show fills the view.
func (s *stage[S, E, C]) show(alpha float64, steps int) *renderloop.View[S] {
	for n := s.out.Structure.Count(); ; s.out.Structure.Take() {
		r := s.out.Structure.Peek(n)
		if r == nil {
			break
		}
		s.view.Scene.Apply(r)
	}
	for n := s.out.Events.Count(); s.out.Events.Peek(n) != nil; {
		s.out.Events.Take()
	}
	v := &s.view
	v.Prev, v.Cur = s.prev, s.cur
	v.Alpha = float32(alpha)
	v.Instant = max(float64(v.Tick)-1, 0) + alpha
	v.Counts = s.sim.Counts()
	v.Demanded = steps
	return v
}

// newest fills the view with the current state alone.
func (s *stage[S, E, C]) newest(steps int) *renderloop.View[S] {
	v := s.show(1, steps)
	v.Prev, v.PrevSerial = v.Cur, v.CurSerial
	v.Instant = float64(v.Tick)
	return v
}
