package main

import (
	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
)

// point is the position of the drifting body, in m. At 1 m/s that is also the
// simulated time in s. It says how many commands had been applied.
type point struct {
	X        float64
	Commands int
}

// order is the command of a frame. It has no effect except that it is counted.
type order struct{}

// none is the simulation's type of events: it has none.
type none struct{}

// drift is the simulation that is measured: one body that moves at 1 m/s. For RunAhead it is a
// physicsloop.Predictor too: it steps beyond the due tick, and goes back when a command comes.
type drift struct {
	x        []float64 // position by tick, up to the newest that is predicted
	due, at  uint64    // the tick that is due by the clock, and the tick that Capture shows
	commands int
}

func newDrift() *drift { return &drift{x: []float64{0}} }

func (d *drift) Start(*buffer.Outbox[none]) {}
func (d *drift) BeginFrame()                {}
func (d *drift) EndFrame()                  {}
func (d *drift) Counts() body2d.Counts      { return body2d.Counts{Bodies: 1, Awake: 1} }

func (d *drift) Step(tick uint64, dt float64) {
	d.Settle()
	d.Predict(tick, dt)
	d.due = tick
}

func (d *drift) Apply(uint64, *order, bool) {
	d.Settle()
	d.commands++
}

func (d *drift) Capture(dst []point) []point { return append(dst, point{d.x[d.at], d.commands}) }

func (d *drift) Predicted() uint64 { return uint64(len(d.x) - 1) }

func (d *drift) Predict(tick uint64, dt float64) {
	d.x = append(d.x, d.x[tick-1]+dt)
	d.at = tick
}

func (d *drift) Confirm(tick uint64, _ float64) bool {
	if tick > d.Predicted() {
		return false
	}
	d.due = tick
	return true
}

func (d *drift) Repeat() {}

func (d *drift) Look(tick uint64) bool {
	d.at = tick
	return true
}

func (d *drift) Settle() { d.x, d.at = d.x[:d.due+1], d.due }

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
