// Package clock turns frame times into whole steps and a remainder, exactly. The
// Ledger of a Clock accounts for every nanosecond.
//
// A Clock belongs to the render thread. It is a function of the calls made, so tests
// need no real time.
package clock
