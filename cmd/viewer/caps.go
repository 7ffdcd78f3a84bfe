package main

import (
	"fmt"
	"slices"
)

// frameCaps are the caps that key V goes through; see capFrames.
var frameCaps = []int{0, 10, 30, 60, 144, -1}

func (v *viewer) NextCap() {
	v.capFrames(frameCaps[(slices.Index(frameCaps, v.cap)+1)%len(frameCaps)])
	v.picture.Say("frames: " + capName(v.cap))
}

func capName(fps int) string {
	switch {
	case fps == 0:
		return "vsync"
	case fps < 0:
		return "uncapped"
	}
	return fmt.Sprintf("%d per second", fps)
}

// capFrames sets the frame cap: 0 is vsync, -1 is uncapped. With a simulated clock
// frames are never capped.
func (r *run) capFrames(fps int) {
	r.cap, r.capName = fps, capName(fps)
	r.capNames = capNames
	if !slices.Contains(frameCaps, fps) {
		r.capNames = append(slices.Clone(capNames), r.capName)
	}
	if r.source.Simulated() {
		fps, r.capName = -1, "simulated clock"
	}
	r.limit.Set(fps)
	if fps == 0 {
		r.screen.Interval(1)
	} else {
		r.screen.Interval(0)
	}
}

var capNames []string // of frameCaps

func init() {
	for _, n := range frameCaps {
		capNames = append(capNames, capName(n))
	}
}

func (r *run) Caps() (names []string, at int) {
	if at = slices.Index(frameCaps, r.cap); at < 0 { // the rate that -fps gave
		at = len(frameCaps)
	}
	return r.capNames, at
}

func (r *run) SetCap(i int) { r.capFrames(frameCaps[i]) }
