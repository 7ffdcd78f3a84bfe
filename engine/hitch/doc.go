// Package hitch says why a frame or a step came late.
//
// A Recorder runs the runtime's flight recorder in the background. When a step or a frame of
// a watched engine takes longer than it may, another goroutine finds the cause, states it in
// a sentence (Report.Verdict), and writes files with these suffixes:
//
//	.html   the report as a page: sentence, timeline, suspects, commands
//	.json   the report, for programs
//	.trace  the last seconds, for go tool trace
//	.rec    the last seconds as a recording, if the engine has a black box
//
// To notify the Recorder, an engine sends on a channel and never waits. A late frame also
// records the stack of its caller.
//
//	rec, err := hitch.Start(hitch.Options{Dir: "hitches", Threshold: 20 * time.Millisecond})
//	...
//	defer rec.Close()
//	e, err := engine.New(config)
//	rec.Watch(e.Trace())
//
// A late step and the frame that it delays are one hitch. A hitch that comes sooner than
// Options.Every after another one is only counted, unless it took more than twice as long.
// The oldest files are removed when there are more than Options.MaxDumps or MaxBytes.
package hitch
