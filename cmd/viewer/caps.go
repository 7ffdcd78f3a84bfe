package main

import (
	"fmt"
	"slices"
)

// standardCaps are the caps of frames per second that key V goes through: 0 is vsync, -1 is uncapped.
var standardCaps = []int{0, 10, 30, 60, 144, -1}

func (v *viewer) NextCap() {
	v.setCap(standardCaps[(slices.Index(standardCaps, v.cap)+1)%len(standardCaps)])
	v.picture.Say("frames: " + capText(v.cap))
}

func capText(fps int) string {
	switch {
	case fps == 0:
		return "vsync"
	case fps < 0:
		return "uncapped"
	}
	return fmt.Sprintf("%d per second", fps)
}

// setCap sets the frame cap. With a simulated clock frames are never capped.
func (r *run) setCap(fps int) {
	r.cap = fps
	if r.source.Simulated() {
		fps = -1
	}
	r.limit.Set(fps)
	if fps == 0 {
		r.screen.Interval(1)
	} else {
		r.screen.Interval(0)
	}
}

// Caps returns the caps that the user can choose, and the index of the present one: the standard ones,
// and last that of -fps, while it is set and not among them.
func (r *run) Caps() (names []string, at int) {
	if at = slices.Index(standardCaps, r.cap); at >= 0 {
		return standardCapTexts, at
	}
	if len(r.otherCap) == 0 || r.otherCap[len(standardCaps)] != capText(r.cap) {
		r.otherCap = append(slices.Clone(standardCapTexts), capText(r.cap)) // once, and not in each frame
	}
	return r.otherCap, len(standardCaps)
}

// SetCap sets one of the caps that Caps returns. A click on the present one does not call it.
func (r *run) SetCap(i int) { r.setCap(standardCaps[i]) }

var standardCapTexts []string

func init() {
	for _, n := range standardCaps {
		standardCapTexts = append(standardCapTexts, capText(n))
	}
}
