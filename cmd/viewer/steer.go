package main

// The functions below are what the keys do.

const panStep = 0.1 // a part of the picture's height

// stopped reports whether time stands still. To play backward is to be paused and to
// seek in every frame.
func (s *session) stopped() bool { return s.player.Paused() && !s.playback.backward }

// stopBackward stays where playing backward has come to. It reports whether it did.
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
		s.steps = 0
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

// closeOpen closes what was opened last, one thing at a time. It does not quit. A field
// that is typed into has Esc for itself.
func (v *viewer) closeOpen() {
	switch {
	case v.menu.open:
		v.menu.open = false
	case v.help.on:
		v.help = help{}
	case v.giveUpSeek():
	case v.past != nil:
		v.toPresent()
	case v.wheelBack(true):
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

// again restarts the scene in its own view.
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
