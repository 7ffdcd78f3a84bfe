package main

import (
	"time"

	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"
)

// colour is red, green, blue and alpha, as in glrender.
type colour = [4]uint8

var (
	panelColour = colour{12, 16, 22, 200}
	opaque      = colour(ui.Ground)
	textColour  = colour{226, 232, 240, 255}
	dimColour   = colour(ui.Dim)
	frameColour = colour{110, 190, 255, 255}
	stepColour  = colour{255, 178, 92, 255}
	lineColour  = colour{255, 255, 255, 40}
	badColour   = colour{190, 40, 48, 235}
)

// hud is the text over the picture: the figures in the upper left corner, and the message at the bottom.
type hud struct {
	on   bool      // the figures are shown
	hint time.Time // the message says what the user can do until then
	now  ui.Rect   // the place of the button that leads back to the present, units; see drawPast
	lost struct {  // the last answer of isLost
		at int // the value of figures.refreshed at which it was computed
		is bool
	}

	lines []string // of the message at the bottom
}

// Sizes in units of the HUD.
const (
	margin     = 8
	padding    = 8
	panelWidth = 232
	graphTall  = 36
	hudRows    = 11
	hudTall    = (hudRows+1)*glrender.LabelHeight + graphTall + 2*padding + 4
)

func (h *hud) draw(c *glrender.HUD, v *picture) {
	if h.on && !v.controls.crowds(v.surface) {
		h.panel(c, v)
	} else if v.controls.width(v.surface) == 0 && !v.session.Stage.O.Hidden {
		h.standing(c, v)
	}
	h.foot(c, v)
}

// standing shows whether time is paused, scaled or recorded, if neither the panel nor the figures say it.
func (h *hud) standing(c *glrender.HUD, v *picture) {
	t := v.figures.Line()
	add := func(s string) {
		if len(t) > 0 {
			t = t.Str("  ·  ")
		}
		t = t.Str(s)
	}
	if v.session.Travel.Stopped() && !v.session.Travel.ReplayEnded() {
		add("paused")
	} else if v.session.Travel.Playback.Backward {
		add("playing backward")
	}
	if scale := v.session.Follow.Scale(); scale != 1 {
		add("time ×")
		t = t.Short(scale, 4)
	}
	if v.session.Stage.Live().Recording() {
		add("recording")
	}
	if len(t) > 0 {
		c.Panel(margin, margin, labelWidth(int(c.Unit()), t.S())+2*padding, bannerTall, 5, opaque)
		c.Label(margin+padding, margin+4, glrender.Regular, textColour, t.S())
	}
}

// panel draws the figures, with the same names as on the page Figures of the panel.
func (h *hud) panel(c *glrender.HUD, v *picture) {
	const left, wide = float32(margin + padding), panelWidth - 2*padding
	y := float32(margin + padding)
	c.Panel(margin, margin, panelWidth, hudTall, 5, opaque)
	unit := int(c.Unit())
	right := func(col colour, t words.Line) {
		c.Label(left+wide-labelWidth(unit, t.S()), y, glrender.Regular, col, t.S())
		y += glrender.LabelHeight
	}
	line := func(col colour, name string, t words.Line) {
		c.Label(left, y, glrender.Regular, dimColour, name)
		right(col, t)
	}
	p, view, f := v.session.Stage.Player, v.session.Stage.View, &v.figures
	c.Label(left, y, glrender.Medium, textColour, v.session.Stage.Scenes[v.session.Stage.Current].Name)
	t := f.Line()
	if v.controls.width(v.surface) == 0 { // the panel shows the tick too
		if t = t.Str("tick ").Int(int64(view.Tick)); v.session.Travel.Stopped() {
			t = t.Str(", paused")
		} else if v.session.Travel.Playback.Backward {
			t = t.Str(", playing backward")
		}
	}
	right(textColour, t)
	t = f.Line().Str(p.Name)
	if p.Engine != nil {
		t = f.Line().Str(p.Engine.Sync().String())
	}
	line(textColour, "frames", t.Str(", ").Str(view.Smoothing.String()))
	line(frameColour, "frame (longest)", f.Line().Ms(f.FrameMS).Str(" (").Ms(f.WorstMS).Str(")")) // in ¼ s
	t = f.Line().Ms(f.StepMS).Str(" at ").Short(p.Rate().Float(), 6).Str(" Hz")
	if scale := v.session.Follow.Scale(); scale != 1 {
		t = t.Str(" ×").Short(scale, 4)
	}
	line(stepColour, "step", t)
	line(textColour, "picture behind the world", f.Line().Ms(f.Lag*view.Dt*1e3))
	line(textColour, "frames that stood still", f.Line().Int(int64(f.HeldFrames)))
	line(textColour, "time dropped", f.Line().Num(f.Dropped, 3).Str(" s"))
	t = f.Line().Ms(f.Motion.RMS)
	if !f.Motion.Measured {
		t = t.Str(" (estimated)")
	}
	line(textColour, "uneven motion", t)
	t = f.Line().Str("unknown")
	if s := &f.Start; s.Delay > 0 {
		t = f.Line().Num(float64(s.Work)/1e6, 1).Str(" + ").Num(float64(s.Cushion)/1e6, 1).Str(" + ").Num(float64(s.Reserve)/1e6, 1).Str(" ms, missed ").Int(int64(s.Missed))
	}
	line(textColour, "frame to light", t)
	line(textColour, "held behind (spring 45 ms)", v.session.Stage.Drag.Trail.Text(f.Line()))
	line(textColour, "bodies", f.Line().Int(int64(view.Counts.Bodies)).Str(", contacts ").Int(int64(view.Counts.Contacts)))
	line(textColour, "GL calls", f.Line().Int(int64(f.Work.Calls)))

	// The graph's height is two frames at 60 Hz.
	const top = 1000.0 / 30
	y += 4
	c.Rect(left, y+graphTall/2, wide, 1, lineColour)
	c.Graph(left, y, wide, graphTall, f.Last(f.Steps), 0, top, stepColour)
	c.Graph(left, y, wide, graphTall, f.Last(f.Frames), 0, top, frameColour)
}

// foot draws the message at the bottom; see footnote.
func (h *hud) foot(c *glrender.HUD, v *picture) {
	text, col, back := h.footnote(v)
	if text == "" {
		return
	}
	width, height := v.clear(c)
	most := width - 2*(margin+padding)
	if most < 40 {
		return
	}
	unit := int(c.Unit())
	h.lines = ui.Wrap(h.lines[:0], text, most, 0, func(s string) float32 { return labelWidth(unit, s) })
	lines := h.lines
	wide, tall := float32(0), float32(len(lines)*glrender.LabelHeight+padding)
	for _, l := range lines {
		wide = max(wide, labelWidth(unit, l))
	}
	y := height - margin - tall
	c.Panel(margin, y, wide+2*padding, tall, 5, back)
	for i, l := range lines {
		c.Label(margin+padding, y+padding/2+float32(i*glrender.LabelHeight), glrender.Regular, col, l)
	}
}

// The message of the first seconds, and how long it is shown and fades.
const (
	hintText   = "drag a body  ·  " + replayHint
	replayHint = "wheel zooms  ·  F1 shows the keys"
	hintTime   = 12 * time.Second
	fadeTime   = 2 * time.Second
)

// footnote returns the message at the bottom, or "": a failure, a long step, what a key has changed,
// what the user can do, or what the scene shows.
func (h *hud) footnote(v *picture) (text string, col, back colour) {
	now := time.Now()
	switch {
	case v.session.Outcome.Failure != nil:
		return words.Printable(v.session.Outcome.Failure.Error()), textColour, badColour
	case v.session.Outcome.Busy.For >= play.Patience:
		return v.session.Outcome.Busy.String(), textColour, badColour
	case v.notice.shown(now):
		return v.notice.text, textColour, opaque
	case h.isLost(v):
		return "nothing is in sight; " + v.controls.key("fit") + " leads back", textColour, opaque
	case v.help.on:
	case h.on && v.controls.width(v.surface) == 0: // the panel shows the description too
		return v.session.Stage.Scenes[v.session.Stage.Current].Description, textColour, opaque
	case now.Before(h.hint):
		col, back = textColour, opaque
		if left := h.hint.Sub(now); left < fadeTime {
			k := float64(left) / float64(fadeTime)
			col[3], back[3] = uint8(float64(col[3])*k), uint8(float64(back[3])*k)
		}
		if v.session.Stage.Shown.Replay() != nil { // its bodies cannot be dragged
			return replayHint, col, back
		}
		return hintText, col, back
	}
	return "", textColour, opaque
}

func labelWidth(unit int, s string) float32 {
	return glrender.LabelWidth(glrender.Regular, unit, s)
}

// notice is a message that is shown for a while.
type notice struct {
	text  string
	until time.Time
	asks  string // what to do once more, if ask asks for it
}

func (n *notice) shown(now time.Time) bool { return n.text != "" && now.Before(n.until) }

// Say shows a short notice, such as what a key has changed.
func (v *picture) Say(text string) {
	v.notice = notice{text: words.Printable(text), until: time.Now().Add(2 * time.Second)}
}

// Ask warns, and reports whether the user has done the same once more while the warning is shown.
func (v *picture) Ask(by, text string) bool {
	if n := &v.notice; n.asks == by && n.shown(time.Now()) {
		n.asks = ""
		return true
	}
	v.Warn(text)
	v.notice.asks = by
	return false
}

// Warn shows an error, long enough for users who sometimes look away.
func (v *picture) Warn(text string) {
	v.notice = notice{text: words.Printable(text), until: time.Now().Add(20 * time.Second)}
}

// toggleFigures shows or hides the figures.
func (v *picture) toggleFigures() {
	if v.hud.on = !v.hud.on; v.hud.on && v.controls.crowds(v.surface) {
		v.Say("no room for the figures beside the panel: its page Figures has them")
	}
}
