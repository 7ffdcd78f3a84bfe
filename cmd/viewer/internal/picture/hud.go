package picture

import (
	"time"

	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"
)

// colour is red, green, blue and alpha, as in package glrender.
type colour = [4]uint8

var (
	panelColour = colour{12, 16, 22, 200}
	opaque      = colour(ui.Ground)
	textColour  = colour{226, 232, 240, 255}
	dimColour   = colour(ui.Dim)
	FrameColour = colour{110, 190, 255, 255}
	StepColour  = colour{255, 178, 92, 255}
	lineColour  = colour{255, 255, 255, 40}
	BadColour   = colour{190, 40, 48, 235}
)

// HUD is the text over the picture: the figures in the upper left corner, and the message at the bottom.
type HUD struct {
	On   bool      // the figures are shown
	Hint time.Time // Hint is the time until which the message says what the user can do.
	Now  ui.Rect   // Now is the button that returns to the present, in units (see DrawPast).
	lost struct {  // lost is the last result of isLost.
		at int // at is the value of figures.refreshed when the result was computed.
		is bool
	}

	lines []string // lines are the lines of the message at the bottom.
}

// Sizes are in units of the HUD.
const (
	Margin     = 8
	Padding    = 8
	PanelWidth = 232
	graphTall  = 36
	HudRows    = 11
	HudTall    = (HudRows+1)*glrender.LabelHeight + graphTall + 2*Padding + 4
)

func (h *HUD) Draw(c *glrender.HUD, v *Picture) {
	if h.On && !v.controls.Crowds(v.Surface) {
		h.Panel(c, v)
	} else if v.controls.Width(v.Surface) == 0 && !v.session.Stage.Options.Hidden {
		h.Standing(c, v)
	}
	h.drawFootnote(c, v)
}

// Standing shows whether time is paused, scaled or recorded. It shows nothing if the panel or the
// figures already show that.
func (h *HUD) Standing(c *glrender.HUD, v *Picture) {
	t := v.Figures.Line()
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
	if v.session.Stage.Present().Records() {
		add("recording")
	}
	if len(t) > 0 {
		c.Panel(Margin, Margin, LabelWidth(int(c.Unit()), t.S())+2*Padding, BannerTall, 5, opaque)
		c.Label(Margin+Padding, Margin+4, glrender.Regular, textColour, t.S())
	}
}

// Panel draws the figures. They have the same names as on the page Figures of the panel.
func (h *HUD) Panel(c *glrender.HUD, v *Picture) {
	const left, wide = float32(Margin + Padding), PanelWidth - 2*Padding
	y := float32(Margin + Padding)
	c.Panel(Margin, Margin, PanelWidth, HudTall, 5, opaque)
	unit := int(c.Unit())
	right := func(col colour, t words.Line) {
		c.Label(left+wide-LabelWidth(unit, t.S()), y, glrender.Regular, col, t.S())
		y += glrender.LabelHeight
	}
	line := func(col colour, name string, t words.Line) {
		c.Label(left, y, glrender.Regular, dimColour, name)
		right(col, t)
	}
	p, view, f := v.session.Stage.Player, v.session.Stage.View, &v.Figures
	c.Label(left, y, glrender.Medium, textColour, v.session.Stage.Scenes[v.session.Stage.Current].Name)
	t := f.Line()
	if v.controls.Width(v.Surface) == 0 { // the panel also shows the tick
		if t = t.Str("tick ").Int(int64(v.BannerTick())); v.session.Travel.Stopped() {
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
	line(FrameColour, "frame (longest)", f.Line().Ms(f.FrameMS).Str(" (").Ms(f.WorstMS).Str(")")) // the mean and the longest frame of the last quarter of a second
	t = f.Line().Ms(f.StepMS).Str(" at ").Short(p.Rate().Float(), 6).Str(" Hz")
	if scale := v.session.Follow.Scale(); scale != 1 {
		t = t.Str(" ×").Short(scale, 4)
	}
	line(StepColour, "step", t)
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

	// The height of the graph is two frames at 60 Hz.
	const top = 1000.0 / 30
	y += 4
	c.Rect(left, y+graphTall/2, wide, 1, lineColour)
	c.Graph(left, y, wide, graphTall, f.Last(f.StepTimes), 0, top, StepColour)
	c.Graph(left, y, wide, graphTall, f.Last(f.FrameTimes), 0, top, FrameColour)
}

// drawFootnote draws the message at the bottom (see Footnote).
func (h *HUD) drawFootnote(c *glrender.HUD, v *Picture) {
	text, col, back := h.Footnote(v)
	if text == "" {
		return
	}
	width, height := v.Clear(c)
	most := width - 2*(Margin+Padding)
	if most < 40 {
		return
	}
	unit := int(c.Unit())
	h.lines = ui.Wrap(h.lines[:0], text, most, 0, func(s string) float32 { return LabelWidth(unit, s) })
	lines := h.lines
	wide, tall := float32(0), float32(len(lines)*glrender.LabelHeight+Padding)
	for _, l := range lines {
		wide = max(wide, LabelWidth(unit, l))
	}
	y := height - Margin - tall
	c.Panel(Margin, y, wide+2*Padding, tall, 5, back)
	for i, l := range lines {
		c.Label(Margin+Padding, y+Padding/2+float32(i*glrender.LabelHeight), glrender.Regular, col, l)
	}
}

// the message of the first seconds, how long it is shown, and how long it fades
const (
	hintText   = "drag a body  ·  " + ReplayHint
	ReplayHint = "wheel zooms  ·  F1 shows the keys"
	HintTime   = 12 * time.Second
	fadeTime   = 2 * time.Second
)

// Footnote returns the message at the bottom, or "". It is a failure, a long step, the effect of a
// key, a hint, or the scene's description.
func (h *HUD) Footnote(v *Picture) (text string, col, back colour) {
	now := time.Now()
	switch {
	case v.session.Outcome.Failure != nil:
		return words.Printable(v.session.Outcome.Failure.Error()), textColour, BadColour
	case v.session.Outcome.Busy.For >= play.Patience:
		return v.session.Outcome.Busy.String(), textColour, BadColour
	case v.Notice.Shown(now):
		return v.Notice.Text, textColour, opaque
	case h.isLost(v):
		return "nothing is in sight; " + v.controls.Key("fit") + " leads back", textColour, opaque
	case v.Help.On:
	case h.On && v.controls.Width(v.Surface) == 0: // the panel also shows the description
		return v.session.Stage.Scenes[v.session.Stage.Current].Description, textColour, opaque
	case now.Before(h.Hint):
		col, back = textColour, opaque
		if left := h.Hint.Sub(now); left < fadeTime {
			k := float64(left) / float64(fadeTime)
			col[3], back[3] = uint8(float64(col[3])*k), uint8(float64(back[3])*k)
		}
		if v.session.Stage.Shown.Replay() != nil { // the bodies of a replay cannot be dragged
			return ReplayHint, col, back
		}
		return hintText, col, back
	}
	return "", textColour, opaque
}

func LabelWidth(unit int, s string) float32 {
	return glrender.LabelWidth(glrender.Regular, unit, s)
}

// Notice is a message that is shown for some time.
type Notice struct {
	Text  string
	until time.Time
	asks  string // asks is the action that the user must repeat, if the notice is a question of Ask.
}

func (n *Notice) Shown(now time.Time) bool { return n.Text != "" && now.Before(n.until) }

// Say shows a short notice, such as the effect of a key.
func (v *Picture) Say(text string) {
	v.Notice = Notice{Text: words.Printable(text), until: time.Now().Add(2 * time.Second)}
}

// Ask shows a warning. It reports whether the user has repeated the action while the warning is
// shown.
func (v *Picture) Ask(by, text string) bool {
	if n := &v.Notice; n.asks == by && n.Shown(time.Now()) {
		*n = Notice{} // the question is answered
		return true
	}
	v.Warn(text)
	v.Notice.asks = by
	return false
}

// Warn shows an error for a time that is long enough for users who do not always look at the
// screen.
func (v *Picture) Warn(text string) {
	v.Notice = Notice{Text: words.Printable(text), until: time.Now().Add(20 * time.Second)}
}

// ToggleFigures shows or hides the figures.
func (v *Picture) ToggleFigures() {
	if v.HUD.On = !v.HUD.On; v.HUD.On && v.controls.Crowds(v.Surface) {
		v.Say("no room for the figures beside the panel: its page Figures has them")
	}
}

// Unit returns the size of a unit of text and controls in pixels, for a scale of the display.
func Unit(scale float64) int { return glrender.Unit(scale) }

// TextWidth returns the width of a text in units. The parameter unit is the number of pixels of a
// unit.
func TextWidth(face ui.Face, unit int, s string) float32 {
	return glrender.LabelWidth(glrender.Face(face), unit, s)
}
