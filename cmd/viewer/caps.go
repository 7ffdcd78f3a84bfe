package main

import (
	"fmt"
	"slices"
)

// standardCaps are the limits for frames per second that key V goes through. The value 0 is vsync, and
// -1 is no limit.
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

// setCap sets the limit for frames per second. With a simulated clock there is never a limit.
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

// Caps returns the frame limits that the user can choose, and the index of the present limit. The list
// has the standard limits. If the limit of -fps is set and is not a standard limit, it is the last in
// the list.
func (r *run) Caps() (names []string, at int) {
	if at = slices.Index(standardCaps, r.cap); at >= 0 {
		return standardCapTexts, at
	}
	if len(r.otherCap) == 0 || r.otherCap[len(standardCaps)] != capText(r.cap) {
		r.otherCap = append(slices.Clone(standardCapTexts), capText(r.cap)) // make the list once, and not in each frame
	}
	return r.otherCap, len(standardCaps)
}

// SetCap sets one of the limits that Caps returns. A click on the present limit does not call it.
func (r *run) SetCap(i int) { r.setCap(standardCaps[i]) }

var standardCapTexts []string

func init() {
	for _, n := range standardCaps {
		standardCapTexts = append(standardCapTexts, capText(n))
	}
}
