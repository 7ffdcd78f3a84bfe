package picture

import (
	"math"

	"halfstep/buffer/phase"
	"halfstep/cmd/viewer/internal/figures"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/internal/timeline"
	"halfstep/internal/timing"
	"halfstep/renderloop/glrender"
)

// TimelineView shows the work of both threads in the last frames. The render thread
// is above, and physics is below. A line joins each step to the first frame that
// shows the step. A histogram of frame times is beside the lanes, and counters are
// below them.
type TimelineView struct {
	On            bool
	frames, steps []timing.Span // the newest frames and steps, from the player
	window        int64         // window is the time that the lanes show, in ns.
}

// spansShown is the number of spans that are read. It is enough for the longest window
// at a high rate.
const spansShown = 128

// Sizes are in units of the HUD.
const (
	lanesWide    = 520
	laneNames    = 56 // left of the lanes
	laneTall     = 22
	laneGap      = 18  // laneGap is the distance between the lanes, for the lines from steps to frames.
	barsWide     = 200 // the histogram
	countersWide = 400 // the least width for the counters beside the histogram; with less the histogram is omitted
	lanesTall    = 2*laneTall + laneGap
	timelineTall = lanesTall + axisTall + 4*glrender.LabelHeight + 3*Padding + Margin // timelineTall is the height of the timeline with four lines of text.
	axisTall     = glrender.LabelHeight
	// footTall is the height for the message at the bottom.
	footTall = glrender.LabelHeight + 2*Padding + Margin
)

// windowFrames is the number of frames in the lanes.
const windowFrames = 12

// Draw draws the lanes of both threads with their axis, the counters below the lanes, and the bars beside
// them.
func (t *TimelineView) Draw(c *glrender.HUD, v *Picture) {
	if !t.On {
		return
	}
	f := &v.Figures
	t.window = int64(min(windowFrames*max(f.Mean, 1), 2000) * 1e6)
	if t.frames == nil {
		t.frames = make([]timing.Span, 0, spansShown)
		t.steps = make([]timing.Span, 0, spansShown)
	}
	t.frames = v.session.Stage.Player.Spans(phase.Render, t.frames[:0])
	t.steps = v.session.Stage.Player.Spans(phase.Physics, t.steps[:0])

	width, height := v.Clear(c)
	tall := float32(timelineTall - Margin)
	wide := min(width-2*Margin, lanesWide+barsWide+3*Padding)
	x, y := float32(Margin), height-Margin-footTall-tall
	if wide < barsWide+4*Padding || y < 0 {
		return
	}
	c.Panel(x, y, wide, tall, 5, panelColour)
	x, y = x+Padding, y+Padding
	inner := wide - 3*Padding - barsWide
	bars := inner >= countersWide
	if !bars {
		inner = wide - 2*Padding
	}
	t.lanes(c, x+laneNames, y, inner-laneNames)
	t.axis(c, x+laneNames, y+lanesTall, inner-laneNames, f)
	c.Label(x, y+3, glrender.Regular, textColour, "render")
	c.Label(x, y+laneTall+laneGap+3, glrender.Regular, textColour, "physics")
	t.counters(c, f, x, y+lanesTall+Padding+axisTall)
	if !bars {
		return
	}
	t.drawBars(c, f, x+inner+Padding, y, barsWide, lanesTall)
	legend(c, x+inner+Padding, y+lanesTall+Padding+2*glrender.LabelHeight, barsWide)
}

// laneColour is the colour of the idle parts of a lane.
var laneColour = colour{255, 255, 255, 18}

// lanes draws the phases of each thread over time, and a line from each step to the
// frame that first shows the step.
func (t *TimelineView) lanes(c *glrender.HUD, x, y, wide float32) {
	below := y + laneTall + laneGap
	c.Rect(x, y, wide, laneTall, laneColour)
	c.Rect(x, below, wide, laneTall, laneColour)
	if len(t.frames) == 0 || t.window <= 0 {
		return
	}
	s := TimeScale{t.frames[len(t.frames)-1].End, t.window, x, wide}
	for i := range t.frames {
		s.span(c, &t.frames[i], y)
	}
	for i := range t.steps {
		s.span(c, &t.steps[i], below)
	}
	for i := range t.frames {
		f := &t.frames[i]
		if !f.Fresh { // the frame shows the same step as the frame before
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
}

// TimeScale converts a time to a position on a lane. The lane shows `window` ns. Its right end is the
// time `end`, in ns.
type TimeScale struct {
	end, window int64
	x, wide     float32
}

// at returns the position of a time. A time outside the lane gets the position of
// the lane's end.
func (s TimeScale) at(ns int64) float32 {
	k := 1 - float32(s.end-ns)/float32(s.window)
	return s.x + s.wide*min(max(k, 0), 1)
}

// span draws a step or a frame. It draws the total times of the phases, one after
// the other, and then the rest of the time.
func (s TimeScale) span(c *glrender.HUD, p *timing.Span, y float32) {
	if p.End <= s.end-s.window || p.Start >= s.end {
		return
	}
	for part := range timeline.Parts(p) {
		if a, b := s.at(part.From), s.at(part.From+part.Took); b > a && part.Stage == timing.NoStage {
			c.Rect(a, y+2, b-a, laneTall-4, timeline.Colour(part.Phase))
		}
	}
	if a := s.at(p.Start); a > s.x {
		c.Rect(a, y, 1, laneTall, textColour)
	}
}

// axis draws marks below the lanes at round times before the present. The present is
// at the right end.
func (t *TimelineView) axis(c *glrender.HUD, x, y, wide float32, f *figures.Figures) {
	if t.window <= 0 {
		return
	}
	every := timeline.Round(float64(t.window) / 1e6 * 100 / float64(wide))
	for ms := 0.0; ms <= float64(t.window)/1e6; ms += every {
		at := x + wide*(1-float32(ms*1e6/float64(t.window)))
		c.Rect(at, y, 1, 4, dimColour)
		b := f.Line().Str("now")
		if ms > 0 {
			b = f.Line().Str("-").Short(ms, -1).Str(" ms")
		}
		w := LabelWidth(int(c.Unit()), b.S())
		if left := min(at-w/2, x+wide-w); left >= x {
			c.Label(left, y+3, glrender.Regular, dimColour, b.S())
		}
	}
}

// legendPhases are the phases that usually take time, by thread.
var legendPhases = [...]phase.Phase{phase.Draw, phase.Swap, phase.Upload, phase.HUD, phase.Step, phase.Contacts, phase.Capture, phase.Commands}

// legend shows the colours of legendPhases.
func legend(c *glrender.HUD, x, y, wide float32) {
	const columns = 3
	for i, p := range legendPhases {
		cx := x + float32(i%columns)*wide/columns
		cy := y + float32(i/columns*glrender.LabelHeight)
		c.Panel(cx, cy+4, 7, 7, 2, timeline.Colour(p))
		c.Label(cx+10, cy, glrender.Regular, dimColour, p.String())
	}
}

// counters writes four lines: repeated frames, backlog, garbage collections, and
// allocations.
func (t *TimelineView) counters(c *glrender.HUD, f *figures.Figures, x, y float32) {
	line := func(t words.Line) {
		c.Label(x, y, glrender.Regular, textColour, t.S())
		y += glrender.LabelHeight
	}
	r := &f.Runtime
	line(f.Line().Str("frames that stood still ").Int(int64(f.HeldFrames)).Str("  steps that waited ").Int(int64(f.WaitedSteps)).Str(" of ").Int(int64(f.Tick)))
	line(f.Line().Str("backlog ").Int(int64(f.Backlog)).Str(" (max ").Int(int64(f.MaxBacklog)).Str(")  dropped ").Num(f.Dropped, 3).Str(" s"))
	line(f.Line().Str("collections ").Int(int64(r.Cycles)).Str("  pauses ").Int(int64(r.Pauses)).Str(", longest ").Ms(r.Longest).Str(", total ").Ms(r.Paused))
	line(f.Line().Str("allocations ").Num(r.PerStep, 0).Str(" a step, ").Num(r.BytesPerStep/1024, 1).Str(" KiB"))
}

// drawBars draws the histogram of frame times. The heights are logarithmic, so that
// a single late frame is visible.
func (t *TimelineView) drawBars(c *glrender.HUD, f *figures.Figures, x, y, wide, tall float32) {
	frames := min(f.FrameTimes.N, figures.TimesKept)
	c.Rect(x, y, wide, tall, laneColour)
	c.Bars(x, y, wide, tall, f.Bars[:], float32(math.Log2(1+float64(max(frames, 1)))), FrameColour)
	for _, p := range [...]struct {
		ms  float64
		col colour
	}{{f.P50, dimColour}, {f.P99, StepColour}, {f.P999, BadColour}} {
		at := x + wide*float32(min(p.ms/(figures.BarCount*figures.BarWidth), 1))
		c.Rect(at, y, 1, tall, p.col)
	}
	digits := func(ms float64) int {
		if ms < 100 {
			return 1
		}
		return 0
	}
	y += tall + Padding
	c.Label(x, y, glrender.Regular, FrameColour, f.Line().Str("p50 ").Num(f.P50, digits(f.P50)).Str("  p99 ").Num(f.P99, digits(f.P99)).Str("  p99.9 ").Num(f.P999, digits(f.P999)).S())
	c.Label(x, y+glrender.LabelHeight, glrender.Regular, dimColour, f.Line().Str("ms, 0 to 50, last ").Int(int64(frames)).Str(" frames").S())
}
