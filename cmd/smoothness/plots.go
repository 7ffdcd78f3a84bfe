package main

import (
	"fmt"
	"html/template"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
)

type xy struct{ X, Y float64 }

// line is a curve of a plot, or a set of marks.
type line struct {
	name   string
	colour color.RGBA
	points []xy
	// dots marks the points of the curve. Each point is a frame, and the lines between the points
	// only guide the eye.
	dots   bool
	marks  bool // marks draws large dots and no line.
	thin   bool
	filled bool
}

// These are the colours of the loops. Colour-blind people can distinguish them (after Okabe
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

// the size of a plot in pixels
const width, height = 920, 330

// render draws a plot as an SVG element.
func render(xLabel, yLabel string, lines []line) (template.HTML, error) {
	const left, right, top, bottom = 56, 10, 8, 42 // around the axes
	lo, hi, err := bounds(lines)
	if err != nil {
		return "", err
	}
	x := func(v float64) float64 { return left + (v-lo.X)/(hi.X-lo.X)*(width-left-right) }
	y := func(v float64) float64 { return height - bottom - (v-lo.Y)/(hi.Y-lo.Y)*(height-top-bottom) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg width="%dpt" height="%dpt" viewBox="0 0 %d %d" xmlns="http://www.w3.org/2000/svg" font-family="Liberation Sans, sans-serif" font-size="10">`, width, height, width, height)
	b.WriteString(`<rect width="100%" height="100%" fill="#fff"/>`)
	text := func(x, y float64, attributes, s string) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" %s>%s</text>`, x, y, attributes, template.HTMLEscapeString(s))
	}
	var grid strings.Builder
	for _, t := range ticks(10, lo.X, hi.X) {
		fmt.Fprintf(&grid, "M%.1f %dV%d", x(t.value), top, height-bottom)
		text(x(t.value), height-bottom+14, `text-anchor="middle"`, t.label)
	}
	for _, t := range ticks(6, lo.Y, hi.Y) {
		fmt.Fprintf(&grid, "M%d %.1fH%d", left, y(t.value), width-right)
		text(left-6, y(t.value)+3.5, `text-anchor="end"`, t.label)
	}
	fmt.Fprintf(&b, `<path d="%s" stroke="#ccc" stroke-width=".5"/>`, grid.String())
	fmt.Fprintf(&b, `<path d="M%d %dV%dH%d" fill="none" stroke="#000" stroke-width=".5"/>`, left, top, height-bottom, width-right)
	text(left+(width-left-right)/2, height-6, `font-size="12" text-anchor="middle"`, xLabel)
	text(0, 0, fmt.Sprintf(`font-size="12" text-anchor="middle" transform="translate(14 %d) rotate(-90)"`, top+(height-top-bottom)/2), yLabel)
	for i := range lines {
		covers := slices.ContainsFunc(lines[:i], func(l line) bool { return slices.Equal(l.points, lines[i].points) })
		lines[i].draw(&b, x, y, covers)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String()), nil
}

// draw appends the curve to an SVG element. The functions x and y convert values to
// coordinates of the element. Some curves are dashed, so that a curve below remains visible.
func (l *line) draw(b *strings.Builder, x, y func(float64) float64, covers bool) {
	colour := fmt.Sprintf("#%02x%02x%02x", l.colour.R, l.colour.G, l.colour.B)
	if !l.marks && len(l.points) > 0 {
		style := fmt.Sprintf(`fill="none" stroke="%s" stroke-width="1.3"`, colour)
		if l.thin {
			style = fmt.Sprintf(`fill="none" stroke="%s" stroke-width=".6"`, colour)
		}
		if covers {
			style += ` stroke-dasharray="6 5"`
		}
		if l.filled {
			style = fmt.Sprintf(`fill="%s"`, colour)
		}
		b.WriteString(`<path ` + style + ` d="`)
		for i, p := range l.points {
			fmt.Fprintf(b, "%c%.2f %.2f", "ML"[min(i, 1)], x(p.X), y(p.Y))
		}
		b.WriteString(`"/>`)
	}
	radius := 1.8
	if l.marks {
		radius = 4
	}
	if l.marks || l.dots {
		for _, p := range l.points {
			fmt.Fprintf(b, `<circle cx="%.2f" cy="%.2f" r="%g" fill="%s"/>`, x(p.X), y(p.Y), radius, colour)
		}
	}
}

// bounds returns two corners of a rectangle around all points. The rectangle is never empty.
func bounds(lines []line) (lo, hi xy, err error) {
	lo, hi = xy{math.Inf(1), math.Inf(1)}, xy{math.Inf(-1), math.Inf(-1)}
	for _, l := range lines {
		for _, p := range l.points {
			if d := p.X - p.X + p.Y - p.Y; d != 0 {
				return lo, hi, fmt.Errorf("plot of %s: a point at %v, %v", l.name, p.X, p.Y)
			}
			lo = xy{min(lo.X, p.X), min(lo.Y, p.Y)}
			hi = xy{max(hi.X, p.X), max(hi.Y, p.Y)}
		}
	}
	widen := func(lo, hi *float64) {
		switch {
		case *lo > *hi: // no points
			*lo, *hi = 0, 1
		case *lo == *hi:
			*lo, *hi = *lo-1, *hi+1
		}
	}
	widen(&lo.X, &hi.X)
	widen(&lo.Y, &hi.Y)
	return lo, hi, nil
}

// thinned returns about limit points of a curve. It keeps the lowest and the highest point of
// each interval, so that no peak is lost.
func thinned(xys []xy, limit int) []xy {
	if len(xys) <= limit {
		return xys
	}
	size := int(math.Ceil(2 * float64(len(xys)) / float64(limit)))
	var kept []xy
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

// outline returns a histogram as a curve around its bars. Heights are in percent.
func outline(values []float64, lo, hi float64, bins int) []xy {
	counts := make([]float64, bins)
	for _, v := range values {
		if k := int((v - lo) / (hi - lo) * float64(bins)); v >= lo && k < bins {
			counts[k]++
		}
	}
	xys := []xy{{X: lo}}
	for k, n := range counts {
		percent := 100 * n / float64(len(values))
		at := func(k int) float64 { return lo + (hi-lo)*float64(k)/float64(bins) }
		xys = append(xys, xy{X: at(k), Y: percent}, xy{X: at(k + 1), Y: percent})
	}
	return append(xys, xy{X: hi})
}

type tick struct {
	value float64
	label string
}

// ticks labels an axis at about n round numbers. The distance between them is 1, 2 or 5 times
// a power of ten.
func ticks(n int, lo, hi float64) []tick {
	rough := (hi - lo) / float64(n)
	// if the step is close to the rounding error of lo and hi, the loop would not end
	if !(rough > 1e-12*max(math.Abs(lo), math.Abs(hi))) || math.IsInf(rough, 0) {
		return []tick{{lo, strconv.FormatFloat(lo, 'g', 4, 64)}}
	}
	step := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, f := range []float64{1, 2, 5, 10} {
		if f*step >= .999*rough {
			step *= f
			break
		}
	}
	decimals := max(0, int(-math.Floor(math.Log10(step)+1e-9)))
	var ticks []tick
	for k := math.Ceil(lo / step); k*step <= hi; k++ {
		v := k*step + 0 // not -0
		ticks = append(ticks, tick{v, strconv.FormatFloat(v, 'f', decimals, 64)})
	}
	return ticks
}
