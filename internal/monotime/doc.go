// Package monotime tells the time for measuring: of frames, steps and phases.
//
// Everywhere but on Windows it is package time. There the clock of Go's runtime
// stands still between two interrupts of the system's timer, for 0.5 to 15.6 ms,
// and a step or the jitter of a frame is shorter than that. So on Windows this
// package reads the performance counter, which moves every 0.1 µs. Sleeping needs
// nothing of the kind: the runtime's own timers are exact to about 0.5 ms.
package monotime
