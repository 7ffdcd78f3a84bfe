package main

import (
	"fmt"
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
func (v *viewer) drawPast(c *glrender.HUD) {
	v.hud.now = ui.Rect{}
	width, height := v.clear(c)
	text, button := "", ""
	switch {
	case v.stage.shown.what == showsPast || v.stage.shown.what == showsOpening:
		c.Rect(0, 0, width, height, pastTint)
		text, button = v.travel.place(v.bannerTick()), "Now"
		if done, ok := v.travel.progress(); ok {
			text = fmt.Sprintf("%s, on the way: %.0f %% (Esc stops)", v.travel.place(v.travel.seeking.to), 100*done)
		}
	case v.stage.shown.from != nil && v.stage.shown.from.url != "" && (!v.follow.on || !v.stage.shown.replay().Live):
		if text = v.follow.watchText(v.bannerTick()); v.stage.shown.replay().Live {
			button = "Now"
		}
	case v.stage.shown.replay() != nil:
		text = v.travel.replayVerdict()
		if done, ok := v.travel.progress(); ok {
			text = fmt.Sprintf("tick %d, on the way: %.0f %% (Esc stops)", v.travel.seeking.to, 100*done)
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
func (v *viewer) bannerTick() uint64 {
	if v.panel.width(v.surface) > 0 {
		return v.panel.scrub
	}
	return v.stage.view.Tick
}
