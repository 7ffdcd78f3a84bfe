package main

import (
	"time"

	"halfstep/buffer/phase"
	"halfstep/renderloop/glrender"
)

// timeline shows what both threads did in the last frames: the render thread
// above, physics below. A line joins a step and the first frame that shows it.
// Beside it are a histogram of frame times, and counters.
type timeline struct {
	on      bool
	frames  []phase.Span
	steps   []phase.Span
	times   frameTimes
	runtime runtimeMetrics
	since   time.Duration // since the metrics were read
	window  int64         // ns that the lanes show
	text    []byte
}

// spansShown is enough for the longest window at a high rate.
const spansShown = 128

func (t *timeline) reset() {
	*t = timeline{on: t.on, frames: t.frames, steps: t.steps, text: t.text}
	t.runtime.reset()
}

// frame adds the time of the last frame, from present to present.
func (t *timeline) frame(d time.Duration) {
	t.times.add(d)
	t.since += d
}

// Sizes in units of the HUD.
const (
	lanesWide = 520
	laneTall  = 22
	laneGap   = 18 // where the lines between the lanes are
	barsWide  = 200
	lanesTall = 2*laneTall + laneGap
	axisTall  = glrender.LineHeight
	// The message at the bottom stays readable.
	footTall = glrender.LineHeight + 2*padding + margin
)

// windowFrames is how many frames the lanes show.
const windowFrames = 12

// draw draws the panel near the bottom.
func (t *timeline) draw(c *glrender.HUD, v *viewer) {
	if t.times.n == 0 || t.since >= refresh {
		t.since = 0
		t.times.sort()
		t.runtime.read(v.player.View().Tick)
		mean := max(t.times.mean, 1)
		t.window = int64(min(windowFrames*mean, 2000) * 1e6)
	}
	if !t.on {
		return
	}
	if t.frames == nil {
		t.frames = make([]phase.Span, 0, spansShown)
		t.steps = make([]phase.Span, 0, spansShown)
	}
	t.frames = v.player.Spans(phase.Render, t.frames[:0])
	t.steps = v.player.Spans(phase.Physics, t.steps[:0])

	width, height := v.clear(c)
	const texts = 4
	tall := float32(lanesTall + axisTall + texts*glrender.LineHeight + 3*padding)
	wide := min(width-2*margin, lanesWide+barsWide+3*padding)
	x, y := float32(margin), height-margin-footTall-tall
	if wide < barsWide+4*padding || y < 0 {
		return
	}
	c.Panel(x, y, wide, tall, 5, panelColour)
	x, y = x+padding, y+padding
	inner := wide - 3*padding - barsWide
	t.lanes(c, x, y, inner)
	t.bars(c, x+inner+padding, y, barsWide, lanesTall)
	t.axis(c, x, y+lanesTall, inner)
	t.counters(c, x, y+lanesTall+padding+axisTall, v)
	t.legend(c, x+inner+padding, y+lanesTall+padding+2*glrender.LineHeight, barsWide)
}

// phaseColours are the colours of the phases, by thread and slot.
var phaseColours = [2][7]colour{
	phase.Physics: {
		{90, 90, 96, 255},    // other
		{214, 120, 190, 255}, // commands
		{120, 200, 120, 255}, // controllers
		{255, 178, 92, 255},  // step
		{236, 112, 80, 255},  // contacts
		{240, 220, 110, 255}, // capture
		{250, 250, 210, 255}, // publish
	},
	phase.Render: {
		{90, 90, 96, 255},    // other
		{120, 230, 210, 255}, // acquire
		{214, 120, 190, 255}, // events
		{150, 150, 255, 255}, // upload
		{110, 190, 255, 255}, // draw
		{150, 210, 130, 255}, // hud
		{60, 100, 190, 255},  // swap
	},
}

// laneColour is the colour of a lane where nothing happens.
var laneColour = colour{255, 255, 255, 18}

// lanes draws both threads. The right edge is the end of the newest frame.
func (t *timeline) lanes(c *glrender.HUD, x, y, wide float32) {
	below := y + laneTall + laneGap
	c.Rect(x, y, wide, laneTall, laneColour)
	c.Rect(x, below, wide, laneTall, laneColour)
	if len(t.frames) == 0 || t.window <= 0 {
		return
	}
	s := timeScale{t.frames[len(t.frames)-1].End, t.window, x, wide}
	for i := range t.frames {
		s.span(c, &t.frames[i], y)
	}
	for i := range t.steps {
		s.span(c, &t.steps[i], below)
	}
	for i := range t.frames {
		f := &t.frames[i]
		if !f.Fresh {
			continue
		}
		for j := len(t.steps) - 1; j >= 0; j-- {
			p := &t.steps[j]
			if p.Number != f.Tick {
				continue
			}
			if from, to := s.at(p.End), s.at(f.Start); from > x && to > x {
				c.Line(from, below, to, y+laneTall, 1, textColour)
			}
			break
		}
	}
	c.Text(x+2, y+2, textColour, "render")
	c.Text(x+2, below+2, textColour, "physics")
}

// timeScale maps times to positions on a lane.
type timeScale struct {
	end, window int64
	x, wide     float32
}

// at is the position of a time, limited to the lane.
func (s timeScale) at(ns int64) float32 {
	k := 1 - float32(s.end-ns)/float32(s.window)
	return s.x + s.wide*min(max(k, 0), 1)
}

// span draws a step or a frame: the total time of each phase, one after the
// other, and then other time.
func (s timeScale) span(c *glrender.HUD, p *phase.Span, y float32) {
	if p.End <= s.end-s.window || p.Start >= s.end {
		return
	}
	colours := &phaseColours[p.Thread]
	from := p.Start
	for i := range p.Spent {
		slot := (i + 1) % len(p.Spent) // other comes last
		spent := p.Spent[slot]
		if slot == 0 {
			spent -= p.PlannedSleep
		}
		if spent <= 0 {
			continue
		}
		a, b := s.at(from), s.at(from+spent)
		from += spent
		if b > a {
			c.Rect(a, y+2, b-a, laneTall-4, colours[slot])
		}
	}
	if a := s.at(p.Start); a > s.x {
		c.Rect(a, y, 1, laneTall, textColour)
	}
}
