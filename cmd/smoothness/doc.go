// Smoothness plays recorded frame times through the loops and reports how
// evenly each of them moves a body, as the eye sees it.
//
//	smoothness -o DIR [-cost 4ms] [-hz 60] [-max-steps 5] TRACE.csv…
//
// A trace says when each frame started and when it could be seen. It is played
// on a virtual clock, with a simulated cost for every step, through the loops
// of package renderloop (pipelined and lockstep, pacing off and auto) and of
// package baseline (none, single, naive, and for comparison fixed, variable,
// semi-fixed). The body drifts at 1 m/s, so where it is drawn is the shown
// instant, in seconds.
//
// # Traces
//
// A trace is a PresentMon, CapFrameX or OCAT CSV, or one frame time in
// milliseconds per line. Frame i starts at s[i], at the present of frame i-1,
// and is seen at v[i], MsUntilDisplayed after its own present; frames that were
// dropped are never seen. Where the display times are missing, a frame counts
// as seen when it ends. A trace of fewer than 100 frames is refused.
//
// # Measure
//
// Over consecutive frames j, i that were seen, the animation error of frame i
// is (x[i]-x[j]) - (v[i]-v[j]), x being the shown instant. The first ten are
// left out.
//
//	rms_ms, p99_ms   of its size
//	backward, still  frames that showed an earlier, or the same, instant
//	latency_ms       median of v[i]-x[i]
//	lag_ms           median of s[i]-x[i]
//	input_ms         median time from the start of the frame that gives a
//	                 command to the display of the first frame that shows it
//	wait_ms          99th percentile of the time that the steps of a frame keep
//	                 its thread from drawing; the trace does not know it, so
//	                 add it to latency_ms and input_ms
//	dropped_s        time taken from the clock and not simulated
//	held             frames that stood still because physics was late
//
// # Results
//
// DIR/smoothness.json has the figures, DIR/index.html the figures and plots in
// one file without references. A table goes to standard output.
//
// The exit status is 0, 1 if a trace is refused or a file can not be written
// (one line on standard error says which), or 2 for bad usage.
package main
