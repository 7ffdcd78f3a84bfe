package main

import (
	"maps"

	"halfstep/cmd/viewer/scenes"
	"halfstep/renderloop/scene"
)

// controlStats writes down what the user has done.
func (v *viewer) controlStats(s *Stats) {
	s.Used = maps.Clone(v.used)
	s.Chosen = v.chosenLabel()
	if s.Loop == "" {
		s.Stepper = v.stepper().String()
	}
	sc := &v.scenes[v.current]
	for i := range sc.params {
		if p := &sc.params[i]; v.replay == nil && v.param(sc, i) != p.Default {
			if s.Parameters == nil {
				s.Parameters = map[string]float64{}
			}
			s.Parameters[p.Name] = v.param(sc, i)
		}
	}
}

// startGravity is the upward gravity of a scene as it comes.
func (v *viewer) startGravity() float64 {
	switch w := v.given.World; {
	case w.NoGravity:
		return 0
	case w.Gravity.X == 0 && w.Gravity.Y == 0:
		return -10
	default:
		return w.Gravity.Y
	}
}

// startParams are the parameters of -param.
func (o *Options) startParams() paramValues {
	if len(o.Params) == 0 {
		return nil
	}
	return paramValues{o.Scene: maps.Clone(o.Params)}
}

// fitBeside makes the camera of a scene show as much of its width beside the panel
// as it would without it, if the window is not wide enough for both.
func (v *viewer) fitBeside(place scenes.View) {
	wide := v.panel.width(v.surface)
	if wide == 0 || place.Height == 0 || v.surface.empty() {
		return
	}
	b := scene.BoundsOf(v.view)
	c := v.camera.Camera
	half := v.half()
	aspect := float64(half.w) / float64(half.h)
	full := float64(v.surface.w) / float64(v.surface.h)
	// What the scene shows at its sides without the panel, as far as something is
	// there.
	need := min(c.Height*full, 2*max(c.X-b.MinX, b.MaxX-c.X)*1.04)
	if has := c.Height * aspect; need > has && !b.Empty() {
		v.camera.Height *= need / has
	}
}
