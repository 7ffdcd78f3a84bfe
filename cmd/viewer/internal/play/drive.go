package play

import (
	"fmt"

	"halfstep/cmd/viewer/scenes"
)

// Wheel lets the user drive what a scene has, such as a car, with the arrow keys.
type Wheel struct {
	stage *Stage
	host  Host
	uses  Uses

	driving
}

// driving is the part of a Wheel that ends with the open scene.
type driving struct {
	Arrows     [4]bool // Arrows says which arrow keys are held: left, right, down, up.
	UserDrives bool    // UserDrives says that the user drives the scene, and not its script.
	steered    uint64  // steered is the tick at which the user last pressed or released an arrow key.
}

func (w *Wheel) begin() { w.driving = driving{} }

// These are the indices of Arrows.
const (
	ArrowLeft = iota
	ArrowRight
	ArrowDown
	ArrowUp
)

// Drive passes an arrow key to a scene that the user can drive, such as a car. It reports whether the
// scene uses the key.
func (w *Wheel) Drive(arrow int, down bool) bool {
	if !w.stage.Scene().Driven || w.stage.Shown.Recorded() {
		return false
	}
	arrows := w.Arrows
	if arrows[arrow] = down; arrows != w.Arrows {
		if !w.UserDrives {
			w.host.Say(fmt.Sprintf("you drive; the scene does again after %d s without an arrow key, or at Esc", WheelTime))
		}
		w.steer(arrows)
		w.uses.Count("drive")
	}
	return true
}

// steer tells a driven scene which arrow keys are held.
func (w *Wheel) steer(arrows [4]bool) {
	w.Arrows, w.UserDrives, w.steered = arrows, true, w.stage.Player.Demanded()
	way := func(minus, plus bool) (x float64) { // -1, 0 or 1
		if plus {
			x++
		}
		if minus {
			x--
		}
		return x
	}
	x, y := way(arrows[ArrowLeft], arrows[ArrowRight]), way(arrows[ArrowDown], arrows[ArrowUp])
	w.stage.EachPlayer(func(p *Player) { p.DoNamed(scenes.DriveCommand, x, y) })
}

// WheelTime is how long the user keeps the wheel without holding a key, in s of the world.
const WheelTime = 5

// These are values of the parameter now of GiveBack.
const whenIdle, AtOnce = false, true

// GiveBack ends the user's driving, so that the scene drives again. With AtOnce it does so immediately.
// With whenIdle it does so only if no arrow key is held and the user has not driven for WheelTime. It
// reports whether it has ended the driving.
func (w *Wheel) GiveBack(now bool) bool {
	// The tick of the last key may be later than the present tick, because an earlier snapshot was restored.
	idle := float64(w.stage.Player.Demanded()-min(w.steered, w.stage.Player.Demanded())) / w.stage.Player.Rate().Float()
	if !w.UserDrives || w.Arrows != [4]bool{} || w.stage.Shown.Recorded() || !now && idle < WheelTime {
		return false
	}
	w.UserDrives = false
	w.stage.EachPlayer(func(p *Player) { p.DoNamed(scenes.DriveCommand) }) // a command without a direction makes the scene drive
	w.host.Say("the scene drives again")
	return true
}
