package main

import (
	"fmt"

	"halfstep/cmd/viewer/scenes"
)

// wheel is how the user drives a scene, such as a car, with the arrow keys.
type wheel struct {
	stage  *stage
	host   host
	travel *travel
	uses   uses

	driving
}

// driving is the part of a wheel that ends with the open scene.
type driving struct {
	arrows  [4]bool // the arrow keys that are held: left, right, down, up
	drives  bool    // the user drives, and not the scene
	steered uint64  // the tick of his last arrow key
}

func (w *wheel) begin() { w.driving = driving{} }

// The arrow keys, as indices of driving.arrows.
const (
	arrowLeft = iota
	arrowRight
	arrowDown
	arrowUp
)

// drive gives an arrow key to a scene that the user can drive, such as a car. It reports whether it has
// taken the key.
func (w *wheel) drive(arrow int, down bool) bool {
	if !w.stage.scenes[w.stage.current].Driven || w.stage.shown.recording != nil {
		return false
	}
	arrows := w.arrows
	if arrows[arrow] = down; arrows != w.arrows {
		if !w.drives {
			w.host.say(fmt.Sprintf("you drive; the scene does again after %d s without an arrow key, or at Esc", wheelTime))
		}
		w.steer(arrows)
		w.uses.count("drive")
	}
	return true
}

// steer tells a driven scene which arrow keys are held: left, right, down, up.
func (w *wheel) steer(arrows [4]bool) {
	w.arrows, w.drives, w.steered = arrows, true, w.stage.player.Demanded()
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
	w.stage.engines(func(e *player) { e.DoNamed(scenes.DriveCommand, x, y) })
}

// wheelTime is how long the user keeps the wheel without holding a key, in s of the world.
const wheelTime = 5

// Values of wheelBack's parameter now.
const whenIdle, atOnce = false, true

// wheelBack lets the scene drive again: with atOnce immediately, otherwise once the user has not driven
// for wheelTime. It never does while an arrow key is held. It reports whether it has.
func (w *wheel) wheelBack(now bool) bool {
	idle := float64(w.stage.player.Demanded()-min(w.steered, w.stage.player.Demanded())) / w.stage.player.Rate().Float()
	if !w.drives || w.arrows != [4]bool{} || w.stage.shown.recording != nil || !now && idle < wheelTime {
		return false
	}
	w.drives = false
	w.stage.engines(func(e *player) { e.DoNamed(scenes.DriveCommand) })
	w.host.say("the scene drives again")
	return true
}
