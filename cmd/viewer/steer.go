package main

// The functions below are what some of the keys do; see actions.go.

const panStep = 0.1 // of the picture's height, for one press of an arrow key

// stopped reports whether time stands still. A replay that plays backward is paused too, but seeks in
// every frame, so it does not count.
func (s *session) stopped() bool { return s.player.Paused() && !s.playback.backward }

// stopBackward ends playing backward, and pauses there. It returns false if nothing was played backward.
func (s *session) stopBackward() bool {
	if !s.playback.backward {
		return false
	}
	s.playback.backward = false
	s.engines(func(e *player) { e.SetPaused(true) })
	return true
}

// togglePause pauses all engines or lets them go on. A replay at its end begins anew.
func (s *session) togglePause() {
	if s.stopBackward() {
		return
	}
	if s.replayEnded() {
		s.seek(s.replay.First)
		s.engines(func(e *player) { e.SetPaused(false) })
		return
	}
	s.leaveNow()
	on := !s.player.Paused()
	s.engines(func(e *player) { e.SetPaused(on) })
	if !on {
		s.steps = 0 // single steps that are still to be made
	}
}

// singleStep pauses, and makes one step in the next frame.
func (s *session) singleStep() {
	if s.stopBackward() {
		return
	}
	s.leaveNow()
	s.engines(func(e *player) { e.SetPaused(true) })
	if r := s.playedRecording(); s.seeking.on && r != nil {
		s.seek(s.seeking.to + 1)
		return
	}
	s.steps++
}

// closeOpen is what Esc does: it closes one of the things that are open. It does not quit. While
// the user types into a field, that gets Esc.
func (v *viewer) closeOpen() {
	switch {
	case v.menu.open:
		v.menu.open = false
	case v.help.on:
		v.help = help{}
	case v.giveUpSeek(): // there was one
	case v.past != nil:
		v.toPresent()
	case v.wheelBack(atOnce):
	case v.panel.search != "":
		v.panel.search = ""
	case v.tool != handTool:
		v.useTool(handTool)
	case v.inspect.body != 0:
		v.inspect.choose(0)
	default:
		v.say("Q quits")
	}
}

// toggleFigures shows or hides the figures.
func (v *viewer) toggleFigures() {
	if v.hud.on = !v.hud.on; v.hud.on && v.panel.crowds(v.surface) {
		v.say("no room for the figures beside the panel: its page Figures has them")
	}
}

// again restarts the scene, and shows it in its own view.
func (v *viewer) again() error {
	return v.leaveScene(v.keys.first("restart"), func() error {
		v.camera.home = true
		return v.changeScene(v.current)
	})
}

func (v *viewer) changeSceneBy(by int) error {
	n, key := len(v.scenes), v.keys.first("next scene")
	if by < 0 {
		key = v.keys.first("previous scene")
	}
	return v.leaveScene(key, func() error { return v.changeScene((v.current + by + n) % n) })
}

func (v *viewer) toggleFollow() {
	at := v.camera.world(v.half())
	b, ok := v.under().player.pick(at)
	switch {
	case ok && b != v.camera.follow:
		v.camera.after(b)
		v.say("following")
	case v.camera.follow != 0:
		v.camera.follow = 0
		v.say("no longer following")
	default:
		v.say("no body under the cursor to follow")
	}
}
