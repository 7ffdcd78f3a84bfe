package main

import (
	"testing"
	"time"

	"halfstep/buffer/phase"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/look"
	"halfstep/renderloop/glrender"
)

func TestATimelineAllocatesNothing(t *testing.T) {
	b := newBench(t, "-scene drift -clock fixed:144 -timeline -hud=false")
	b.Stage.Player.SetPaused(true)
	b.run(300)
	canvas := new(glrender.Renderer)
	frame := func() {
		b.run(1)
		b.picture.Figures.Frame(70*time.Millisecond, b.Stage.Player) // a refresh every fourth frame
		b.picture.Timeline.Draw(canvas.BeginHUD(b.picture.Viewport()), b.picture)
	}
	for range 300 {
		frame()
	}
	if n := testing.AllocsPerRun(500, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// drawn is how many quads the timeline draws.
func (b *bench) drawn() int {
	c := new(glrender.Renderer).BeginHUD(b.picture.Viewport())
	b.picture.Timeline.Draw(c, b.picture)
	return quads(c)
}

func TestTheTimelineIsToggledByAKey(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(3)
	if b.picture.Timeline.On || b.drawn() != 0 {
		t.Error("shown from the start")
	}
	b.press(input.KeyT)
	if !b.picture.Timeline.On || b.drawn() == 0 {
		t.Error("not shown")
	}
	b.press(input.KeyT)
	if b.picture.Timeline.On || b.drawn() != 0 {
		t.Error("still shown")
	}
}

func TestTheTimelineFitsOrIsLeftOut(t *testing.T) {
	b := newBench(t, "-scene drift -timeline")
	b.run(3)
	for _, s := range []input.Surface{{W: 1, H: 1, Scale: 1}, {W: 200, H: 2000, Scale: 1}, {W: 2000, H: 100, Scale: 1}} {
		b.picture.Surface = s
		if n := b.drawn(); n != 0 {
			t.Errorf("%dx%d: %d things drawn", s.W, s.H, n)
		}
	}
}

func TestTheNewestFrameEndsAtTheRightEdge(t *testing.T) {
	s := look.TimeScale{End: 1000, Window: 100, X: 10, Wide: 50}
	for ns, want := range map[int64]float32{1000: 60, 950: 35, 900: 10, 500: 10, 2000: 60} {
		if got := s.At(ns); got != want {
			t.Errorf("%d is at %v, want %v", ns, got, want)
		}
	}
	c := new(glrender.Renderer).BeginHUD(glrender.Viewport{W: 500, H: 500})
	s.Span(c, &phase.Span{Start: 100, End: 200, Spent: [7]int64{100}}, 0)
	if quads(c) != 0 {
		t.Error("what was long ago is drawn")
	}
	s.Span(c, &phase.Span{Start: 910, End: 990, PlannedSleep: 30, Spent: [7]int64{40, 40}}, 0)
	if n := quads(c); n != 3 { // commands, other, and where it begins
		t.Errorf("%d things drawn", n)
	}
}

func TestTheCountersHaveRoomBesideTheHistogram(t *testing.T) {
	for unit := 1; unit <= 3; unit++ {
		for _, line := range []string{
			"frames that stood still 1234  steps that waited 12345 of 12345",
			"collections 1234  pauses 1234, longest 12.3 ms, total 1234 ms",
		} {
			if w := look.LabelWidth(unit, line); w > look.CountersWide {
				t.Errorf("unit %d: %q is %v wide", unit, line, w)
			}
		}
	}
}

func TestTheNamesOfTheLanesStandBesideThem(t *testing.T) {
	for unit := 1; unit <= 3; unit++ {
		for _, name := range []string{"render", "physics"} {
			if w := look.LabelWidth(unit, name); w > look.LaneNames {
				t.Errorf("unit %d: %q is %v wide", unit, name, w)
			}
		}
	}
}
