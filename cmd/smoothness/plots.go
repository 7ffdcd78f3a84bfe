package main

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

func init() {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	plotter.DefaultFont = plot.DefaultFont
}

// line is one curve of a plot.
type line struct {
	name   string
	colour color.RGBA
	xys    plotter.XYs
	// dots marks the points. They are frames; the lines between them only help
	// the eye.
	dots   bool
	marks  bool // large dots and no line
	thin   bool
	filled bool
}

// The colours of the loops. Colour-blind people can tell them apart (after Okabe
// and Ito).
var (
	grey   = color.RGBA{150, 150, 150, 255}
	black  = color.RGBA{0, 0, 0, 255}
	orange = color.RGBA{230, 159, 0, 255}
	sky    = color.RGBA{86, 180, 233, 255}
	green  = color.RGBA{0, 158, 115, 255}
	blue   = color.RGBA{0, 114, 178, 255}
	red    = color.RGBA{213, 94, 0, 255}
)

// The size of a plot.
const width, height = 920, 330

// render draws the curves as an SVG element for a page.
func render(xLabel, yLabel string, lines []line) (template.HTML, error) {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = xLabel, yLabel
	p.X.Tick.Marker, p.Y.Tick.Marker = roundTicks(10), roundTicks(6)
	p.Add(plotter.NewGrid())
	for _, l := range lines {
		if len(l.xys) == 0 {
			continue
		}
		curve, points, err := plotter.NewLinePoints(l.xys)
		if err != nil {
			return "", fmt.Errorf("plot of %s: %w", l.name, err)
		}
		curve.Color, curve.Width = l.colour, 1.3
		if l.thin {
			curve.Width = .6
		}
		if l.marks {
			points.Color, points.Radius = l.colour, 4
			p.Add(points)
			continue
		}
		if l.filled {
			curve.FillColor, curve.Width = l.colour, 0
		}
		p.Add(curve)
		if l.dots {
			points.Color, points.Radius = l.colour, 1.8
			p.Add(points)
		}
	}
	c := vgsvg.New(width, height)
	p.Draw(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return "", err
	}
	// The XML header before the element does not belong in a page.
	svg := b.Bytes()
	return template.HTML(svg[max(bytes.Index(svg, []byte("<svg")), 0):]), nil
}

// thinned keeps about limit points. It keeps the lowest and the highest point of
// each interval, so that no peak is lost.
func thinned(xys plotter.XYs, limit int) plotter.XYs {
	if len(xys) <= limit {
		return xys
	}
	size := int(math.Ceil(2 * float64(len(xys)) / float64(limit)))
	var kept plotter.XYs
	for i := 0; i < len(xys); i += size {
		lo, hi := i, i
		for k := i; k < min(i+size, len(xys)); k++ {
			if xys[k].Y < xys[lo].Y {
				lo = k
			}
			if xys[k].Y > xys[hi].Y {
				hi = k
			}
		}
		kept = append(kept, xys[min(lo, hi)])
		if lo != hi {
			kept = append(kept, xys[max(lo, hi)])
		}
	}
	return kept
}

// outline returns a histogram as a curve around its bars, in percent.
func outline(values []float64, lo, hi float64, bins int) plotter.XYs {
	counts := make([]float64, bins)
	for _, v := range values {
		if k := int((v - lo) / (hi - lo) * float64(bins)); v >= lo && k < bins {
			counts[k]++
		}
	}
	xys := plotter.XYs{{X: lo}}
	for k, n := range counts {
		percent := 100 * n / float64(len(values))
		at := func(k int) float64 { return lo + (hi-lo)*float64(k)/float64(bins) }
		xys = append(xys, plotter.XY{X: at(k), Y: percent}, plotter.XY{X: at(k + 1), Y: percent})
	}
	return append(xys, plotter.XY{X: hi})
}
