package main

const panStep = 0.1 // of the picture's height, for one press of an arrow key

// closeOpen is what Esc does: it closes one of the things that are open. It does not quit. While
// the user types into a field, that gets Esc.
func (v *viewer) closeOpen() {
	switch {
	case v.panel.menu.open:
		v.panel.menu.open = false
	case v.help.on:
		v.help = help{}
	case v.travel.giveUpSeek(): // there was one
	case v.stage.shown.what == showsPast:
		v.travel.toPresent()
	case v.wheel.wheelBack(atOnce):
	case v.panel.search != "":
		v.panel.search = ""
	case v.sketcher.tool != handTool:
		v.sketcher.useTool(handTool)
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

func (v *viewer) toggleFollow() {
	at := v.camera.world(v.half())
	b, ok := v.stage.under().player.pick(at)
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
