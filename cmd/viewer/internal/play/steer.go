package play

// The functions below are what some of the keys and controls do.

// Stopped reports whether time stands still. A replay that plays backward is paused too, but seeks in
// every frame, so it does not count.
func (t *Travel) Stopped() bool { return t.stage.Player.Paused() && !t.Playback.Backward }

// stopBackward ends playing backward, and pauses there. It returns false if nothing was played backward.
func (t *Travel) stopBackward() bool {
	if !t.Playback.Backward {
		return false
	}
	t.Playback.Backward = false
	t.stage.Engines(func(e *Player) { e.SetPaused(true) })
	return true
}

// TogglePause pauses all engines or lets them go on. A replay at its end begins anew.
func (t *Travel) TogglePause() {
	if t.stopBackward() {
		return
	}
	if t.ReplayEnded() {
		t.Seek(t.stage.Shown.Replay().First)
		t.stage.Engines(func(e *Player) { e.SetPaused(false) })
		return
	}
	t.follow.leaveNow()
	on := !t.stage.Player.Paused()
	t.stage.Engines(func(e *Player) { e.SetPaused(on) })
	if !on {
		t.Steps = 0 // single steps that are still to be made
	}
}

// SingleStep pauses, and makes one step in the next frame.
func (t *Travel) SingleStep() {
	if t.stopBackward() {
		return
	}
	t.follow.leaveNow()
	t.stage.Engines(func(e *Player) { e.SetPaused(true) })
	if r := t.stage.Shown.Recording; t.Seeking.On && r != nil {
		t.Seek(t.Seeking.To + 1)
		return
	}
	t.Steps++
	if r := t.stage.Shown.Replay(); r != nil { // a seek may still be said to have led to another tick
		t.host.Say(t.Place(min(t.stage.Player.Demanded()+uint64(t.Steps), r.Ticks)))
	}
}

// Again restarts the scene, and shows it in its own view.
func (s *Session) Again() error {
	return s.Changes.LeaveScene(s.Host.Key("restart"), func() error {
		s.Host.Scene(SceneAgain, s.Stage.Scene())
		return s.ChangeScene(s.Stage.Current)
	})
}

func (s *Session) ChangeSceneBy(by int) error {
	n, key := len(s.Stage.Scenes), s.Host.Key("next scene")
	if by < 0 {
		key = s.Host.Key("previous scene")
	}
	return s.Changes.LeaveScene(key, func() error { return s.ChangeScene((s.Stage.Current + by + n) % n) })
}
