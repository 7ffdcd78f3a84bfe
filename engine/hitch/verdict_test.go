package hitch

import (
	"testing"
	"time"

	"halfstep/buffer/phase"
	"halfstep/internal/timing"
)

func TestTheFirstSuspectIsWhatTheEvidencePointsTo(t *testing.T) {
	const render, physics = phase.Render, phase.Physics
	for _, c := range []struct {
		e    evidence
		want string
	}{
		{evidence{loop: physics, phase: phase.Step, took: 80}, "physics"},
		{evidence{loop: physics, phase: phase.Step, took: 80, collector: 20, latency: 70}, "physics"},
		{evidence{loop: physics, phase: phase.Step, took: 80, collector: 50}, "gc"},
		{evidence{loop: render, phase: phase.Draw, took: 80, collector: 40}, "gc"},
		{evidence{loop: render, phase: phase.Swap, took: 80, latency: 70}, "driver"},
		{evidence{loop: render, phase: phase.Draw, took: 80}, "drawing"},
		{evidence{loop: render, phase: phase.Upload, took: 80}, "drawing"},
		{evidence{loop: render, phase: phase.HUD, took: 80}, "drawing"},
		{evidence{loop: render, phase: phase.Events, took: 80}, "events"},
		{evidence{loop: render, phase: phase.Acquire, took: 80, lockstep: true}, "lockstep"},
		{evidence{loop: render, phase: phase.Swap, took: 28, planned: 12, missed: 1}, "late start"},
		{evidence{loop: render, phase: phase.Draw, took: 28, planned: 12, missed: 1}, "drawing"},
		{evidence{loop: render, phase: phase.Acquire, took: 80, latency: 50}, "scheduler"},
		{evidence{loop: render, phase: phase.Other, took: 80, latency: 50}, "scheduler"},
		{evidence{loop: render, phase: phase.Other, took: 80, latency: 5}, "outside"},
	} {
		c.e.inPhase = c.e.took
		if c.e.collector > 0 {
			c.e.cycles = 1
		}
		if got := c.e.suspects()[0]; got.Name != c.want || len(got.For) == 0 {
			t.Errorf("%+v: %+v, want %s", c.e, got, c.want)
		}
	}
}

func TestOnlyCollectionsThatOverlapCount(t *testing.T) {
	const m = int64(time.Millisecond)
	s := &timing.Span{Start: 100 * m, End: 180 * m}
	for _, c := range []struct {
		ends   []int64
		mark   float64
		cycles int
		ms     float64
	}{
		{nil, 10, 0, 0},
		{[]int64{99 * m}, 10, 0, 0},
		{[]int64{200 * m}, 10, 0, 0},
		{[]int64{105 * m}, 10, 1, 5},
		{[]int64{150 * m}, 10, 1, 10},
		{[]int64{185 * m}, 10, 1, 5},
		{[]int64{170 * m, 150 * m, 50 * m}, 10, 2, 20},
		{[]int64{180 * m, 170 * m, 160 * m, 150 * m}, 60, 4, 80},
	} {
		if n, ms := collecting(s, c.ends, c.mark); n != c.cycles || ms != c.ms {
			t.Errorf("%v of %v ms: %d cycles, %v ms", c.ends, c.mark, n, ms)
		}
	}
}

func TestAHistoryFindsTheSampleBeforeATime(t *testing.T) {
	var h history
	for i := range int64(200) {
		h.next().at = i * 10
	}
	for at, want := range map[int64]int64{1985: 1980, 1990: 1990, 3000: 1990, 1905: 1900, 5: 400} {
		if got := h.before(at).at; got != want {
			t.Errorf("before %d: %d, want %d", at, got, want)
		}
	}
}
