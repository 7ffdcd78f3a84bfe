package play

import (
	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/engine/fault"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// Settings say how a scene runs. Flags and keys set them, and they are kept when the scene changes.
type Settings struct {
	Rate      clock.Rate       // steps per second; zero for the scene's own
	MaxSteps  int              // the most steps of a frame; 0 for the default
	Scale     float64          // the time scale; 1 is real time
	Smoothing body2d.Smoothing // how bodies are drawn between two steps
	Sync      renderloop.Sync  // how frames wait for steps
	Loop      string           // "": the engine's own loop
	Pacing    bool             // frame times are evened out
	Simulated bool             // frame times do not come from the wall clock
	LastTick  uint64           // physics stops after it; 0: there is none
	Stepper   string           // "" for that of the scene or the recording
	Workers   int              // goroutines of a step; 0 for the default
	Inject    []fault.Fault    // faults that the engine causes on purpose, for tests of their effects
	Overrides worldOverrides   // the user's changes to the worlds' configuration
}

// startPlayer starts a player of a scene with configuration c and these settings. A recording keeps its own
// step rate, and other settings on which its results depend.
func (s *Settings) startPlayer(sc *SceneEntry, c engine.Config) (*Player, error) {
	if s.Rate != (clock.Rate{}) && c.History.Replay == nil {
		c.Time.Rate = s.Rate
	}
	if s.MaxSteps > 0 {
		c.Time.MaxSteps = s.MaxSteps
	}
	c.World = s.Overrides.applied(c)
	c.World.Workers = s.Workers
	if stepper := s.StepperOf(&c); canStep(&c, stepper) {
		c.World.Stepper = stepper
	}
	c.Time.Sync, c.Time.Smoothing, c.Time.Simulated = s.Sync, s.Smoothing, s.Simulated
	c.Time.Pacing = engine.PacingOff
	if s.Pacing {
		c.Time.Pacing = engine.PacingOn
	}
	c.Name, c.Testing.Faults = sc.Name, s.Inject
	p, err := newPlayer(s.Loop, c)
	if err != nil {
		return nil, sc.named(err)
	}
	if err := p.SetScale(s.Scale); err != nil {
		p.Close()
		return nil, err
	}
	if s.LastTick > 0 {
		p.SetLastTick(s.LastTick)
	}
	return p, nil
}

// StepperOf returns the chosen stepper, or else that of the configuration.
func (s *Settings) StepperOf(c *engine.Config) world.Stepper {
	if s.Stepper == "" {
		return c.World.Stepper
	}
	stepper, _ := world.ParseStepper(s.Stepper)
	return stepper
}

// canStep reports whether a stepper can run a configuration. A recording needs the stepper that made
// it.
func canStep(c *engine.Config, stepper world.Stepper) bool {
	return c.History.Replay == nil || stepper == c.World.Stepper
}
