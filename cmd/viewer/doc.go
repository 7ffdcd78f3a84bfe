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
// standard error.
//
// # Environment
//
// GOMAXPROCS, where it is set, is left alone; otherwise the viewer raises it to
// 4, without which frame times suffer on machines with few cores.
package main
