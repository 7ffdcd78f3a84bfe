package main

import (
	"fmt"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"
)

// The look of the past: a tint over it and a banner.
var (
	pastTint   = colour{255, 196, 120, 26}
	bannerBack = colour{120, 84, 32, 245}
)

// drawPast draws the tint of the past, and a banner if the picture does not show the present: it shows
// the past, a watched program some time ago, or the end of a replay. The banner may have a button that
// leads back to the present; hud.now is its place.
func (v *picture) drawPast(c *glrender.HUD) {
	v.hud.now = ui.Rect{}
	width, height := v.clear(c)
	text, button := "", ""
	switch {
	case v.session.Stage.Shown.What == play.ShowsPast || v.session.Stage.Shown.What == play.ShowsOpening:
		c.Rect(0, 0, width, height, pastTint)
		text, button = v.session.Travel.Place(v.bannerTick()), "Now"
		if done, ok := v.session.Travel.Progress(); ok {
			text = fmt.Sprintf("%s, on the way: %.0f %% (Esc stops)", v.session.Travel.Place(v.session.Travel.Seeking.To), 100*done)
		}
	case v.session.Stage.Shown.From != nil && v.session.Stage.Shown.From.Url != "" && (!v.session.Follow.On || !v.session.Stage.Shown.Replay().Live):
		if text = v.session.Follow.WatchText(v.bannerTick()); v.session.Stage.Shown.Replay().Live {
			button = "Now"
		}
	case v.session.Stage.Shown.Replay() != nil:
		text = v.session.Travel.ReplayVerdict()
		if done, ok := v.session.Travel.Progress(); ok {
			text = fmt.Sprintf("tick %d, on the way: %.0f %% (Esc stops)", v.session.Travel.Seeking.To, 100*done)
		}
	}
	if text == "" {
		return
	}
	unit := int(c.Unit())
	w := labelWidth(unit, text)
	wide := w + 2*padding
	if button != "" {
		wide += labelWidth(unit, button) + 3*padding
	}
	x, y := (width-wide)/2, float32(margin)
	c.Panel(x, y, wide, bannerTall, 5, bannerBack)
	c.Label(x+padding, y+4, glrender.Regular, textColour, text)
	if button != "" {
		v.hud.now = ui.Rect{X: x + w + 2*padding, Y: y + 3, W: labelWidth(unit, button) + 2*padding, H: bannerTall - 6}
		r := v.hud.now
		c.Panel(r.X, r.Y, r.W, r.H, 4, colour{255, 255, 255, 40})
		c.Label(r.X+padding, y+4, glrender.Regular, textColour, button)
	}
}

const bannerTall = 24

// bannerTick returns the tick for the banner: that of the picture, or of the time bar's knob if the
// panel is open.
func (v *picture) bannerTick() uint64 {
	if v.controls.width(v.surface) > 0 {
		return v.controls.knob()
	}
	return v.session.Stage.View.Tick
}
