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
	"strings"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/physicsloop"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/scene"
)

// Loop is one of the loops, driven by the frame times it is given. All methods
// belong to one goroutine, except Close.
type Loop[S, E, C any] interface {
	// Send gives a command to the next frame. SendAt gives one that takes
	// effect once the tick is done, before the next step.
	Send(c C)
	SendAt(tick uint64, c C)
	// Frame lets ns nanoseconds pass and returns what to draw. In a frame of no
	// time there is no step but those that Step asked for; commands are carried
	// out all the same.
	Frame(ns int64) *scene.View[S]
	// Step has the next frame step once more than its time asks for.
	Step()
	// Tune changes the settings from the next frame on: all but Simulated,
	// StepCost and what follows the steps.
	Tune(c Config)
	// NextEvent moves the oldest event to e, and reports false if there is none.
	NextEvent(e *E) bool
	// Shed drops the oldest of the events that NextEvent has, until no more than
	// keep are left, and returns how many it dropped.
	Shed(keep uint64) uint64
	// Close ends whatever the loop started. It may be called once.
	Close()
}

// Config is what the loops need to know.
type Config struct {
	Rate      clock.Rate // steps per second; zero means 60
	MaxSteps  int        // per frame; 0 means 5
	Smoothing body2d.Smoothing
	// Last is the last tick to step to, where Ends is set.
	Last uint64
	Ends bool
	// Layers are the debug layers that views shall carry.
	Layers body2d.DebugLayers
	// Scale is scaled time, which Frame is given, over real time; 0 means 1.
	// Only naive on the wall clock needs it, whose timer is its own.
	Scale float64

	// StepCost is the simulated cost of a step in ns; only naive, whose
	// physics has a time of its own, can show it. Nil means none.
	StepCost func(tick uint64) int64
	// Simulated says that frame times do not come from the wall clock.
	Simulated bool

	// BeforeStep and OnStep are called before and after every step, as
	// physicsloop.Options has them, and Lane follows the steps.
	BeforeStep func(tick uint64)
	OnStep     func(tick uint64, cost time.Duration)
	Lane       *phase.Lane
}

func (c Config) withDefaults() Config {
	if c.Rate == (clock.Rate{}) {
		c.Rate = clock.Hz(60)
	}
	if c.MaxSteps == 0 {
		c.MaxSteps = clock.DefaultMaxSteps
	}
	if !c.Ends {
		c.Last = ^uint64(0)
	}
	if c.Scale == 0 {
		c.Scale = 1
	}
	return c
}

// tuned is c with the settings of another that Tune may change.
func (c Config) tuned(to Config) Config {
	to = to.withDefaults()
	to.StepCost, to.Simulated = c.StepCost, c.Simulated
	to.BeforeStep, to.OnStep, to.Lane = c.BeforeStep, c.OnStep, c.Lane
	return to
}

// dt is seconds per step.
func (c *Config) dt() float64 { return float64(c.Rate.Den) / float64(c.Rate.Num) }

// Names are the names that New takes.
func Names() []string { return []string{"single", "fixed", "variable", "semi-fixed", "free", "naive"} }

// New returns the loop with that name, which owns the simulation from here on.
// The link is for a loop that has physics on a goroutine of its own; such a loop
// has a method Awake, as physicsloop.Loop has.
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
