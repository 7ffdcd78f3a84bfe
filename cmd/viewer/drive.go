package main

import (
	"fmt"
	"slices"

	"halfstep/cmd/viewer/scenes"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// drive gives an arrow key to a scene that the user can drive, such as a car. It reports whether it has
// taken the key.
func (v *viewer) drive(key glfw.Key, down bool) bool {
	if !v.scenes[v.current].Driven || v.playedRecording() != nil {
		return false
	}
	at := slices.Index([]glfw.Key{glfw.KeyLeft, glfw.KeyRight, glfw.KeyDown, glfw.KeyUp}, key)
	if at < 0 {
		return false
	}
	arrows := v.arrows
	if arrows[at] = down; arrows != v.arrows {
		if !v.drives {
			v.say(fmt.Sprintf("you drive; the scene does again after %d s without an arrow key, or at Esc", wheelTime))
		}
		v.steer(arrows)
		v.countUse("drive")
	}
	return true
}

// steer tells a driven scene which arrow keys are held: left, right, down, up.
func (s *session) steer(arrows [4]bool) {
	s.arrows, s.drives, s.steered = arrows, true, s.player.Demanded()
	way := func(minus, plus bool) (x float64) {
		if plus {
			x++
		}
		if minus {
			x--
		}
		return x
	}
	x, y := way(arrows[0], arrows[1]), way(arrows[2], arrows[3])
	s.engines(func(e *player) { e.DoNamed(scenes.DriveCommand, x, y) })
}

// wheelTime is how long the user keeps the wheel without holding a key, in s of the world.
const wheelTime = 5

// Values of wheelBack's parameter now.
const whenIdle, atOnce = false, true

// wheelBack lets the scene drive again: with atOnce immediately, otherwise once the user has not driven
// for wheelTime. It never does while an arrow key is held. It reports whether it has.
func (s *session) wheelBack(now bool) bool {
	idle := float64(s.player.Demanded()-min(s.steered, s.player.Demanded())) / s.player.Rate().Float()
	if !s.drives || s.arrows != [4]bool{} || s.playedRecording() != nil || !now && idle < wheelTime {
		return false
	}
	s.drives = false
	s.engines(func(e *player) { e.DoNamed(scenes.DriveCommand) })
	s.say("the scene drives again")
	return true
}
