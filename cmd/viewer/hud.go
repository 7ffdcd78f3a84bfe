package main

import (
	"strconv"
	"strings"
	"time"

	"halfstep/renderloop/glrender"
	"halfstep/renderloop/present"
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

// graphed is how many frames the graph shows.
const graphed = 160

// refresh is how often displayed times change. Nobody can read them faster.
const refresh = 250 * time.Millisecond

// hud shows metrics of the run in a corner.
type hud struct {
	on    bool
	calls int // GL calls of this frame

	frames, steps [graphed]float32 // ms, rings
	next          int

	sum, longest     time.Duration
	count            int
	frameMS, worstMS float64
	stepMS, gpuMS    float64
	text             []byte

	foots struct { // the message at the bottom, and how it is broken into lines
		text, lines string
		most        int
	}
}

func (h *hud) reset() { *h = hud{on: h.on, text: h.text} }

// frame adds the time of the last frame, from present to present.
func (h *hud) frame(d time.Duration) {
	h.frames[h.next] = float32(d.Seconds() * 1e3)
	h.next = (h.next + 1) % graphed
	h.sum += d
	h.count++
	h.longest = max(h.longest, d)
	if h.sum >= refresh || h.frameMS == 0 {
		h.frameMS = h.sum.Seconds() * 1e3 / float64(h.count)
		h.worstMS = h.longest.Seconds() * 1e3
		h.sum, h.count, h.longest = 0, 0, 0
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

// draw draws the metrics in the top left corner and a message at the bottom.
func (h *hud) draw(c *glrender.HUD, v *viewer) {
	h.steps[(h.next+graphed-1)%graphed] = float32(v.view.StepNanos) / 1e6
	if h.sum == 0 || h.stepMS == 0 {
		h.stepMS = float64(v.view.StepNanos) / 1e6
	}
	if h.on && !v.panel.crowds(v.surface) {
		h.panel(c, v)
	}
	h.foot(c, v)
}

func (h *hud) panel(c *glrender.HUD, v *viewer) {
	x, y := float32(margin), float32(margin)
	c.Panel(x, y, panelWidth, hudTall, 5, panelColour)
	x, y = x+padding, y+padding
	line := func(col colour, b []byte) {
		c.TextBytes(x, y, col, b)
		h.text = b
		y += glrender.LineHeight
	}
	e, view, m := v.player, v.view, v.player.Metrics()

	b := appendTitle(h.text[:0], v)
	line(textColour, b)

	if e.name != "" {
		b = append(append(h.text[:0], e.name...), " loop"...)
	} else {
		b = append(h.text[:0], e.engine.Sync().String()...)
	}
	b = append(append(b, "  "...), view.Smoothing.String()...)
	b = append(b, "  "...)
	r := e.Rate()
	b = strconv.AppendFloat(b, r.Float(), 'g', 6, 64)
	b = append(b, " Hz"...)
	if scale := e.Scale(); scale != 1 {
		b = append(b, "  x"...)
		b = strconv.AppendFloat(b, scale, 'g', 4, 64)
	}
	line(dimColour, b)

	b = append(h.text[:0], "frame "...)
	b = appendMS(b, h.frameMS)
	b = append(b, "  max "...)
	b = appendMS(b, h.worstMS)
	b = append(b, "  "...)
	b = append(b, v.capName...)
	line(frameColour, b)

	b = append(h.text[:0], "step  "...)
	b = appendMS(b, h.stepMS)
	b = append(b, "  lag "...)
	b = appendMS(b, m.Lag*view.Dt*1e3)
	if h.gpuMS > 0 {
		b = append(b, "  GPU "...)
		b = appendMS(b, h.gpuMS)
	}
	line(stepColour, b)

	b = append(h.text[:0], "tick "...)
	b = strconv.AppendUint(b, view.Tick, 10)
	b = append(b, "  alpha "...)
	b = strconv.AppendFloat(b, float64(view.Alpha), 'f', 2, 64)
	b = append(b, "  steps "...)
	b = strconv.AppendInt(b, int64(view.Demanded), 10)
	line(textColour, b)

	b = append(h.text[:0], "held "...)
	b = strconv.AppendUint(b, m.HeldFrames, 10)
	b = append(b, "  dropped "...)
	b = strconv.AppendFloat(b, e.Ledger().Dropped(), 'f', 3, 64)
	b = append(b, " s"...)
	line(textColour, b)

	line(textColour, appendMotion(h.text[:0], m.Motion))

	b = append(h.text[:0], "bodies "...)
	b = strconv.AppendInt(b, int64(view.Counts.Bodies), 10)
	b = append(b, "  contacts "...)
	b = strconv.AppendInt(b, int64(view.Counts.Contacts), 10)
	b = append(b, "  GL calls "...)
	b = strconv.AppendInt(b, int64(h.calls), 10)
	line(textColour, b)

	h.graph(c, x, y+4)
}

// appendMotion writes the animation error and the input latency.
func appendMotion(b []byte, m present.Figures) []byte {
	b = append(b, "error "...)
	b = appendMS(b, m.RMS)
	b = append(b, "  p99 "...)
	b = appendMS(b, m.P99)
	if m.Measured {
		b = append(b, "  measured"...)
	} else {
		b = append(b, "  inferred"...)
	}
	if m.Input > 0 {
		b = append(b, "  input "...)
		b = strconv.AppendFloat(b, m.Input, 'f', 0, 64)
		b = append(b, " ms"...)
	}
	return b
}

// appendTitle writes the scene and whether it is paused.
func appendTitle(b []byte, v *viewer) []byte {
	b = append(b, v.scenes[v.current].name...)
	if v.player.Paused() {
		b = append(b, "  paused"...)
	}
	return b
}

// graph shows frame and step times. Its height is two frames at 60 Hz.
func (h *hud) graph(c *glrender.HUD, x, y float32) {
	const wide, top = panelWidth - 2*padding, 1000.0 / 30
	c.Rect(x, y+graphTall/2, wide, 1, lineColour)
	c.Graph(x, y, wide, graphTall, h.steps[:], h.next, top, stepColour)
	c.Graph(x, y, wide, graphTall, h.frames[:], h.next, top, frameColour)
}

// appendMS writes milliseconds in a width that hardly changes.
func appendMS(b []byte, ms float64) []byte {
	switch {
	case ms < 10:
		b = strconv.AppendFloat(b, ms, 'f', 2, 64)
	case ms < 100:
		b = strconv.AppendFloat(b, ms, 'f', 1, 64)
	default:
		b = strconv.AppendFloat(b, ms, 'f', 0, 64)
	}
	return append(b, " ms"...)
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

// wrap breaks a line into lines of at most that many characters.
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
