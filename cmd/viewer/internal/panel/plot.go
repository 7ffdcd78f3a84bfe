package panel

import (
	"math"

	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/ui"
)

// layPlot lays out the plot of a value of the chosen body, with a mark at the tick of the picture.
func (v *bodyPane) layPlot(c *ui.Context) {
	n := v.session.Inspect
	if i, changed := c.List("plot", "plot", noKey, play.Plotted[:], n.Quantity, describeOption); changed {
		n.Quantity = i
		v.session.Inspect.Inspected().Samples.Choose(n.Body, i)
	}
	if r := c.Next(84); c.Sees(r) {
		v.drawPlot(c, r)
	}
	if c.Button("export plot", c.Next(ui.RowHeight), ui.NoIcon, "Export as CSV", notChosen) {
		v.session.Uses.Count("export plot")
		v.panel.runner.ExportPlot()
	}
	c.Tip("all values of the plot, by tick", noKey)
	c.Space(3)
}

// drawPlot draws the curve in a box. Below the box it writes the range of time and the
// range of the values.
func (v *bodyPane) drawPlot(c *ui.Context, r ui.Rect) {
	n := v.session.Inspect
	box := r.Top(64)
	c.Box(box, 3, ui.Edge)
	from, to := v.session.Sampler.PlotSpan()
	low, high := math.Inf(1), math.Inf(-1)
	for tick := from; tick <= to; tick++ {
		if x, ok := v.session.Sampler.Sampled(tick, n.Quantity); ok {
			low, high = min(low, x), max(high, x)
		}
	}
	span := float64(max(to-from, 1))
	across := func(tick uint64) float32 { return box.X + 5 + (box.W-10)*float32(float64(tick-from)/span) }
	if now := v.session.Stage.View.Tick; now >= from && now <= to {
		c.Box(ui.Rect{X: across(now), Y: box.Y, W: 1, H: box.H}, 0, ui.Faint)
	}
	if low > high {
		return
	}
	up := func(x float64) float32 {
		return box.Y + 3 + (box.H-6)*float32(1-(x-low)/max(high-low, 1e-6))
	}
	// One column of pixels may cover many ticks. A vertical line then spans the values of all
	// these ticks.
	every := uint64(span/float64(box.W)) + 1
	var x0, y0 float32
	last := uint64(0)
	for tick := from; tick <= to; tick += every {
		least, most, any := math.Inf(1), math.Inf(-1), false
		for t := tick; t < tick+every && t <= to; t++ {
			if x, ok := v.session.Sampler.Sampled(t, n.Quantity); ok {
				least, most, any = min(least, x), max(most, x), true
			}
		}
		if !any {
			continue
		}
		x1, y1 := across(tick), up((least+most)/2)
		if x0 > 0 && tick-last <= max(every, play.MaxPlotGap) {
			c.Line(x0, y0, x1, y1, 1.3, ui.Accent)
		}
		if most > least {
			c.Line(x1, up(least), x1, up(most), 1.3, ui.Accent)
		}
		x0, y0, last = x1, y1, tick
	}
	f := v.picture.Figures.Line
	c.Print(r, ui.Plain, ui.Start, ui.Dim, f().Num(v.session.Travel.Seconds(float64(from)), 1).Str(" to ").Num(v.session.Travel.Seconds(float64(to)), 1).Str(" s").S())
	c.Pair(r, "", f().Num(low, 3).Str(" … ").Num(high, 3).S())
}
