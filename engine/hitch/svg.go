package hitch

import (
	"fmt"
	"html"
	"math"
	"strings"

	"halfstep/buffer/phase"
	"halfstep/internal/timeline"
	"halfstep/internal/timing"
)

// The sizes of the pictures, in units of the viewBox.
const (
	svgWide   = 1000.0
	laneTall  = 34.0
	laneGap   = 30.0
	stageTall = 14.0
	axisTall  = 22.0
	timesTall = 160.0
	minAround = 50e6 // the least time that the lanes show before and after a hitch, in ns
)

// lanes draws the phases of the frames, and below them the phases and stages of the steps, around
// the time from start to end. A line leads from each step to the first frame that shows the state
// of the step.
func lanes(frames, steps []timing.Span, start, end int64) string {
	around := max((end-start)*6/10, int64(minAround))
	x := scale{start - around, end + around}
	tall := 2*laneTall + laneGap + stageTall + 2*axisTall
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" role="img" aria-label="Timeline of both threads">`, svgWide, tall)
	top := axisTall
	below := top + laneTall + laneGap
	fmt.Fprintf(&b, `<rect class="late" x="%.1f" y="0" width="%.1f" height="%g"/>`, x.at(start), max(x.at(end)-x.at(start), 2), tall)
	fmt.Fprintf(&b, `<rect class="lane" x="0" y="%g" width="%g" height="%g"/><rect class="lane" x="0" y="%g" width="%g" height="%g"/>`,
		top, svgWide, laneTall, below, svgWide, laneTall+stageTall)
	for i := range frames {
		span(&b, x, &frames[i], top)
	}
	ends := map[uint64]int64{}
	for i := range steps {
		span(&b, x, &steps[i], below)
		ends[steps[i].Number] = steps[i].End
	}
	for i := range frames {
		f := &frames[i]
		if at, ok := ends[f.Tick]; ok && f.Fresh && x.shows(at, f.Start) {
			fmt.Fprintf(&b, `<path class="flow" d="M%.1f %gL%.1f %g"><title>tick %d is shown by frame %d</title></path>`,
				x.at(at), below, x.at(f.Start), top+laneTall, f.Tick, f.Number)
		}
	}
	fmt.Fprintf(&b, `<text x="4" y="%g">render</text><text x="4" y="%g">physics</text>`, top-7, below-7)
	step := timeline.Round(float64(x.to-x.from) / 8e6)
	for t := math.Ceil(float64(x.from-start)/1e6/step) * step; start+int64(t*1e6) <= x.to; t += step {
		at := x.at(start + int64(t*1e6))
		fmt.Fprintf(&b, `<path class="tick" d="M%.1f %gV%g"/><text class="axis" x="%.1f" y="%g">%.4g ms</text>`, at, top, tall-axisTall, at, tall-6, t)
	}
	b.WriteString(`</svg>`)
	return b.String()
}

// scale converts times, in ns since timing.Epoch, to x coordinates of a picture that begins at the
// time from and ends at the time to.
type scale struct{ from, to int64 }

func (s scale) at(ns int64) float64 {
	k := float64(ns-s.from) / float64(s.to-s.from)
	return svgWide * min(max(k, 0), 1)
}

func (s scale) shows(a, b int64) bool { return a >= s.from && b <= s.to }

// span draws a step or frame with its phases, and below the phases its stages.
func span(b *strings.Builder, x scale, s *timing.Span, top float64) {
	if s.End <= x.from || s.Start >= x.to {
		return
	}
	name := fmt.Sprintf("frame %d", s.Number)
	if s.Thread == phase.Physics {
		name = fmt.Sprintf("tick %d", s.Number)
	}
	for p := range timeline.Parts(s) {
		title := fmt.Sprintf("%s: %s %s of %s", name, p, milli(float64(p.Took)/1e6), milli(s.Took().Seconds()*1e3))
		top, tall := top+2, laneTall-4
		if p.Stage != timing.NoStage {
			title = fmt.Sprintf("%s: stage %s %s", name, p, milli(float64(p.Took)/1e6))
			top, tall = top+laneTall-2, stageTall-2
		}
		if from, to := x.at(p.From), x.at(p.From+p.Took); to > from {
			fmt.Fprintf(b, `<rect class="%s" x="%.2f" y="%g" width="%.2f" height="%g"><title>%s</title></rect>`,
				timeline.Class(p.String()), from, top, max(to-from, .3), tall, html.EscapeString(title))
		}
	}
	fmt.Fprintf(b, `<path class="edge" d="M%.1f %gv%g"/>`, x.at(s.Start), top, laneTall)
}

// times draws how long frames and steps took. Each column shows the longest frame and the longest
// step of its time.
func times(frames, steps []timing.Span, start, end int64, threshold float64) string {
	from := end - int64(pastLength)
	for _, list := range [][]timing.Span{frames, steps} { // the picture begins at the oldest span
		if len(list) > 0 && list[0].Start > from {
			from = min(list[0].Start, start)
			break
		}
	}
	x := scale{from, end + (end-from)/40}
	top := threshold * 1.2
	highest := func(list []timing.Span) (columns [int(svgWide) + 1]float64) {
		for i := range list {
			if s := &list[i]; s.End >= from && s.Start <= x.to {
				took := s.Took().Seconds() * 1e3
				at := &columns[int(x.at(s.Start))]
				*at = max(*at, took)
				top = max(top, took*1.05)
			}
		}
		return columns
	}
	series := []struct {
		class string
		of    [int(svgWide) + 1]float64
	}{{"frames", highest(frames)}, {"steps", highest(steps)}}
	y := func(ms float64) float64 { return timesTall * (1 - ms/top) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" role="img" aria-label="Frame and step times">`, svgWide, timesTall+axisTall)
	fmt.Fprintf(&b, `<rect class="lane" x="0" y="0" width="%g" height="%g"/>`, svgWide, timesTall)
	fmt.Fprintf(&b, `<rect class="late" x="%.1f" y="0" width="%.1f" height="%g"/>`, x.at(start)-2, max(x.at(end)-x.at(start), 1)+4, timesTall)
	for _, s := range series {
		fmt.Fprintf(&b, `<path class="%s" d="`, s.class)
		for column, took := range s.of {
			if took > 0 {
				fmt.Fprintf(&b, "M%d.5 %gV%.1f", column, timesTall, y(took))
			}
		}
		b.WriteString(`"/>`)
	}
	fmt.Fprintf(&b, `<path class="limit" d="M0 %.1fH%g"/><text x="4" y="%.1f">threshold %s</text>`, y(threshold), svgWide, y(threshold)-4, milli(threshold))
	fmt.Fprintf(&b, `<text class="axis top" x="%g" y="12">%s</text>`, svgWide-4, milli(top))
	seconds := timeline.Round(float64(end-from) / 8e9)
	for t := 0.0; end-int64(t*1e9) >= from; t += seconds {
		fmt.Fprintf(&b, `<text class="axis" x="%.1f" y="%g">%s</text>`, x.at(end-int64(t*1e9)), timesTall+15, ago(t))
	}
	b.WriteString(`</svg>`)
	return b.String()
}

// ago returns a label for a time in seconds before the end of the hitch.
func ago(seconds float64) string {
	if seconds == 0 {
		return "0"
	}
	return fmt.Sprintf("−%.3g s", seconds)
}
