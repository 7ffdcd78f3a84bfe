package panel

import (
	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/internal/play"
)

const panStep = 0.1 // panStep is how far one press of an arrow key moves the view, as a fraction of the picture's height.

// closeOpen is the action of Esc. It closes one of the open things, and never quits. While the
// user types into a field, the field gets Esc instead.
func (v *Panel) closeOpen() {
	switch {
	case v.Menu.Open:
		v.Menu.Open = false
	case v.picture.Help.On:
		v.picture.Help = picture.Help{}
	case v.session.Travel.GiveUpSeek(): // there was one
	case v.session.Stage.Shown.What == play.ShowsPast:
		v.session.Travel.ToPresent()
	case v.session.Wheel.GiveBack(play.AtOnce):
	case v.Scenes.Search != "":
		v.Scenes.Search = ""
	case v.session.Sketcher.Tool != play.HandTool:
		v.session.Sketcher.UseTool(play.HandTool)
	case v.session.Inspect.Body != 0:
		v.session.Inspect.Choose(0)
	default:
		v.picture.Say("Q quits")
	}
}
