// Package timeline has what all diagrams of the two threads need: the newest spans of an engine,
// the beginning, end and colour of each phase and stage, and round distances for an axis.
package timeline

import (
	"fmt"
	"iter"
	"math"
	"strings"

	"halfstep/buffer/phase"
	"halfstep/internal/timing"
)

// Part is a phase of a span. If Stage is set it is a stage of the phase Step.
type Part struct {
	Phase      phase.Phase
	Stage      timing.Stage
	From, Took int64 // From is the beginning since timing.Epoch, and Took is the duration, both in ns.
}

// String returns the name of the stage, or of the phase if there is no stage.
func (p Part) String() string {
	if p.Stage != timing.NoStage {
		return p.Stage.String()
	}
	return p.Phase.String()
}

// Parts yields the parts of a span that took time: the phases one after the other, with
// phase.Other at the end, and after the phase Step the stages. Repetitions of a phase are one
// part.
func Parts(s *timing.Span) iter.Seq[Part] {
	return func(yield func(Part) bool) {
		from := s.Start
		for i := range s.Spent {
			index := (i + 1) % len(s.Spent)
			p := Part{Phase: s.Thread.Phase(index), From: from, Took: min(s.SpentIn(index), s.End-from)}
			if p.Took <= 0 {
				continue
			}
			if !yield(p) {
				return
			}
			from += p.Took
			if p.Phase != phase.Step {
				continue
			}
			at := p.From
			for stage := timing.NoStage + 1; stage < timing.Stages; stage++ {
				q := Part{Phase: p.Phase, Stage: stage, From: at, Took: min(s.Stages[stage], from-at)}
				if q.Took > 0 && !yield(q) {
					return
				}
				at += max(q.Took, 0)
			}
		}
	}
}

// The colours are visible on white and on black. The phases Events and Commands have the same
// colour, because they are the two ends of one exchange between the threads.
var phaseColours = [...]uint32{
	phase.Other: 0x84848c, phase.Commands: 0xc45fa8, phase.Controllers: 0x4fa64f, phase.Step: 0xe39b45,
	phase.Contacts: 0xd8603f, phase.Capture: 0xb9a52c, phase.Publish: 0x98926a,
	phase.Acquire: 0x2fb5a0, phase.Events: 0xc45fa8, phase.Upload: 0x8d82e6, phase.Draw: 0x4c9be8,
	phase.HUD: 0x77ac60, phase.Swap: 0x3f63b5,
}

var stageColours = [timing.Stages]uint32{
	timing.Pairs: 0x7b8f3a, timing.NarrowPhase: 0x3a8f86, timing.Islands: 0x7d6fb0, timing.Solve: 0xc2512e,
	timing.Sleep: 0x6f7f95, timing.Continuous: 0xa03f79,
}

// Colour returns the colour of a phase as red, green, blue and alpha.
func Colour(p phase.Phase) [4]uint8 {
	c := phaseColours[p]
	return [4]uint8{uint8(c >> 16), uint8(c >> 8), uint8(c), 255}
}

// Names returns the names of the phases of each thread, in the order of timing.Span.Spent, and
// the names of the stages.
func Names() (frame, step, stages []string) {
	for i := range phase.PerThread {
		frame, step = append(frame, phase.Render.Phase(i).String()), append(step, phase.Physics.Phase(i).String())
	}
	for s := range timing.Stages {
		stages = append(stages, s.String())
	}
	return frame, step, stages
}

// CSSColours returns the colours of all phases and stages, by name.
func CSSColours() map[string]string {
	m := map[string]string{}
	for p, c := range phaseColours {
		m[phase.Phase(p).String()] = fmt.Sprintf("#%06x", c)
	}
	for s := timing.NoStage + 1; s < timing.Stages; s++ {
		m[s.String()] = fmt.Sprintf("#%06x", stageColours[s])
	}
	return m
}

// Class returns the CSS class of a phase or stage.
func Class(name string) string { return "p-" + strings.ReplaceAll(name, " ", "-") }

// Round returns the smallest number in the series 1, 2, 5, 10 and so on that is at least d. The
// series also continues below 1.
func Round(d float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(max(d, 1e-6))))
	for _, k := range [...]float64{1, 2, 5} {
		if k*power >= d*(1-1e-9) {
			return k * power
		}
	}
	return 10 * power
}
