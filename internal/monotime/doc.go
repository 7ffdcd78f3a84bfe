// Package monotime is a clock for measuring frames, steps and phases.
//
// Except on Windows it is package time. On Windows the clock of the Go runtime
// advances only at interrupts of the system's timer, every 0.5 to 15.6 ms. A step
// is shorter than that. On Windows this package therefore reads the performance
// counter, which advances every 0.1 µs. The timers of the runtime are good enough
// for sleeping: they are accurate to about 0.5 ms.
package monotime
