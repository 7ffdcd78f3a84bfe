package panel

import (
	"halfstep/buffer/phase"
	"halfstep/cmd/viewer/internal/figures"
	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/ui"
	"halfstep/internal/timeline"
)

// figuresPane is the page Figures.
type figuresPane struct {
	panel   *Panel
	session *play.Session
	picture *picture.Picture
}

// layFigures lays out the page Figures of the panel, which shows the measurements of the run. Texts
// are made in Figures.Line(), a buffer that the next line overwrites, so that nothing is allocated.
func (v *figuresPane) layFigures(c *ui.Context, area ui.Rect) {
	c.BeginScroll(&v.panel.scroll[FiguresPage], area)
	v.counts(c)
	c.Space(6)
	v.phaseRows(c, phase.Render, "Frame")
	c.Space(6)
	v.phaseRows(c, phase.Physics, "Step")
	c.Space(6)
	v.ledgerBar(c)
	c.Space(6)
	v.smoothness(c)
	c.Space(6)
	c.Heading(c.Next(20), v.picture.Figures.Line().Str("Longest of the last ").Int(int64(v.picture.Figures.Phases.Counted[phase.Render])).Str(" frames").S())
	v.slowest(c)
	c.EndScroll()
}

// phaseRows lays out a table with a row for each phase of a thread. A row has the time of the phase
// in the last frame or step, and its mean and maximum. The title tells over how many frames or
// steps these are computed.
func (v *figuresPane) phaseRows(c *ui.Context, thread phase.Thread, title string) {
	head := c.Next(20)
	if c.Sees(head) {
		line := head
		for _, name := range [...]string{"max", "mean", "now"} {
			c.Print(line.Right(48), ui.Plain, ui.End, ui.Faint, name)
		}
		t := v.picture.Figures.Line().Str(title).Str(", ms, last ").Int(int64(v.picture.Figures.Phases.Counted[thread]))
		c.Print(line, ui.Strong, ui.Start, ui.Dim, t.S())
	}
	rows := &v.picture.Figures.Phases.Rows[thread]
	for k := 1; k < phase.PerThread; k++ {
		v.phaseRow(c, thread, k, thread.Phase(k).String(), ui.Dim, rows[k])
	}
	v.phaseRow(c, thread, 0, phase.Other.String(), ui.Dim, rows[0]) // phase 0 of either thread is Other
	v.phaseRow(c, thread, allPhases, "all", ui.Ink, rows[phase.PerThread])
}

// allPhases means the sum of a thread's phases.
const allPhases = -1

// phaseRow lays out the row of phase k, or of allPhases. A phase has a square in the colour that it
// has in the timeline.
func (v *figuresPane) phaseRow(c *ui.Context, thread phase.Thread, k int, name string, col ui.Colour, r figures.PhaseRow) {
	line := c.Next(ui.LineHeight)
	if !c.Sees(line) {
		return
	}
	c.Area(name, line)
	c.Tip(words.Plain[name], noKey)
	if k != allPhases {
		box := line.Left(14)
		c.Box(ui.Rect{X: box.X + 1, Y: box.Y + 4, W: 8, H: 8}, 2, timeline.Colour(thread.Phase(k)))
	}
	for _, ns := range [...]int64{r.Most, r.Mean, r.Now} {
		c.Print(line.Right(48), ui.Plain, ui.End, col, v.picture.Figures.Line().Num(float64(ns)/1e6, 2).S())
	}
	c.Print(line, ui.Plain, ui.Start, col, name)
}

// counts draws two curves: the frame times and the step times of the last frames. It also writes
// the numbers of bodies, contacts, joints, repeated frames and GL calls.
func (v *figuresPane) counts(c *ui.Context) {
	const tall = 44
	f := &v.picture.Figures
	if r := c.Next(tall + 4); c.Sees(r) {
		r.H = tall
		c.Area("times", r)
		c.Tip("frames are blue, steps orange; the top is 33 ms", noKey)
		c.Box(r, 3, ui.Edge)
		r.Y, r.H = r.Y+2, r.H-4
		graph := func(values []float32, col ui.Colour) {
			const top = 1000.0 / 30 // the value at the upper edge, in ms
			step := r.W / float32(len(values)-1)
			at := func(i int) float32 { return r.Y + r.H*(1-min(values[i]/top, 1)) }
			for i := 1; i < len(values); i++ {
				c.Line(r.X+float32(i-1)*step, at(i-1), r.X+float32(i)*step, at(i), 1, col)
			}
		}
		c.Box(ui.Rect{X: r.X, Y: r.Y + r.H/2, W: r.W, H: 1}, 0, ui.Edge)
		graph(f.Last(f.StepTimes), ui.Colour(picture.StepColour))
		graph(f.Last(f.FrameTimes), ui.Colour(picture.FrameColour))
	}
	// the function two writes two numbers in one row
	two := func(name string, a int64, and string, b int64) {
		c.Pair(c.Next(ui.LineHeight), name, f.Line().Int(a).Str(and).Str(" ").Int(b).S())
	}
	n := v.session.Stage.View.Counts
	two("bodies", int64(n.Bodies), ", awake", int64(n.Awake))
	two("contacts", int64(n.Contacts), ", joints", int64(n.Joints))
	c.Pair(c.Next(ui.LineHeight), "frames that stood still", f.Line().Int(int64(f.HeldFrames)).S())
	c.Pair(c.Next(ui.LineHeight), "GL calls", f.Line().Int(int64(f.Work.Calls)).S())
}

// ledgerBar draws the parts of the clock's time in the engine's ledger: one bar, and below it the
// seconds of each part.
func (v *figuresPane) ledgerBar(c *ui.Context) {
	c.Heading(c.Next(20), "Time")
	l := v.session.Stage.Player.Ledger()
	parts := [...]struct {
		name string
		s    float64
		col  ui.Colour
	}{
		{"simulated", l.Simulated(), ui.Accent},
		{"left for the next step", l.Residual(), ui.Warn},
		{"paused or ended", l.Paused(), ui.Faint},
		{"dropped", l.Dropped(), ui.Bad},
	}
	if bar := c.Next(14); c.Sees(bar) {
		bar.H = 8
		total := max(l.Scaled()+l.Stepped(), 1e-9) // single steps are simulated as well
		c.Box(bar, 2, ui.Edge)
		x := bar.X
		for _, p := range parts {
			w := bar.W * float32(min(max(p.s/total, 0), 1))
			if p.s > 0 {
				c.Box(ui.Rect{X: x, Y: bar.Y, W: max(w, 1), H: bar.H}, 0, p.col)
			}
			x += w
		}
	}
	for _, p := range parts {
		line := c.Next(ui.LineHeight)
		if !c.Sees(line) {
			continue
		}
		box := line.Left(14)
		c.Box(ui.Rect{X: box.X + 1, Y: box.Y + 4, W: 8, H: 8}, 2, p.col)
		c.Pair(line, p.name, v.picture.Figures.Line().Num(p.s, 3).Str(" s").S())
	}
}

// smoothness shows the animation error. If two runs are compared, it shows the error of both
// halves, and the distance between the positions of the first tracked body in the halves.
func (v *figuresPane) smoothness(c *ui.Context) {
	c.Heading(c.Next(20), "Uneven motion")
	pair := func(name string, t words.Line) { c.Pair(c.Next(ui.LineHeight), name, t.S()) }
	if r := c.Next(ui.LineHeight); c.Sees(r) {
		c.Print(r, ui.Plain, ui.Start, ui.Dim, "how early or late moving bodies are shown")
	}
	f := &v.picture.Figures
	if v.session.Stage.Right == nil {
		pair("of the last frames", f.Line().Num(f.Motion.RMS, 2).Str(" ms"))
		return
	}
	pair("left half", f.Line().Num(f.Motion.RMS, 2).Str(" ms"))
	pair("right half", f.Line().Num(v.session.Stage.Right.Player.Metrics().Motion.RMS, 2).Str(" ms"))
	if d, ok := v.session.Sampler.Apart(); ok {
		pair("halves apart, "+v.session.Sampler.Tracked[0].Label, f.Line().Apart(d))
	}
}

// slowest shows which phase took the most time in the longest of the last frames. It also shows the
// report of -hitch about the last late frame or step.
func (v *figuresPane) slowest(c *ui.Context) {
	if w := &v.picture.Figures.Phases.Worst; w.End > 0 {
		longest := w.Longest()
		t := v.picture.Figures.Line().Str("frame ").Int(int64(w.Number)).Str(": ").Num(w.Took().Seconds()*1e3, 1).Str(" ms, of it ")
		t = t.Num(float64(w.SpentIn(longest.Index()))/1e6, 1).Str(" ms in ").Str(longest.String())
		if r := c.Next(ui.LineHeight); c.Sees(r) {
			c.Print(r, ui.Plain, ui.Start, ui.Dim, t.S())
		}
	}
	if v.picture.Verdict != "" {
		for _, line := range c.Wrap(v.picture.Verdict, 270, 4) {
			c.Say(c.Next(ui.LineHeight), ui.Start, ui.Warn, line)
		}
	}
}
