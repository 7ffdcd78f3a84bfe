package main

import (
	"math"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/scene"
)

// point is the position of the drifting body in m, and the number of commands applied. At 1
// m/s the position is also the simulated time in s.
type point struct {
	X        float64
	Commands int
}

// order is the command of a frame. Its only effect is that it is counted.
type order struct{}

// none is the type of the simulation's events. The simulation has no events.
type none struct{}

// drift is the simulation that is measured: one body that moves at 1 m/s. For RunAhead it is
// also a physicsloop.Predictor. It then steps beyond the due tick, and goes back when a
// command comes.
type drift struct {
	x        []float64 // x is the position after each tick, up to the newest predicted tick.
	due, at  uint64    // the due tick, and the tick that Capture shows
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

func (d *drift) MoveTo(tick uint64) bool {
	d.at = tick
	return true
}

func (d *drift) Settle() { d.x, d.at = d.x[:d.due+1], d.due }

// shown returns the drawn position of the body in m, which is also the shown instant in s.
func shown(v *scene.View[point]) float64 {
	c := v.Cur[0].X
	if len(v.Prev) == 0 {
		return c
	}
	p := v.Prev[0].X
	return p + float64(v.Alpha)*(c-p)
}

// ball is the body in the plot of smoothing modes. It swings horizontally, so that its
// velocity always changes, and bounces off the floor without loss, so that its velocity jumps.
// Its states are exact, so the plot shows only the error of smoothing.
type ball struct {
	now     float64
	bounced bool
}

const (
	swing   = 1.5  // Hz
	gravity = 9.81 // m/s²
	// the period is not a multiple of a step, so that bounces happen in the middle of steps
	bounceFor = 0.3717                  // bounceFor is the time between two bounces, in s.
	upward    = gravity * bounceFor / 2 // upward is the speed at which the ball leaves the floor, in m/s.
)

// truth returns the exact position and velocity of the ball at time t.
func truth(t float64) (x, y, vx, vy float64) {
	sin, cos := math.Sincos(2 * math.Pi * swing * t)
	since := math.Mod(t, bounceFor)
	return sin, upward*since - gravity/2*since*since, 2 * math.Pi * swing * cos, upward - gravity*since
}

func (b *ball) Start(*buffer.Outbox[none])       {}
func (b *ball) BeginFrame()                      {}
func (b *ball) EndFrame()                        {}
func (b *ball) Apply(_ uint64, _ *order, _ bool) {}
func (b *ball) Counts() body2d.Counts            { return body2d.Counts{Bodies: 1, Awake: 1} }

func (b *ball) Step(_ uint64, dt float64) {
	before := math.Floor(b.now / bounceFor)
	b.now += dt
	b.bounced = math.Floor(b.now/bounceFor) != before
}

func (b *ball) Capture(dst []body2d.State) []body2d.State {
	x, y, vx, vy := truth(b.now)
	s := body2d.State{X: float32(x), Y: float32(y), VX: float32(vx), VY: float32(vy)}
	flags := body2d.Alive | body2d.Awake
	if b.bounced {
		flags |= body2d.Impact
	}
	s.SetBits(flags, 0)
	return append(dst, s)
}

// smoothed plays the trace with one smoothing mode, and returns the shown position of the ball
// in each frame. It uses Lockstep, which is only one step late, like the loop of the articles.
func smoothed(r *recording, rate clock.Rate, mode body2d.Smoothing) (x, y []float64, err error) {
	link := buffer.NewLink[body2d.State, none, order]()
	l, err := renderloop.New(link, renderloop.Config{
		Rate: rate, Sync: renderloop.Lockstep, Smoothing: mode, Simulated: true,
		Late: true, // the velocities of a state are those at the instant of the state
	})
	if err != nil {
		return nil, nil, err
	}
	physics := physicsloop.Start(&ball{}, link, physicsloop.Options{})
	defer physics.Close()
	for _, ns := range r.Frame {
		p, _ := scene.PoseOf(l.Frame(ns), 0)
		x, y = append(x, float64(p.X)), append(y, float64(p.Y))
	}
	return x, y, nil
}
