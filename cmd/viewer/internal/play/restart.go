package play

import (
	"halfstep/world"
)

// Restart calls set, which changes a setting that a running world cannot change, and restarts the
// scene. setting is its name, and to its new value, for messages.
func (s *Session) Restart(setting, to string, set func()) error {
	return s.Changes.LeaveScene("the choice of "+setting, func() error {
		ended := ""
		if s.Stage.Live().Recording() {
			ended = " and the recording ends"
		}
		set()
		if err := s.ChangeScene(s.Stage.Current); err != nil {
			return err
		}
		s.Host.Say(setting + ": " + to + "; the scene restarts" + ended)
		return nil
	})
}

// SetStepper chooses how the world is stepped.
func (s *Session) SetStepper(stepper world.Stepper) error {
	if !canStep(&s.Stage.Given, stepper) {
		s.Host.Say("the recording was made with the stepper " + s.Stage.Given.World.Stepper.String())
		return nil
	}
	return s.Restart("stepper", stepper.String(), func() { s.Stage.Settings.Stepper = stepper.String() })
}

// SetLoop chooses the loop. Only the engine's own can record and replay.
func (s *Session) SetLoop(name string) error {
	if name == "engine" {
		name = ""
	}
	switch {
	case s.Stage.Shown.Replay() != nil:
		s.Host.Say("only the engine's own loop can replay")
		return nil
	case name != "" && s.Stage.Live().Recording():
		s.Host.Say("only the engine's own loop can record; stop the recording first")
		return nil
	case name != "" && s.Stage.O.BlackBox.Dir != "":
		s.Host.Say("only the engine's own loop has a black box")
		return nil
	}
	label := name
	if name == "" {
		label = "the engine's own"
	}
	return s.Restart("loop", label, func() { s.Stage.Settings.Loop = name })
}
