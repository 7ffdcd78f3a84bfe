// Package clock has everything about time. A Clock turns frame times into whole
// steps and a remainder, exactly. Its Ledger accounts for every nanosecond. A
// Pacer evens out measured frame times, and an Aim finds out for which refresh of the
// display a frame is drawn. A Source supplies frame times: from the
// wall clock, at a fixed rate, or from a recorded Trace.
//
// All types belong to the render thread. All but NewWallSource are functions of
// their inputs alone, so tests need no real time.
package clock
