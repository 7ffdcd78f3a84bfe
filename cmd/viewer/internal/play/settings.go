package play

import (
	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/engine/fault"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// Settings say how a scene runs. Flags and keys set them. They are kept when the scene changes.
type Settings struct {
	Rate      clock.Rate       // Rate is in steps per second. If it is zero, the scene's own rate is used.
	MaxSteps  int              // MaxSteps is the greatest number of steps in a frame. The value 0 means the default.
	Scale     float64          // Scale is the time scale. The value 1 is real time.
	Smoothing body2d.Smoothing // Smoothing says how bodies are drawn between two steps.
	Sync      renderloop.Sync  // Sync says how frames wait for steps.
	Loop      string           // Loop is the name of the loop. The value "" means the engine's own loop.
	Pacing    bool             // Pacing makes frame times even.
	Simulated bool             // Simulated says that frame times do not come from the wall clock.
	LastTick  uint64           // LastTick is the tick after which physics stops. The value 0 means that physics does not stop.
	Stepper   string           // Stepper is the name of the stepper. The value "" means the stepper of the scene or of the recording.
	Workers   int              // Workers is the number of goroutines of a step. The value 0 means the default.
	Inject    []fault.Fault    // Inject are faults that the engine causes on purpose, so that their effects can be tested.
	Overrides worldOverrides   // Overrides are the user's changes to the configuration of worlds.
}

// startPlayer starts a player of a scene, with configuration c and these settings. A recording keeps its
// own step rate, and other settings on which its results depend.
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

// StepperOf returns the chosen stepper. If none is chosen, it returns the stepper of the configuration.
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
