// Viewer opens a scene, steps it on a physics goroutine and draws it from a render
// thread.
//
//	viewer [flags] [scene.json or recording]
//
// A scene is built in (-scene NAME; -list lists them) or a file that R.U.B.E. or
// b2dJson has exported, or that b2World::Dump wrote. viewer -h lists the flags; F1 in
// the window lists the keys.
//
// # Threads
//
// The main thread owns the window system and sleeps in WaitEvents. It puts events
// into a queue for the render thread, which owns GL, the clock and the engine. The
// engine has a goroutine of its own for physics. On macOS the window system cannot be
// used while another thread draws: there the main thread is also the render thread.
//
// # Exit status
//
// The status is 0 for success, 1 if the run failed and 2 for bad usage. With 1 and 2,
// one line on the standard error says why. The run also fails if an output cannot be
// written, the standard output included. A recording that fails is reported at once,
// and again at the end.
//
// # Signals
//
// INT, TERM and HUP end the run in the same way as closing the window: the files are
// written, and the status is that of the run. HUP does nothing if it is ignored, as
// under nohup. The viewer waits 3 seconds for physics, or 5 if a frame is waiting for
// it. If a step or the setup of a scene takes longer, the recording ends with the
// step before, all other files are written, and the status is 1.
//
// With -black-box, QUIT writes the last seconds before it ends the process with the
// stacks of all goroutines.
//
// A second signal ends the process at once, with status 128 plus the number of the
// signal. So does the first one if there is no window yet; no file has been written
// by then. Closing the standard output does not end the run.
//
// # Files
//
// The viewer refuses to write a file that it also reads, or that two flags name. A
// file that is written at the end replaces an older one only when it is complete. A
// recording, a log, a CPU profile and an execution trace replace an older file with
// their first byte. Text from files is shown in one line, with control characters
// escaped.
//
// # Environment
//
// The viewer sets GOMAXPROCS to at least 4, because with less frames come late on
// machines with few cores. If the environment sets GOMAXPROCS, that value stays.
package main
