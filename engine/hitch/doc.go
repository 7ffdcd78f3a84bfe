// Package hitch finds out why a frame or a step took too long.
//
// A Recorder runs the runtime's flight recorder. When a step or a frame of a watched engine takes
// longer than Options.Threshold, the goroutine of the Recorder looks for the cause, describes the
// cause in a sentence (Report.Verdict), and writes files with these suffixes:
//
//	.html   the report as a page: sentence, timeline, suspects, commands
//	.json   the report, for programs
//	.trace  the last seconds, for go tool trace
//	.rec    the last seconds as a recording, if the engine has a black box
//
// The engine reports a late step or frame on a channel, and never waits.
//
//	rec, err := hitch.Start(hitch.Options{Dir: "hitches", Threshold: 20 * time.Millisecond})
//	...
//	defer rec.Close()
//	e, err := engine.New(config)
//	rec.Watch(e.Trace())
//
// A late step and the frames that it delays are one hitch. If a hitch comes less than Options.Every
// after the last report, the Recorder writes a report only if a step or frame took more than twice
// as long, and otherwise only counts the hitch. The Recorder removes the oldest files when there
// are more than Options.MaxDumps hitches or Options.MaxBytes bytes.
package hitch
