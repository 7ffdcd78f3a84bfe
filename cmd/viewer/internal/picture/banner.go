package picture

import (
	"fmt"
	"strings"

	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"
)

// the tint and the banner of the past
var (
	pastTint   = colour{255, 196, 120, 26}
	bannerBack = colour{120, 84, 32, 245}
	toolBack   = colour{37, 78, 138, 245} // toolBack is the colour of the banner that names the tool.
)

// DrawPast draws a tint over the past, and a banner. The banner says that the picture shows the past, an
// earlier state of a watched program, or the end of a replay. In all other cases the banner names the
// tool, unless the tool is the hand. The banner may have a button, at HUD.Now, that returns to the
// present.
func (v *Picture) DrawPast(c *glrender.HUD) {
	v.HUD.Now = ui.Rect{}
	width, height := v.Clear(c)
	text, button := "", ""
	switch {
	case v.session.Stage.Shown.What == play.ShowsPast || v.session.Stage.Shown.What == play.ShowsOpening:
		c.Rect(0, 0, width, height, pastTint)
		text, button = v.session.Travel.Place(v.BannerTick()), "Now"
		if done, ok := v.session.Travel.Progress(); ok {
			text = fmt.Sprintf("%s, on the way: %.0f %% (Esc stops)", v.session.Travel.Place(v.session.Travel.Seeking.To), 100*done)
		}
	case v.session.Stage.Shown.Source != nil && v.session.Stage.Shown.Source.URL != "" && (!v.session.Follow.On || !v.session.Stage.Shown.Replay().Live):
		if text = v.session.Follow.WatchText(v.BannerTick()); v.session.Stage.Shown.Replay().Live {
			button = "Now"
		}
	case v.session.Stage.Shown.Replay() != nil:
		text = v.session.Travel.ReplayVerdict()
		if done, ok := v.session.Travel.Progress(); ok {
			text = fmt.Sprintf("tick %d, on the way: %.0f %% (Esc stops)", v.session.Travel.Seeking.To, 100*done)
		}
	}
	unit, back := int(c.Unit()), bannerBack
	if text == "" {
		if text = v.Tool(); text == "" {
			return
		}
		if back = toolBack; LabelWidth(unit, text)+2*Padding > width-2*Margin {
			text, _, _ = strings.Cut(text, ":")
		}
	}
	w := LabelWidth(unit, text)
	wide := w + 2*Padding
	if button != "" {
		wide += LabelWidth(unit, button) + 3*Padding
	}
	x, y := (width-wide)/2, float32(Margin)
	c.Panel(x, y, wide, BannerTall, 5, back)
	c.Label(x+Padding, y+4, glrender.Regular, textColour, text)
	if button != "" {
		v.HUD.Now = ui.Rect{X: x + w + 2*Padding, Y: y + 3, W: LabelWidth(unit, button) + 2*Padding, H: BannerTall - 6}
		r := v.HUD.Now
		c.Panel(r.X, r.Y, r.W, r.H, 4, colour{255, 255, 255, 40})
		c.Label(r.X+Padding, y+4, glrender.Regular, textColour, button)
	}
}

const BannerTall = 24

// Tool describes the tool of the left button, and the key that ends the tool. It returns "" if the
// tool is the hand, or if the world cannot be changed.
func (v *Picture) Tool() string {
	t := v.session.Sketcher.Tool
	if t == play.HandTool || v.session.Stage.Shown.Recorded() {
		return ""
	}
	return play.Tools[t].Name + ": " + play.Tools[t].Help + "  ·  " + v.controls.Key("close") + " ends it"
}

// BannerTick returns the tick for the banner and the figures. If the panel is open this is the tick of
// the time bar's knob, and otherwise the user's tick.
func (v *Picture) BannerTick() uint64 {
	if v.controls.Width(v.Surface) > 0 {
		return v.controls.Knob()
	}
	return v.session.Travel.At()
}
