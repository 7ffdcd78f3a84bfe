package main

import (
	"fmt"
	"html/template"
	"image/color"
	"math"
	"slices"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/clock"
)

// figure is a plot of the page, with the text below the plot.
type figure struct {
	Title, Text string
	Legend      []key
	SVG         template.HTML
}

type key struct {
	Name   string
	Colour template.CSS
}

func newFigure(title, text, xLabel, yLabel string, lines []line) (figure, error) {
	f := figure{Title: title, Text: text}
	for _, l := range lines {
		c := template.CSS(fmt.Sprintf("rgb(%d,%d,%d)", l.colour.R, l.colour.G, l.colour.B))
		f.Legend = append(f.Legend, key{l.name, c})
	}
	var err error
	f.SVG, err = render(xLabel, yLabel, lines)
	return f, err
}

// pick selects a run for a figure by its loop and pacing, and gives its colour.
type pick struct {
	loop, pacing string
	colour       color.RGBA
}

func (p pick) name() string {
	if p.loop == "pipelined" || p.loop == "lockstep" {
		return p.loop + ", pacing " + p.pacing
	}
	return p.loop
}

var (
	articleLoops  = []pick{{"none", "off", orange}, {"naive", "off", red}, {"single", "off", black}}
	halfstepLoops = []pick{{"pipelined", "off", sky}, {"pipelined", "auto", blue}, {"pipelined", "told", green}}
)

// These are the lengths of the time windows in the first figures, in seconds, and the sizes
// of plots.
const (
	shortWindow = .25
	ballWindow  = .7
	// ballHz is the step rate of the ball. It is low, so that the motion between two steps is
	// visible.
	ballHz = 20
	// plotted is the greatest number of points of a curve.
	plotted = 1800
	bins    = 80 // bins is the number of bars of the histogram.
)

// figures makes the figures of one trace.
func (s *section) figures() ([]figure, error) {
	var all []figure
	draws := []func() (figure, error){
		s.positionFigure, s.ballFigure, s.evennessFigure, s.errorFigure, s.zoomedErrorFigure, s.histogramFigure,
	}
	if s.replaced() {
		draws = append(draws, s.candidateFigure)
	}
	for _, draw := range draws {
		f, err := draw()
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// window returns the frames of that many seconds, beginning in the middle of the recording.
func (s *section) window(seconds float64) (from, to int) {
	from = len(s.Start) / 2
	for to = from; to < len(s.Start) && s.Start[to] <= s.Start[from]+seconds; to++ {
	}
	return from, to
}

// curve plots f for the frames that were seen. The horizontal axis is the time since the
// start of the first frame, in ms.
func (s *section) curve(from, to int, f func(i int) float64) []xy {
	var xys []xy
	for i := from; i < to; i++ {
		if !math.IsNaN(s.Seen[i]) {
			xys = append(xys, xy{X: (s.Seen[i] - s.Start[from]) * 1e3, Y: f(i)})
		}
	}
	return xys
}

func (s *section) positionFigure() (figure, error) {
	from, to := s.window(shortWindow)
	lines := []line{{name: "truth", colour: grey, points: s.curve(from, to, func(i int) float64 { return (s.Seen[i] - s.Start[from]) * 1e3 })}}
	for _, p := range append(articleLoops[:len(articleLoops):len(articleLoops)], halfstepLoops...) {
		x := s.find(p.loop, p.pacing).shown
		lines = append(lines, line{
			name: p.name(), colour: p.colour, dots: true,
			points: s.curve(from, to, func(i int) float64 { return (x[i] - s.Start[from]) * 1e3 }),
		})
	}
	return newFigure("Position against time",
		"Where each frame draws a body that moves at 1 m/s, at the time when the frame is seen. A straight line parallel to the truth is smooth motion. Its distance to the right of the truth is the latency.",
		"time of display, ms from the middle of the recording", "position, mm", lines)
}

func (s *section) ballFigure() (figure, error) {
	from, to := s.window(ballWindow)
	var exact []xy
	for t := s.Start[from]; to > from && t <= s.Start[to-1]; t += ballWindow / 700 {
		_, y, _, _ := truth(t)
		exact = append(exact, xy{X: (t - s.Start[from]) * 1e3, Y: y * 1e3})
	}
	lines := []line{{name: "truth", colour: grey, points: exact}}
	for _, m := range []struct {
		mode   body2d.Smoothing
		colour color.RGBA
	}{{body2d.Newest, orange}, {body2d.Interpolate, blue}, {body2d.Extrapolate, red}, {body2d.Hermite, green}} {
		_, y, err := smoothed(s.recording, clock.Hz(ballHz), m.mode)
		if err != nil {
			return figure{}, err
		}
		l := line{name: m.mode.String(), colour: m.colour, dots: true}
		for i := from; i < to; i++ {
			l.points = append(l.points, xy{X: (s.Start[i] - s.Start[from]) * 1e3, Y: y[i] * 1e3})
		}
		lines = append(lines, l)
	}
	return newFigure("Smoothing modes where the velocity changes",
		fmt.Sprintf("A bouncing ball at %d steps per second, in Lockstep with pacing off, drawn at the start of each frame. Interpolation and Hermite lag one step behind the truth; interpolation flattens the arc, Hermite keeps it. Extrapolation has no lag, but is wrong after every bounce: the ball goes through the floor.", ballHz),
		"start of the frame, ms from the middle of the recording", "height, mm", lines)
}

func (s *section) evennessFigure() (figure, error) {
	from, to := s.window(4 * shortWindow)
	var lines []line
	for _, p := range append(articleLoops[1:len(articleLoops):len(articleLoops)], halfstepLoops...) {
		x := s.find(p.loop, p.pacing).shown
		lines = append(lines, line{
			name: p.name(), colour: p.colour,
			points: s.curve(from, to, func(i int) float64 { return (s.Seen[i] - x[i]) * 1e3 }),
		})
	}
	return newFigure("How far the picture lags behind",
		"The time from the shown instant to its display. A horizontal line is smooth motion, at any height.",
		"time of display, ms from the middle of the recording", "lag, ms", lines)
}

func (s *section) errorLines(picks []pick) []line {
	var lines []line
	for _, p := range picks {
		frames, e := animationError(s.find(p.loop, p.pacing).shown, s.Seen)
		l := line{name: p.name(), colour: p.colour, thin: true}
		for k := min(skipped, len(e)); k < len(e); k++ {
			l.points = append(l.points, xy{X: s.Seen[frames[k]], Y: e[k] * 1e3})
		}
		l.points = thinned(l.points, plotted)
		lines = append(lines, l)
	}
	return lines
}

func (s *section) errorFigure() (figure, error) {
	lines := s.errorLines([]pick{articleLoops[1], articleLoops[0], halfstepLoops[1]})
	return newFigure("Animation error",
		"How much too far (above zero) or too little (below zero) a body moved from one frame to the next.",
		"time of display, s", "error, ms", lines)
}

func (s *section) zoomedErrorFigure() (figure, error) {
	lines := s.errorLines([]pick{{"single", "off", grey}, halfstepLoops[1]})
	return newFigure("Animation error of the smooth loops",
		"The same on a larger scale, for the loop of the articles and for Pipelined.", "time of display, s", "error, ms", lines)
}

// advances returns, for each seen frame after the first, by how many ms x has advanced
// since the seen frame before.
func (s *section) advances(x []float64) []float64 {
	var moved []float64
	last := math.NaN()
	for i := range x {
		if math.IsNaN(s.Seen[i]) {
			continue
		}
		if !math.IsNaN(last) {
			moved = append(moved, (x[i]-last)*1e3)
		}
		last = x[i]
	}
	return moved
}

func (s *section) histogramFigure() (figure, error) {
	picks := []pick{articleLoops[1], articleLoops[0], articleLoops[2], halfstepLoops[1]}
	series := [][]float64{s.advances(s.Seen)}
	var all []float64
	for _, p := range picks {
		series = append(series, s.advances(s.find(p.loop, p.pacing).shown))
	}
	for _, v := range series {
		all = append(all, v...)
	}
	lo, hi := math.Floor(quantile(all, .002))-1, math.Ceil(quantile(all, .998))+1
	lines := []line{{name: "time between displays", colour: color.RGBA{215, 215, 215, 255}, filled: true, points: outline(series[0], lo, hi, bins)}}
	for i, p := range picks {
		lines = append(lines, line{name: p.name(), colour: p.colour, points: outline(series[i+1], lo, hi, bins)})
	}
	return newFigure("Advance from frame to frame",
		fmt.Sprintf("How much simulated time passes between two frames that are seen, as a share of all frames per %.2g ms. Below zero, bodies move backwards.", (hi-lo)/bins),
		"advance, ms", "frames, %", lines)
}

const candidateWindow = .12 // candidateWindow is the length of the last figure in s.

// replaced reports whether later frames replaced some frames before the display could show
// them, and whether the loops got reports of that.
func (s *section) replaced() bool {
	return len(s.told) > 0 && slices.ContainsFunc(s.Seen, math.IsNaN)
}

// candidateFigure shows the instant of every frame, including frames that were never seen,
// and marks the frames that were seen.
func (s *section) candidateFigure() (figure, error) {
	from, to := s.window(candidateWindow)
	var lines []line
	for _, p := range []pick{{"pipelined", "auto", blue}, {"pipelined", "told", green}} {
		x := s.find(p.loop, p.pacing).shown
		all := line{name: p.name(), colour: p.colour, dots: true, thin: true}
		seen := line{name: p.name() + ", seen", colour: p.colour, marks: true}
		for i := from; i < to; i++ {
			at := xy{X: (s.Start[i] - s.Start[from]) * 1e3, Y: (x[i] - s.Start[from]) * 1e3}
			all.points = append(all.points, at)
			if !math.IsNaN(s.Seen[i]) {
				seen.points = append(seen.points, at)
			}
		}
		lines = append(lines, all, seen)
	}
	return newFigure("What every frame shows",
		"The instant that every frame shows, at the start of the frame. Large dots are frames that were seen; the others were replaced before the display could show them. A loop that is told draws all candidates for a refresh for that refresh, so it does not matter which of them is seen: the large dots are evenly spaced.",
		"start of the frame, ms from the middle of the recording", "instant, ms", lines)
}
