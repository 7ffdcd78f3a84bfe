package main

import (
	"halfstep/cmd/viewer/internal/play"
)

const panStep = 0.1 // of the picture's height, for one press of an arrow key

// closeOpen is what Esc does: it closes one of the things that are open. It does not quit. While
// the user types into a field, that gets Esc.
func (v *panel) closeOpen() {
	switch {
	case v.menu.open:
		v.menu.open = false
	case v.picture.help.on:
		v.picture.help = help{}
	case v.session.Travel.GiveUpSeek(): // there was one
	case v.session.Stage.Shown.What == play.ShowsPast:
		v.session.Travel.ToPresent()
	case v.session.Wheel.WheelBack(play.AtOnce):
	case v.scenes.search != "":
		v.scenes.search = ""
	case v.session.Sketcher.Tool != play.HandTool:
		v.session.Sketcher.UseTool(play.HandTool)
	case v.session.Inspect.Body != 0:
		v.session.Inspect.Choose(0)
	default:
		v.picture.Say("Q quits")
	}
}
