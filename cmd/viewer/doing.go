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
	case v.picture.help.on:
		v.picture.help = help{}
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
		v.picture.Say("Q quits")
	}
}
