package main

import (
	"halfstep/cmd/viewer/internal/play"
)

const panStep = 0.1 // of the picture's height, for one press of an arrow key

// closeOpen is what Esc does: it closes one of the things that are open. It does not quit. While
// the user types into a field, that gets Esc.
func (v *viewer) closeOpen() {
	switch {
	case v.panel.menu.open:
		v.panel.menu.open = false
	case v.help.on:
		v.help = help{}
	case v.Travel.GiveUpSeek(): // there was one
	case v.Stage.Shown.What == play.ShowsPast:
		v.Travel.ToPresent()
	case v.Wheel.WheelBack(play.AtOnce):
	case v.panel.search != "":
		v.panel.search = ""
	case v.Sketcher.Tool != play.HandTool:
		v.Sketcher.UseTool(play.HandTool)
	case v.Inspect.Body != 0:
		v.Inspect.Choose(0)
	default:
		v.Say("Q quits")
	}
}

// toggleFigures shows or hides the figures.
func (v *viewer) toggleFigures() {
	if v.hud.on = !v.hud.on; v.hud.on && v.panel.crowds(v.surface) {
		v.Say("no room for the figures beside the panel: its page Figures has them")
	}
}

func (v *viewer) toggleFollow() {
	at := v.camera.world(v.half())
	b, ok := v.Stage.Under().Player.Pick(at)
	switch {
	case ok && b != v.camera.follow:
		v.camera.after(b)
		v.Say("following")
	case v.camera.follow != 0:
		v.camera.follow = 0
		v.Say("no longer following")
	default:
		v.Say("no body under the cursor to follow")
	}
}
