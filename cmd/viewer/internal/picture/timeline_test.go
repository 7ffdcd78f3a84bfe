package picture

import (
	"reflect"
	"testing"

	"halfstep/internal/timing"
	"halfstep/renderloop/glrender"
)

func TestTheNewestFrameEndsAtTheRightEdge(t *testing.T) {
	s := TimeScale{end: 1000, window: 100, x: 10, wide: 50}
	for ns, want := range map[int64]float32{1000: 60, 950: 35, 900: 10, 500: 10, 2000: 60} {
		if got := s.at(ns); got != want {
			t.Errorf("%d is at %v, want %v", ns, got, want)
		}
	}
	c := new(glrender.Renderer).BeginHUD(glrender.Viewport{W: 500, H: 500})
	s.span(c, &timing.Span{Start: 100, End: 200, Spent: [7]int64{100}}, 0)
	if quads(c) != 0 {
		t.Error("what was long ago is drawn")
	}
	s.span(c, &timing.Span{Start: 910, End: 990, PlannedSleep: 30, Spent: [7]int64{40, 40}}, 0)
	if n := quads(c); n != 3 { // the phases Commands and Other, and the line at the start of the span
		t.Errorf("%d things drawn", n)
	}
}

func TestTheCountersHaveRoomBesideTheHistogram(t *testing.T) {
	for unit := 1; unit <= 3; unit++ {
		for _, line := range []string{
			"frames that stood still 1234  steps that waited 12345 of 12345",
			"collections 1234  pauses 1234, longest 12.3 ms, total 1234 ms",
		} {
			if w := LabelWidth(unit, line); w > countersWide {
				t.Errorf("unit %d: %q is %v wide", unit, line, w)
			}
		}
	}
}

func TestTheNamesOfTheLanesStandBesideThem(t *testing.T) {
	for unit := 1; unit <= 3; unit++ {
		for _, name := range []string{"render", "physics"} {
			if w := LabelWidth(unit, name); w > laneNames {
				t.Errorf("unit %d: %q is %v wide", unit, name, w)
			}
		}
	}
}

// quads returns the number of quads that were drawn.
func quads(c *glrender.HUD) int { return reflect.ValueOf(c).Elem().FieldByName("list").Len() }
