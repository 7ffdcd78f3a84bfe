package world

import "halfstep/internal/exports"

// Controller acts on the world before each step: buoyancy, wind, steering. It runs on the
// physics goroutine.
//
// A steady effect should be a force, which acts in each part of a step, like gravity. An
// impulse acts at once, before the step. With [SoftStep] an impulse that balances gravity
// therefore also lifts the body, by 6 cm in a second at 60 Hz. A force acts in one step, so
// its controller must apply it before each step. The force keeps the body awake.
type Controller interface {
	// BeforeStep is called before a step. The parameter dt is the time to the next call, in s.
	BeforeStep(w *World, dt float64)
}

// ControllerFunc makes a Controller of a function.
type ControllerFunc func(w *World, dt float64)

// BeforeStep calls f. The parameter dt is in s.
func (f ControllerFunc) BeforeStep(w *World, dt float64) { f(w, dt) }

// AddController adds a controller that runs before every step.
func (w *World) AddController(c Controller) { w.AddControllerEvery(1, c) }

// AddControllerEvery adds a controller that runs before every n-th step, beginning with
// the first step. At 60 steps a second and n = 6 it runs at 10 Hz. Its BeforeStep gets the
// duration of n steps. An n below 1 counts as 1. The controllers of package forces run
// before every step for any n, because their forces act in one step.
func (w *World) AddControllerEvery(n int, c Controller) {
	w.checkGoroutine()
	if f, ok := c.(ControllerFunc); c == nil || ok && f == nil {
		panic("world: AddController was given nil instead of a controller")
	}
	if exports.Steady(c) {
		n = 1
	}
	w.controls = append(w.controls, control{c, uint64(max(n, 1))})
}

type control struct {
	Controller
	every uint64
}
