package hitch

import (
	"testing"
	"time"

	"halfstep/engine"
)

func TestSuspects(t *testing.T) {
	const render, physics = engine.LoopRender, engine.LoopPhysics
	for _, c := range []struct {
		e    evidence
		want string
	}{
		{evidence{loop: physics, phase: engine.PhaseStep, took: 80}, "physics"},
		{evidence{loop: physics, phase: engine.PhaseStep, took: 80, collector: 20, latency: 70}, "physics"},
		{evidence{loop: physics, phase: engine.PhaseStep, took: 80, collector: 50}, "gc"},
		{evidence{loop: render, phase: engine.PhaseDraw, took: 80, collector: 40}, "gc"},
		{evidence{loop: render, phase: engine.PhaseSwap, took: 80, latency: 70}, "driver"},
		{evidence{loop: render, phase: engine.PhaseDraw, took: 80}, "drawing"},
		{evidence{loop: render, phase: engine.PhaseUpload, took: 80}, "drawing"},
		{evidence{loop: render, phase: engine.PhaseHUD, took: 80}, "drawing"},
		{evidence{loop: render, phase: engine.PhaseEvents, took: 80}, "events"},
		{evidence{loop: render, phase: engine.PhaseAcquire, took: 80, lockstep: true}, "lockstep"},
		{evidence{loop: render, phase: engine.PhaseAcquire, took: 80, latency: 50}, "scheduler"},
		{evidence{loop: render, phase: engine.PhaseOther, took: 80, latency: 50}, "scheduler"},
		{evidence{loop: render, phase: engine.PhaseOther, took: 80, latency: 5}, "outside"},
	} {
		if got, why := c.e.suspect(); got != c.want || why == "" {
			t.Errorf("%+v: %s (%s), want %s", c.e, got, why, c.want)
		}
	}
}

func TestOnlyCollectionsThatOverlapCount(t *testing.T) {
	const m = int64(time.Millisecond)
	s := &engine.Span{Start: 100 * m, End: 180 * m}
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
	for i := range int64(100) {
		h.next().at = i * 10
	}
	for at, want := range map[int64]int64{985: 980, 990: 990, 2000: 990, 905: 900, 5: 680} {
		if got := h.before(at).at; got != want {
			t.Errorf("before %d: %d, want %d", at, got, want)
		}
	}
}
