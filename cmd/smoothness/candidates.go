package main

import (
	"math"
)

// candidateWindow is the length of the figure of candidates, s.
const candidateWindow = .12

// replaced reports whether frames were replaced before they were seen.
func (s *section) replaced() bool {
	for _, v := range s.Seen {
		if math.IsNaN(v) {
			return len(s.told) > 0
		}
	}
	return false
}

// candidateFigure shows which instant every frame shows, also those that were never
// seen, and marks those that were.
func (o *options) candidateFigure(s *section) (figure, error) {
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
