package play

import (
	"cmp"

	"halfstep/world"
)

// Restart calls set, which changes a setting that a running world cannot change, and restarts the scene.
// It warns of unsaved changes, as LeaveScene does. Messages use the name of the setting and its new
// value, to.
func (s *Session) Restart(setting, to string, set func()) error {
	return s.Changes.LeaveScene("the choice of "+setting, func() error {
		ended := ""
		if s.Stage.Present().Records() {
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

// Again restarts the scene, and shows it in the scene's own view.
func (s *Session) Again() error {
	return s.Changes.LeaveScene(s.Host.Key("restart"), func() error {
		s.Host.Scene(SceneAgain, s.Stage.Scene())
		return s.ChangeScene(s.Stage.Current)
	})
}

// ChangeSceneBy opens the scene that is `by` places further down in the list. After the end the list
// begins again.
func (s *Session) ChangeSceneBy(by int) error {
	n, key := len(s.Stage.Scenes), s.Host.Key("next scene")
	if by < 0 {
		key = s.Host.Key("previous scene")
	}
	return s.Changes.LeaveScene(key, func() error { return s.ChangeScene((s.Stage.Current + by + n) % n) })
}

// SetStepper chooses the stepper of the world.
func (s *Session) SetStepper(stepper world.Stepper) error {
	if !canStep(&s.Stage.SceneConfig, stepper) {
		s.Host.Say("the recording was made with the stepper " + s.Stage.SceneConfig.World.Stepper.String())
		return nil
	}
	return s.Restart("stepper", stepper.String(), func() { s.Stage.Settings.Stepper = stepper.String() })
}

// SetLoop chooses the loop. Only the engine's own loop can record and replay.
func (s *Session) SetLoop(name string) error {
	if name == "engine" { // LoopNames gives the engine's own loop this name
		name = ""
	}
	switch {
	case s.Stage.Shown.Replay() != nil:
		s.Host.Say("only the engine's own loop can replay")
		return nil
	case name != "" && s.Stage.Present().Records():
		s.Host.Say("only the engine's own loop can record; stop the recording first")
		return nil
	case name != "" && s.Stage.Options.BlackBox.Dir != "":
		s.Host.Say("only the engine's own loop has a black box")
		return nil
	}
	label := cmp.Or(name, "the engine's own")
	return s.Restart("loop", label, func() { s.Stage.Settings.Loop = name })
}
