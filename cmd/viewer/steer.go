package main

// The functions below are what some of the keys do; see actions.go.

// stopped reports whether time stands still. A replay that plays backward is paused too, but seeks in
// every frame, so it does not count.
func (t *travel) stopped() bool { return t.stage.player.Paused() && !t.playback.backward }

// stopBackward ends playing backward, and pauses there. It returns false if nothing was played backward.
func (t *travel) stopBackward() bool {
	if !t.playback.backward {
		return false
	}
	t.playback.backward = false
	t.stage.engines(func(e *player) { e.SetPaused(true) })
	return true
}

// togglePause pauses all engines or lets them go on. A replay at its end begins anew.
func (t *travel) togglePause() {
	if t.stopBackward() {
		return
	}
	if t.replayEnded() {
		t.seek(t.stage.shown.replay().First)
		t.stage.engines(func(e *player) { e.SetPaused(false) })
		return
	}
	t.follow.leaveNow()
	on := !t.stage.player.Paused()
	t.stage.engines(func(e *player) { e.SetPaused(on) })
	if !on {
		t.steps = 0 // single steps that are still to be made
	}
}

// singleStep pauses, and makes one step in the next frame.
func (t *travel) singleStep() {
	if t.stopBackward() {
		return
	}
	t.follow.leaveNow()
	t.stage.engines(func(e *player) { e.SetPaused(true) })
	if r := t.stage.shown.recording; t.seeking.on && r != nil {
		t.seek(t.seeking.to + 1)
		return
	}
	t.steps++
}

// again restarts the scene, and shows it in its own view.
func (s *session) again() error {
	return s.changes.leaveScene(s.host.key("restart"), func() error {
		s.host.scene(sceneAgain, s.stage.scene())
		return s.changeScene(s.stage.current)
	})
}

func (s *session) changeSceneBy(by int) error {
	n, key := len(s.stage.scenes), s.host.key("next scene")
	if by < 0 {
		key = s.host.key("previous scene")
	}
	return s.changes.leaveScene(key, func() error { return s.changeScene((s.stage.current + by + n) % n) })
}
