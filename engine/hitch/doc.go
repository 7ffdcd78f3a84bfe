// Package hitch keeps the execution trace of the moments before a frame or a
// step that came late.
//
// A Recorder runs the runtime's flight recorder in the background. When a step
// or a frame of a watched engine takes longer than it may, another goroutine
// writes the last seconds to a file that go tool trace opens, and beside it a
// JSON file that says what was late, in which phase, and what the collector, the
// scheduler and the engine were about. The goroutine that was late does no more
// than a send that never waits.
//
//	rec, err := hitch.Start(hitch.Options{Dir: "hitches", Threshold: 20 * time.Millisecond})
//	...
//	defer rec.Close()
//	e, err := engine.New(config)
//	rec.Watch(e)
//
// A step that is late and the frame that is late because of it are one hitch.
// Hitches that follow another within Options.Every are only counted, and the
// oldest files go when there are more than Options.MaxDumps or MaxBytes.
package hitch
