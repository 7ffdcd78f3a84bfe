package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestEachHalfIsLabelledWithWhatDiffers(t *testing.T) {
	for args, want := range map[string][2]string{
		"-compare soft":                     {"fast", "soft"},
		"-compare soft -loop single":        {"fast", "soft"},
		"-compare lockstep":                 {"pipelined", "lockstep"},
		"-compare hermite":                  {"interpolate", "hermite"},
		"-compare naive":                    {"pipelined", "naive"},
		"-compare pacing":                   {"not paced", "paced"},
		"-compare nopacing -pacing auto":    {"paced", "not paced"},
		"-compare none -pacing auto":        {"interpolate", "none"},
		"-compare soft -stepper soft":       {"the same", "the same"},
		"-compare single -pacing auto":      {"pipelined", "single"},
		"-compare pipelined -loop variable": {"variable  none", "pipelined  interpolate"},
	} {
		b := newBench(t, "-scene drift "+args)
		b.run(1)
		left, right := b.picture.Labels()
		right, _, _ = strings.Cut(right, "  drift ")
		if left != want[0] || right != want[1] {
			t.Errorf("%s: %q and %q", args, left, right)
		}
	}
}

func TestTheLabelsOfNarrowHalvesAreWhole(t *testing.T) {
	b := newPanelBench(t, "-scene drift -compare nopacing -pacing auto")
	b.run(60)
	left, right := b.picture.Labels()
	for _, panel := range []bool{false, true} {
		for width := 560; width < 1600; width += 20 {
			b.panel.On, b.picture.Surface.W = panel, width
			tags, middle, end := b.picture.Tags(), float32(b.picture.Half().W), float32(width-b.panel.Width(b.picture.Surface))
			l, r := &tags[0], &tags[1]
			if l.X < 0 || l.X+l.W > middle || r.X < middle || r.X+r.W > end {
				t.Errorf("%d pixels, panel %v: the halves end at %v and %v, the labels are at %+v", width, panel, middle, end, tags)
			}
			if !slices.Equal(strings.Fields(l.Text+" "+r.Text), strings.Fields(left+" "+right)) {
				t.Errorf("%d pixels: %q and %q do not say what %q and %q say", width, l.Text, r.Text, left, right)
			}
			if width > 1500 && strings.Contains(l.Text+r.Text, "\n") {
				t.Errorf("%d pixels: %q and %q have more than a line", width, l.Text, r.Text)
			}
		}
	}
}

func TestTheTowersAreComparedByTheirTops(t *testing.T) {
	b := newBench(t, "-scene tower -compare fast")
	b.run(600)
	d, ok := b.Sampler.Apart()
	if _, right := b.picture.Labels(); !ok || d < 10 || !strings.HasSuffix(right, fmt.Sprintf("top %.2f m apart", d)) {
		t.Errorf("%v m apart: %s", d, right)
	}
}
