// Smoothness plays recorded frame times through several loops, and reports how evenly each of
// them moves a body on the screen.
//
//	smoothness -o DIR [-cost 4ms] [-hz 60] [-max-steps 5] TRACE…
//
// A trace says when each frame started and when it was displayed. It is played on a simulated
// clock, with a simulated cost of every step. The loops are
//
//   - pipelined and lockstep of package renderloop, each with pacing off, auto, and told:
//     like auto, but the loop gets reports of when its frames were seen;
//   - run-ahead of that package, which always gets reports;
//   - none, single and naive of package baseline;
//   - for comparison fixed, variable and semi-fixed of package baseline, and ahead, which
//     always demands one step more than is due.
//
// The body moves at 1 m/s, so its drawn position in metres is the shown instant in seconds.
//
// # Traces
//
// A trace is a recording of PresentMon, CapFrameX, OCAT, FrameView or MangoHud, or a text file
// with one frame time in milliseconds per line; docs/viewer.md has the forms. Frame i starts
// at s[i], when frame i-1 is presented. It is seen at v[i], MsUntilDisplayed after its own
// present. (With PresentMon's --v2_metrics it starts at CPUStartTime, and is seen
// DisplayLatency later.) A frame that was not displayed is never seen. If the trace has no
// display times, a frame counts as seen when it ends. A trace must have at least 100 frames,
// of which 50 were displayed. A line on the standard error names the parts of a file that were
// left out; -process selects another program's frames.
//
// # Measure
//
// Let j and i be consecutive frames that were seen, and x the shown instant. The animation
// error of frame i is (x[i]-x[j]) - (v[i]-v[j]). The first ten errors are left out.
//
//	rms_ms, p99_ms   RMS and 99th percentile of its absolute value
//	backward, still  frames that showed an earlier instant than the frame before,
//	                 or the same one
//	latency_ms       median of v[i]-x[i]
//	lag_ms           median of s[i]-x[i]; this and latency_ms mean nothing for
//	                 fixed, which runs at its own speed, and tables leave them out
//	input_ms         median time from the start of the frame that gives a
//	                 command to the display of the first frame whose states
//	                 contain it, in a run with a command in every frame
//	wait_ms          99th percentile of the time that the steps of a frame delay
//	                 its drawing, in that run; the trace does not include it, so
//	                 add it to latency_ms and input_ms
//	dropped_s        time taken from the clock and not simulated
//	held             frames that stood still because physics was late
//
// # Late starts
//
// With -start DISPLAY the costs of the frames are played too, on a display that the loop waits
// for: once with frames that begin at once, and once with frames that begin as late as
// possible (see renderloop.Loop.Delay). The costs come from the trace or from -work.
//
//	input, p99     time from an input at any instant to light, in a run with a command in
//	               every frame: median and 99th percentile
//	command        median time from the start of a frame to the light of its commands
//	missed late    refreshes that were missed because frames began late
//	missed anyway  other refreshes that showed no new frame
//	rms, latency   as above
//
// # Results
//
// DIR/smoothness.json has the metrics. DIR/index.html has the metrics and plots, in one file
// that loads nothing else. A table goes to the standard output.
//
// The exit status is 0 for success, 1 if a trace cannot be used or a file cannot be written
// (one line on the standard error says which), and 2 for bad usage.
package main
