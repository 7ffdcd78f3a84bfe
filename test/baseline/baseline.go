// Package baseline has the loops of the articles on fixed time steps, and the naive
// way to put physics on a thread. Each loop is simple and independent of the
// others, for comparison with the threaded loop. The tests of the threaded loop
// expect what Single shows. All loops run in the viewer (-loop) and in
// cmd/smoothness.
//
// Sources: Glenn Fiedler, "Fix Your Timestep!" (2004); Daniele, "Fixed time-step
// implementation in Box2D" (2010) and its comments.
package baseline

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/phasetrace"
	"halfstep/physicsloop"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/scene"
)

// Loop is one of the loops. All its methods except Close belong to one goroutine.
type Loop[S, E, C any] interface {
	// Send adds a command, which the next frame carries out.
	Send(c C)
	// Frame advances time by ns nanoseconds and returns what to draw. A frame of 0 ns
	// makes only the steps requested by Step, but it carries out commands.
	Frame(ns int64) *scene.View[S]
	// Step makes the next frame do n more steps than its time requires. Single then
	// shows the state after the last of these steps.
	Step(n int)
	// Tune changes the settings from the next frame on, except Simulated,
	// StepCost, BeforeStep, OnStep and Phases.
	Tune(c Config)
	// NextEvent moves the oldest event to e. It returns false if there is none.
	NextEvent(e *E) bool
	// LastView returns the view to draw after a panic in Frame: the view after the last
	// step that was done.
	LastView() *scene.View[S]
	// Shown is the simulated time that the last Frame showed, in seconds.
	Shown() float64
	// Dropped is the time that the frame clamp and the limit on steps have dropped, in
	// seconds.
	Dropped() float64
	// Close ends the goroutines of the loop. Call it once.
	Close()
}

// Config configures a loop.
type Config struct {
	Rate      clock.Rate // steps per second; zero means 60
	MaxSteps  int        // the greatest number of steps in a frame; 0 means 5
	Smoothing body2d.Smoothing
	// Last is the tick of the last step, if Ends is set.
	Last uint64
	Ends bool
	// Layers are the debug layers that the views must have.
	Layers body2d.Layers
	// Scale is the time scale that the times passed to Frame include; 0 means 1. Only
	// naive on the wall clock needs it, because naive has its own timer.
	Scale float64

	// StepCost returns the simulated cost of a step, ns. It affects only naive, whose
	// physics has a clock of its own. Nil means that steps cost nothing.
	StepCost func(tick uint64) int64
	// Simulated means that frame times do not come from the wall clock.
	Simulated bool

	// BeforeStep and OnStep are as in physicsloop.Options. Phases receives the phases of
	// physics.
	BeforeStep func(tick uint64)
	OnStep     func(tick uint64, cost time.Duration)
	Phases     *phasetrace.Recorder
}

func (c Config) withDefaults() Config {
	c.Rate, c.MaxSteps, c.Scale = cmp.Or(c.Rate, clock.Hz(60)), cmp.Or(c.MaxSteps, clock.DefaultMaxSteps), cmp.Or(c.Scale, 1)
	if !c.Ends {
		c.Last = ^uint64(0)
	}
	return c
}

// tuned returns the settings of the parameter to, except those that Tune must not
// change, which it takes from c.
func (c Config) tuned(to Config) Config {
	to = to.withDefaults()
	to.StepCost, to.Simulated = c.StepCost, c.Simulated
	to.BeforeStep, to.OnStep, to.Phases = c.BeforeStep, c.OnStep, c.Phases
	return to
}

func (c *Config) dt() float64 { return float64(c.Rate.Den) / float64(c.Rate.Num) }

// Names are the names of the loops.
func Names() []string { return []string{"single", "fixed", "variable", "semi-fixed", "free", "naive"} }

// New returns the loop with the given name. The loop then owns the simulation. The
// link is for naive, whose physics has a goroutine of its own.
func New[S, E, C any](name string, sim physicsloop.Simulation[S, E, C], link *buffer.Link[S, E, C], c Config) (Loop[S, E, C], error) {
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
		return newNaive(sim, link, c), nil
	}
	return nil, fmt.Errorf("no loop %q: there are %s", name, strings.Join(Names(), ", "))
}
