package main

import (
	"math"
	"slices"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
)

// point is the position of the drifting body, in m. At 1 m/s that is also the
// simulated time in s.
type point struct{ X float64 }

// order is the command of a frame. Applying it only records the simulated time.
type order struct{ frame int }

type none struct{}

// drift is the simulation that is measured: one body that moves at 1 m/s.
type drift struct {
	x float64
	// followed[i] is the simulated time, in s, after which the command of frame i was
	// applied; NaN if it has not been applied.
	followed []float64
}

func newDrift(frames int) *drift {
	return &drift{followed: slices.Repeat([]float64{math.NaN()}, frames)}
}

func (d *drift) Start(*buffer.Outbox[none]) {}
func (d *drift) BeginFrame()                {}
func (d *drift) EndFrame()                  {}
func (d *drift) Step(_ uint64, dt float64)  { d.x += dt }
func (d *drift) Counts() body2d.Counts      { return body2d.Counts{Bodies: 1, Awake: 1} }

func (d *drift) Apply(_ uint64, o *order, _ bool) { d.followed[o.frame] = d.x }

func (d *drift) Capture(dst []point) []point { return append(dst, point{d.x}) }

// shown is where the view draws the body, in m. That is also the shown instant, in
// s.
func shown(v *scene.View[point]) float64 {
	c := v.Cur[0].X
	if len(v.Prev) == 0 {
		return c
	}
	p := v.Prev[0].X
	return p + float64(v.Alpha)*(c-p)
}
