package main

import (
	"encoding/xml"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/clock"
)

func TestThinningKeepsEveryPeak(t *testing.T) {
	xys := make([]xy, 100_000)
	for i := range xys {
		xys[i].X = float64(i)
	}
	xys[12_345].Y, xys[77_777].Y = 9, -9
	kept := thinned(xys, 1000)
	if len(kept) > 1001 {
		t.Errorf("%d points kept", len(kept))
	}
	var high, low bool
	for i, p := range kept {
		high = high || p == xys[12_345]
		low = low || p == xys[77_777]
		if i > 0 && p.X <= kept[i-1].X {
			t.Fatal("out of order")
		}
	}
	if !high || !low {
		t.Error("a peak is gone")
	}
}

func TestHistogramCountsEveryValueOnce(t *testing.T) {
	xys := outline([]float64{-1, 0, .4, .5, 1.9, 2, 7}, 0, 2, 4)
	sum := 0.
	for i := 1; i < len(xys)-1; i += 2 {
		if xys[i].Y != xys[i+1].Y {
			t.Fatal("a column is not level")
		}
		sum += xys[i].Y
	}
	// three of the seven values are outside the range
	if math.Abs(sum-400./7) > 1e-9 {
		t.Errorf("the columns hold %v %%", sum)
	}
	if got := xys[1].Y; math.Abs(got-200./7) > 1e-9 {
		t.Errorf("the first column holds %v %%, want two of seven", got)
	}
}

func TestTicksAreRound(t *testing.T) {
	for _, c := range []struct {
		lo, hi      float64
		first, last string
		n           int
	}{
		{0, 100, "0", "100", 11},
		{-3.9, 3.9, "-3", "3", 7},
		{12.61, 12.69, "12.61", "12.69", 9},
		{-25, 270, "0", "250", 6},
	} {
		ticks := ticks(10, c.lo, c.hi)
		if len(ticks) != c.n || ticks[0].label != c.first || ticks[len(ticks)-1].label != c.last {
			t.Errorf("%v to %v: %v", c.lo, c.hi, ticks)
		}
		for _, k := range ticks {
			if k.label == "-0" {
				t.Error("a tick at -0")
			}
		}
	}
	for _, c := range [][2]float64{{1, 1}, {0, math.Inf(1)}, {math.NaN(), 1}, {2267, math.Nextafter(2267, 3000)}, {0, 5e-324}} {
		ticks(10, c[0], c[1]) // must return
	}
}

// The figure shows that interpolation lags by one step, that Hermite keeps the
// shape of the arc, and that extrapolation has no lag but is wrong after a
// bounce.
func TestBallFigureShowsWhatItsTextSays(t *testing.T) {
	r := timed(t, even(400, .01, 0), func(int) float64 { return .01 })
	const step = 1. / ballHz
	// the greatest distance from the true position of `lag` seconds ago: in frames
	// whose step had no bounce, and in frames whose step had one
	worst := func(m body2d.Smoothing, lag float64) (smooth, bounce float64) {
		_, y, err := smoothed(r, clock.Hz(ballHz), m)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range r.Start {
			if s < 2*step {
				continue
			}
			from := math.Floor(s/step-lag/step+1e-9) * step
			_, want, _, _ := truth(s - lag)
			d := math.Abs(y[i] - want)
			if math.Floor(from/bounceFor) == math.Floor((from+step)/bounceFor) {
				smooth = max(smooth, d)
			} else {
				bounce = max(bounce, d)
			}
		}
		return smooth, bounce
	}
	bend := gravity * step * step / 8 // the distance of the chord from the parabola
	if s, _ := worst(body2d.Interpolate, step); math.Abs(s-bend) > bend/10 {
		t.Errorf("interpolation is off the truth of a step ago by %v m, want %v", s, bend)
	}
	if s, _ := worst(body2d.Hermite, step); s > 1e-5 {
		t.Errorf("Hermite is off the truth of a step ago by %v m", s)
	}
	_, straight := worst(body2d.Interpolate, step)
	if _, b := worst(body2d.Hermite, step); b != straight {
		t.Errorf("Hermite is off by %v m at a bounce, a straight line by %v", b, straight)
	}
	// the last frame before a step is 40 ms after the frame before
	late := gravity / 2 * .04 * .04
	s, b := worst(body2d.Extrapolate, 0)
	if math.Abs(s-late) > late/10 || b < 10*s {
		t.Errorf("extrapolation is off the truth by %v m, and by %v m at a bounce", s, b)
	}
}

func TestAPlotHasEveryPointWithinItsAxes(t *testing.T) {
	figure, err := render("<x>", "y", []line{
		{name: "a line", colour: red, points: []xy{{-3, 2}, {5, 40}, {9, 7}}, dots: true},
		{name: "marks", points: []xy{{0, 0}}, marks: true}, {name: "an area", points: []xy{{0, 0}, {1, 1}, {2, 0}}, filled: true}, {name: "nothing"},
	})
	if err != nil {
		t.Fatal(err)
	}
	circles := 0
	for d := xml.NewDecoder(strings.NewReader(string(figure))); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "circle" {
			continue
		}
		circles++
		for _, a := range e.Attr {
			v, _ := strconv.ParseFloat(a.Value, 64)
			if a.Name.Local == "cx" && !(v > 50 && v <= width-10) || a.Name.Local == "cy" && !(v >= 8 && v < height-40) {
				t.Errorf("a point at %s = %v", a.Name.Local, v)
			}
		}
	}
	if circles != 4 || !strings.Contains(string(figure), "&lt;x&gt;") {
		t.Errorf("%d circles in %s", circles, figure)
	}
	for _, points := range [][]xy{nil, {{1, 1}}, {{1, 1}, {2, 1}}} {
		if f, err := render("x", "y", []line{{points: points}}); err != nil || strings.Contains(string(f), "NaN") {
			t.Errorf("%v: %v, %s", points, err, f)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1)} {
		if _, err := render("x", "y", []line{{name: "wrong", points: []xy{{v, 0}}}}); err == nil || !strings.Contains(err.Error(), "wrong") {
			t.Errorf("%v: %v", v, err)
		}
	}
}

func TestALineThatCoversAnotherIsDashed(t *testing.T) {
	points := []xy{{X: 0, Y: 1}, {X: 1, Y: 2}}
	svg, err := render("x", "y", []line{{name: "below", points: points}, {name: "alone", points: points[:1]}, {name: "above", points: points}})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(svg), "stroke-dasharray"); n != 1 {
		t.Errorf("%d dashed lines", n)
	}
}
