package main

import (
	"fmt"
	"slices"

	"halfstep/renderloop/clock"
)

// The functions below are what the keys do.

const panStep = 0.1 // of the picture's height

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
	case v.panel.search != "":
		v.panel.search = ""
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
	v.camera.home = true
	return v.change(v.current)
}

func (v *viewer) changeBy(by int) error {
	n := len(v.scenes)
	return v.change((v.current + by + n) % n)
}

func (s *session) nextSmoothing() {
	s.setSmoothing(smoothings[(slices.Index(smoothings, s.settings.smoothing)+1)%len(smoothings)])
}

// engineLoop reports whether one of the engines runs its own loop. If none does,
// it shows a notice.
func (s *session) engineLoop() (ok bool) {
	s.engines(func(e *player) { ok = ok || e.name == "" })
	if !ok {
		s.say("the " + s.player.name + " loop does not have this setting")
	}
	return ok
}

func (s *session) nextSync() {
	s.setSync(syncs[(slices.Index(syncs, s.settings.sync)+1)%len(syncs)])
}

func (s *session) togglePacing() {
	if !s.engineLoop() {
		return
	}
	set := &s.settings
	set.pacing = !set.pacing
	s.applySettings()
	s.say("frame pacing: " + onOff(set.pacing))
}

// stepRates are the step rates that keys - and + go through.
var stepRates = []int64{5, 10, 15, 20, 30, 50, 60, 90, 120, 144, 180, 240, 480, 960}

func (s *session) changeRate(by int) error {
	return s.setRate(clock.Hz(beside(stepRates, s.player.Rate().Float(), by)))
}

// beside is the next entry above x (by > 0) or below x in an ascending list.
func beside(list []int64, x float64, by int) int64 {
	if by > 0 {
		for _, n := range list {
			if float64(n) > x {
				return n
			}
		}
		return list[len(list)-1]
	}
	for i := len(list) - 1; i >= 0; i-- {
		if float64(list[i]) < x {
			return list[i]
		}
	}
	return list[0]
}

// timeScales are the time scales that keys , and . go through, in percent.
var timeScales = []int64{1, 5, 10, 25, 50, 100, 200, 400}

func (s *session) changeScale(by int) error {
	return s.setScale(float64(beside(timeScales, 100*s.scale(), by)) / 100)
}

var frameCaps = []int{0, 10, 30, 60, 144, -1}

func (v *viewer) nextCap() {
	v.setCap(frameCaps[(slices.Index(frameCaps, v.cap)+1)%len(frameCaps)])
	v.say("frames: " + capName(v.cap))
}

func capName(fps int) string {
	switch {
	case fps == 0:
		return "vsync"
	case fps < 0:
		return "uncapped"
	}
	return fmt.Sprintf("%d per second", fps)
}

func (v *viewer) toggleFollow() {
	at := v.camera.world(v.half())
	b, ok := v.picked().pick(at)
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

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
