package baseline

import (
	"halfstep/physicsloop"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/scene"
)

// Single is the loop both articles end with: an accumulator, whole steps, and
// a blend of previous and current by what is left over. It is the oracle: what
// it shows at frame N is what Lockstep must show at frame N, and Pipelined at
// frame N+1, to the bit.
//
// As in the article's code a frame's forces act on every step of the frame;
// unlike there, a frame without a step keeps them for the next one.
type Single[S, E, C any] struct {
	stage[S, E, C]
	accumulator int64 // in units of 1/Num ns
	exact       bool  // Step was called: the next frame ends with a full accumulator
}

// NewSingle returns the loop.
func NewSingle[S, E, C any](sim physicsloop.Simulation[S, E, C], c Config) *Single[S, E, C] {
	return &Single[S, E, C]{stage: newStage(sim, c)}
}

// Step implements Loop.
func (s *Single[S, E, C]) Step(n int) {
	s.stage.Step(n)
	s.exact = true
}

// Frame implements Loop.
func (s *Single[S, E, C]) Frame(ns int64) *scene.View[S] {
	n := s.run(ns)
	return s.show(s.alpha(), n)
}

// Tune implements Loop. What is left over stays the same part of a step.
func (s *Single[S, E, C]) Tune(c Config) {
	alpha, rate := s.alpha(), s.config.Rate
	s.stage.Tune(c)
	if s.config.Rate != rate {
		s.accumulator = min(int64(alpha*float64(s.stepUnits())), s.stepUnits())
	}
}

func (s *Single[S, E, C]) stepUnits() int64 { return 1_000_000_000 * s.config.Rate.Den }

func (s *Single[S, E, C]) alpha() float64 {
	return float64(s.accumulator) / float64(s.stepUnits())
}

func (s *Single[S, E, C]) run(ns int64) (steps int) {
	// The clamp, the accumulator, the bound.
	counted := min(max(ns, 0), clock.DefaultClamp)
	due := int64(0)
	if counted > 0 { // a full accumulator waits until time passes
		s.accumulator += counted * s.config.Rate.Num
		due = s.accumulator / s.stepUnits()
		s.accumulator %= s.stepUnits()
	}
	steps = min(int(due), s.config.MaxSteps)
	s.dropped += float64(max(ns, 0)-counted)/1e9 + float64(int(due)-steps)*s.config.dt()
	steps = s.left(steps + s.extra())
	if s.exact {
		s.accumulator, s.exact = s.stepUnits(), false
	}

	s.begin(steps > 0)
	for range steps {
		s.step(s.config.dt())
	}
	if steps > 0 {
		s.sim.EndFrame()
	}
	return steps
}
