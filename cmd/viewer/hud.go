package main

import (
	"strings"
	"time"

	"halfstep/renderloop/glrender"
)

// colour is red, green, blue and alpha, as in glrender.
type colour = [4]uint8

var (
	panelColour = colour{12, 16, 22, 150}
	textColour  = colour{226, 232, 240, 255}
	dimColour   = colour{140, 152, 168, 255}
	frameColour = colour{110, 190, 255, 255}
	stepColour  = colour{255, 178, 92, 255}
	lineColour  = colour{255, 255, 255, 40}
	badColour   = colour{190, 40, 48, 235}
)

// graphed is the number of frames in the graph.
const graphed = 160

type hud struct {
	on bool

	foots struct { // the message at the bottom, and how it is broken into lines
		text, lines string
		most        int
	}
}

// Sizes in units of the HUD.
const (
	margin     = 8
	padding    = 8
	panelWidth = 44*glrender.GlyphWidth + 2*padding
	graphTall  = 36
	hudTall    = 8*glrender.LineHeight + graphTall + 2*padding + 4
)

func (h *hud) draw(c *glrender.HUD, v *viewer) {
	if h.on && !v.panel.crowds(v.surface) {
		h.panel(c, v)
	}
	h.foot(c, v)
}

func (h *hud) panel(c *glrender.HUD, v *viewer) {
	x, y := float32(margin), float32(margin)
	c.Panel(x, y, panelWidth, hudTall, 5, panelColour)
	x, y = x+padding, y+padding
	line := func(col colour, t text) {
		c.TextBytes(x, y, col, t)
		y += glrender.LineHeight
	}
	p, view, f := v.player, v.view, &v.figures

	line(textColour, v.headline(f.line()))
	t := f.line().str(p.name).str(" loop")
	if p.engine != nil {
		t = f.line().str(p.engine.Sync().String())
	}
	t = t.str("  ").str(view.Smoothing.String()).str("  ").short(p.Rate().Float(), 6).str(" Hz")
	if scale := p.Scale(); scale != 1 {
		t = t.str("  x").short(scale, 4)
	}
	line(dimColour, t)

	line(frameColour, f.line().str("frame ").ms(f.frameMS).str("  max ").ms(f.worstMS).str("  ").str(v.capName))
	t = f.line().str("step  ").ms(f.stepMS).str("  lag ").ms(f.Lag * view.Dt * 1e3)
	if f.gpuMS > 0 {
		t = t.str("  GPU ").ms(f.gpuMS)
	}
	line(stepColour, t)
	line(textColour, f.line().str("tick ").int(int64(view.Tick)).str("  alpha ").num(float64(view.Alpha), 2).str("  steps ").int(int64(view.Steps)))
	line(textColour, f.line().str("held ").int(int64(f.HeldFrames)).str("  dropped ").num(f.Dropped, 3).str(" s"))

	m := &f.Motion
	t = f.line().str("error ").ms(m.RMS).str("  p99 ").ms(m.P99).str("  inferred")
	if m.Measured {
		t = append(t[:len(t)-len("inferred")], "measured"...)
	}
	if m.Input > 0 {
		t = t.str("  input ").num(m.Input, 0).str(" ms")
	}
	line(textColour, t)
	line(textColour, f.line().str("bodies ").int(int64(view.Counts.Bodies)).str("  contacts ").int(int64(view.Counts.Contacts)).str("  GL calls ").int(int64(f.calls)))

	// The graph's height is two frames at 60 Hz.
	const wide, top = panelWidth - 2*padding, 1000.0 / 30
	y += 4
	c.Rect(x, y+graphTall/2, wide, 1, lineColour)
	c.Graph(x, y, wide, graphTall, f.last(&f.steps), 0, top, stepColour)
	c.Graph(x, y, wide, graphTall, f.last(&f.frames), 0, top, frameColour)
}

// headline is the scene and whether it is paused.
func (s *session) headline(t text) text {
	t = t.str(s.scenes[s.current].name)
	if s.player.Paused() {
		t = t.str("  paused")
	}
	return t
}

// foot draws the message at the bottom: a failure, a long step, what a key has
// changed, what the scene shows, or how to get help.
func (h *hud) foot(c *glrender.HUD, v *viewer) {
	text, col, back := h.footnote(v)
	if text == "" {
		return
	}
	width, height := v.clear(c)
	most := int((width - 2*(margin+padding)) / glrender.GlyphWidth)
	if most < 1 {
		return
	}
	text = h.wrapped(text, most)
	w, t := glrender.TextSize(text)
	y := height - margin - t - 2*padding
	c.Panel(margin, y, w+2*padding, t+2*padding, 5, back)
	c.Text(margin+padding, y+padding, col, text)
}

func (h *hud) footnote(v *viewer) (text string, col, back colour) {
	switch {
	case v.failure != nil:
		return printable(v.failure.Error()), textColour, badColour
	case v.busy.For >= patience:
		return v.busy.String(), textColour, badColour
	case v.notice.shown(time.Now()):
		return v.notice.text, textColour, panelColour
	case h.on && !v.help && v.panel.width(v.surface) == 0: // the panel has the same line
		return v.scenes[v.current].description, textColour, panelColour
	case h.on && !v.help && !v.o.Hidden && !v.panel.crowds(v.surface):
		return "F1 help", dimColour, panelColour
	}
	return "", textColour, panelColour
}

// wrapped is wrap, which allocates only when the text or the width changes.
func (h *hud) wrapped(text string, most int) string {
	if h.foots.text != text || h.foots.most != most {
		h.foots.text, h.foots.most, h.foots.lines = text, most, wrap(text, most)
	}
	return h.foots.lines
}

func wrap(text string, most int) string {
	if len(text) <= most {
		return text
	}
	var b strings.Builder
	for len(text) > most {
		n := strings.LastIndexByte(text[:most+1], ' ')
		if n <= 0 {
			n = most
		}
		b.WriteString(text[:n])
		b.WriteByte('\n')
		text = strings.TrimPrefix(text[n:], " ")
	}
	b.WriteString(text)
	return b.String()
}

// notice is a message that is shown for a while.
type notice struct {
	text  string
	until time.Time
}

func (n *notice) shown(now time.Time) bool { return n.text != "" && now.Before(n.until) }

// say shows a short notice, such as what a key has changed.
func (s *session) say(text string) {
	s.notice = notice{printable(text), time.Now().Add(2 * time.Second)}
}

// warn shows an error, long enough for users who sometimes look away.
func (s *session) warn(text string) {
	s.notice = notice{printable(text), time.Now().Add(20 * time.Second)}
}
