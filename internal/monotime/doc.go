// Package monotime is a clock for measuring frames, steps and phases.
//
// Except on Windows it is package time. On Windows the clock of Go's runtime
// stands still between two interrupts of the system's timer, for 0.5 to 15.6 ms,
// and a step or the jitter of a frame is shorter than that. So there this package
// reads the performance counter, which advances every 0.1 µs. For sleeping, the
// runtime's own timers suffice: they are exact to about 0.5 ms.
package monotime
