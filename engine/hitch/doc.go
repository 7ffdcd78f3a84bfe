// Package hitch says why a frame or a step came late.
//
// A Recorder runs the runtime's flight recorder in the background. When a step
// or a frame of a watched engine takes longer than it may, another goroutine
// finds the cause, says it in a sentence (Report.Verdict), and writes files that
// differ in their suffixes:
//
//	.html   the report, to look at: sentence, timeline, suspects, commands
//	.json   the report, for programs
//	.trace  the last seconds, for go tool trace
//	.rec    the last seconds as a recording, if the engine has a black box
//
// An engine tells the Recorder with a send on a channel that never waits; a late frame also
// notes the stack of its caller.
//
//	rec, err := hitch.Start(hitch.Options{Dir: "hitches", Threshold: 20 * time.Millisecond})
//	...
//	defer rec.Close()
//	e, err := engine.New(config)
//	rec.Watch(e.Trace())
//
// A step that is late and the frame that is late because of it are one hitch.
// Hitches that follow another within Options.Every are only counted, unless they took
// more than twice as long, so that the first does not hide a much worse one. The oldest files
// go when there are more than Options.MaxDumps or MaxBytes.
package hitch
