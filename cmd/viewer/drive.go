package main

import (
	"slices"

	"halfstep/cmd/viewer/scenes"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// drive gives the arrow keys to a driven scene. It reports whether it has taken the key.
func (v *viewer) drive(key glfw.Key, down bool) bool {
	if !v.scenes[v.current].Driven || v.playedRecording() != nil {
		return false
	}
	at := slices.Index([]glfw.Key{glfw.KeyLeft, glfw.KeyRight, glfw.KeyDown, glfw.KeyUp}, key)
	if at < 0 {
		return false
	}
	arrows := v.arrows
	if arrows[at] = down; arrows != v.arrows {
		v.steer(arrows)
		v.handled = true
		v.count("drive")
	}
	return true
}

// steer tells a driven scene which arrow keys are held: left, right, down, up.
func (s *session) steer(arrows [4]bool) {
	s.arrows = arrows
	way := func(minus, plus bool) (x float64) {
		if plus {
			x++
		}
		if minus {
			x--
		}
		return x
	}
	x, y := way(arrows[0], arrows[1]), way(arrows[2], arrows[3])
	s.engines(func(e *player) { e.DoNamed(scenes.DriveCommand, x, y) })
}
