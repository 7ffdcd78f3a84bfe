package main

import (
	"strings"

	"halfstep/renderloop/glrender"
	"halfstep/world"
)

var dividerColour = colour{255, 255, 255, 120}

// label draws the line between the halves and, beside it, their settings.
func (v *viewer) label(c *glrender.HUD) {
	if v.right == nil {
		return
	}
	_, height := c.Size()
	c.Rect(float32(v.half().w)/c.Unit()-.5, 0, 1, height, dividerColour)
	if !v.hud.on {
		return
	}
	for _, t := range v.tags() {
		c.Panel(t.x, t.y, t.w, t.h, 5, panelColour)
		c.Text(t.x+padding, t.y+padding, textColour, t.text)
	}
}

// tag is a label and where it is drawn, in units of the HUD.
type tag struct {
	text       string
	x, y, w, h float32
}

// tags are the labels of the left and the right half, beside the line between them.
// If one of them is too wide for its half, both have a line for each thing they say.
func (v *viewer) tags() [2]tag {
	unit := float32(glrender.Unit(v.surface.scale))
	middle, width := float32(v.half().w)/unit, float32(v.surface.w-v.panel.width(v.surface))/unit
	left, right := v.labels()
	wl, _ := glrender.TextSize(left)
	wr, _ := glrender.TextSize(right)
	if max(wl, wr) > min(middle, width-middle)-2*(margin+padding) {
		left, right = strings.ReplaceAll(left, "  ", "\n"), strings.ReplaceAll(right, "  ", "\n")
	}
	tags := [2]tag{{text: left}, {text: right}}
	for i := range tags {
		w, h := glrender.TextSize(tags[i].text)
		tags[i].w, tags[i].h = w+2*padding, h+2*padding
	}
	tags[0].x, tags[1].x = middle-margin-tags[0].w, middle+margin
	y := float32(margin)
	if tags[0].x < panelWidth+2*margin && !v.panel.crowds(v.surface) {
		y += hudTall + margin // below the metrics
	}
	tags[0].y, tags[1].y = y, y
	return tags
}

// labels say how each half runs, and how evenly it moves.
func (v *viewer) labels() (left, right string) {
	o := v.right
	left = halfLabel(v.player, &v.settings, &o.settings)
	right = halfLabel(o.player, &o.settings, &v.settings)
	if d, ok := v.apart(); ok {
		right += "  " + v.tracked[0].label + string(v.figures.line().str(" off ").length(d))
	}
	return left, right
}

// halfLabel names the loop and the smoothing mode of a half, what else differs from the
// other half, and the animation error once there is one.
func halfLabel(e *player, s, other *settings) (label string) {
	defer func() {
		if m := e.Metrics().Motion; m.Frames > 1 {
			label += "  error " + string(text(nil).num(m.RMS, 2)) + " ms"
		}
	}()
	stepper, _ := world.ParseStepper(s.stepper) // FastStep for ""
	if o, _ := world.ParseStepper(other.stepper); o != stepper {
		label = stepper.String() + "  "
	}
	smoothing := e.View().Smoothing.String()
	if e.name != "" {
		return label + e.name + "  " + smoothing
	}
	label += e.engine.Sync().String() + "  " + smoothing
	switch {
	case s.pacing:
		label += "  paced"
	case other.pacing && other.loop == "":
		label += "  not paced"
	}
	return label
}
