package play

// Stopped reports whether time stands still. A replay that plays backward is paused, but goes to an
// earlier tick in every frame, so it does not count as stopped.
func (t *Travel) Stopped() bool { return t.stage.Player.Paused() && !t.Playback.Backward }

// stopBackward ends playing backward, and pauses at the tick that is then shown. It returns false if
// the replay was not playing backward.
func (t *Travel) stopBackward() bool {
	if !t.Playback.Backward {
		return false
	}
	t.Playback.Backward = false
	t.stage.EachPlayer(func(p *Player) { p.SetPaused(true) })
	return true
}

// TogglePause pauses or resumes all engines. A replay at its end starts again.
func (t *Travel) TogglePause() {
	if t.stopBackward() {
		return
	}
	if t.ReplayEnded() {
		t.Seek(t.stage.Shown.Replay().First)
		t.stage.EachPlayer(func(p *Player) { p.SetPaused(false) })
		return
	}
	t.follow.stopKeepingUp()
	on := !t.stage.Player.Paused()
	t.stage.EachPlayer(func(p *Player) { p.SetPaused(on) })
	if !on {
		t.Steps = 0 // drop single steps that were requested before
	}
}

// SingleStep pauses, and makes one step in the next frame.
func (t *Travel) SingleStep() {
	if t.stopBackward() {
		return
	}
	t.follow.stopKeepingUp()
	t.stage.EachPlayer(func(p *Player) { p.SetPaused(true) })
	if t.Seeking.On && t.stage.Shown.Recorded() { // go one step beyond the target of the seek
		t.Seek(t.Seeking.To + 1)
		return
	}
	t.Steps++
	if r := t.stage.Shown.Replay(); r != nil { // the message of an earlier seek may still name another tick
		t.host.Say(t.Place(min(t.stage.Player.Demanded()+uint64(t.Steps), r.Ticks)))
	}
}
