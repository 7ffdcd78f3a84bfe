// Package clock turns frame times into whole steps and a remainder, exactly. The
// Ledger of a Clock accounts for every nanosecond.
//
// The state of a Clock depends only on the calls of its methods, so tests need no real time.
package clock
