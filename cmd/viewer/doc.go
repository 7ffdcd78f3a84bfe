// Viewer opens a scene, steps it on its own goroutine and draws it from a
// render thread.
//
//	viewer [flags] [scene.json]
//
// A scene is one of those built in (-list, -scene NAME) or a file that
// R.U.B.E. or b2dJson exported. viewer -h lists the flags, F1 in the window the
// keys.
//
// # Threads
//
// The main thread owns the window system and sleeps in WaitEvents; what
// happens there goes through a queue to the render thread, which owns GL, the
// clock and the engine. Physics has a goroutine of its own inside the engine.
// Where the window system can not be used beside another thread that draws
// (macOS) all but physics is on the main thread.
//
// # Exit status
//
// 0 fine, 1 the run failed, 2 bad usage; 1 and 2 say why in one line on the
// standard error. What was to be written and could not be is a failure, also
// where it is the standard output. A recording that fails says so at once as
// well.
//
// # Signals
//
// INT, TERM and HUP (unless it is ignored, as under nohup) end the run as
// closing the window does: what it was to write is written, and the status is
// that of the run. It waits 3 seconds for physics. If a step or the building of
// a scene takes longer, everything else is written, the recording ends with the
// step before, and the status is 1. A second signal ends the process at once,
// with 128 and the number of the signal. So does the first one before there is
// a window: nothing has been written by then. Who closes the standard output
// does not end the run.
//
// # Files
//
// A flag can not write to a file that is read, or that another flag writes to.
// Files that are written at the end take the place of older ones only when they
// are whole; a recording, a log, a CPU profile and an execution trace do so with
// their first bytes. Names that come from files are shown in one line, with
// control characters in figures.
//
// # Environment
//
// GOMAXPROCS, where it is set, is left alone; otherwise the viewer raises it to
// 4, without which frame times suffer on machines with few cores.
package main
