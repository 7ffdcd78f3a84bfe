// Package engine puts 2D physics on a goroutine of its own in somebody's OpenGL
// application, and gives the thread that draws a smooth state for every frame.
//
// # The shape of a program
//
// The thread that draws owns the engine. Once a frame, right after the present
// has returned, it calls Frame and draws what it gets:
//
//	e, err := engine.New(engine.Config{Setup: buildScene})
//	if err != nil { … }
//	defer e.Close()
//	for !window.ShouldClose() {
//		e.Frame()
//		if p, ok := e.Pose(player); ok {
//			draw(p.X, p.Y, p.Angle)
//		}
//		window.SwapBuffers()
//	}
//
// Frame advances the clock, asks physics for the steps that are due, takes the
// newest pair of states and says where between them the shown instant lies. It
// never waits for physics (in Pipelined, the default), takes no lock and
// allocates nothing. Physics steps at a fixed rate, 60 Hz unless told
// otherwise, and sleeps while nothing is asked of it.
//
// # Who may touch what
//
// The world (World) can be reached only from functions that the engine calls on
// the physics goroutine: Config.Setup, Do, controllers and contact hooks. They
// must not keep it: a build with -race panics where a kept World is used on
// another goroutine.
//
// The methods of Engine belong to the goroutine that draws. Commands given
// through them join the frame in hand and take no lock. Other goroutines give
// theirs through Remote; they join the next frame, and Remote says how many can
// wait. Failure and Busy may be called from anywhere, Close from anywhere but
// the physics goroutine. There Close would wait for itself, as Frame and Advance
// would in Lockstep and on injected clocks: they panic instead, and that, like
// every panic and every runtime.Goexit in user code on that goroutine, is a
// Failure.
//
// Commands given after Close or a Failure are dropped and counted
// (DroppedCommands), and their handles stay stale.
//
// An embedding program should let GOMAXPROCS be at least the number of its
// goroutines that keep a core busy plus two, even above the number of cores:
// with less it runs, but frames come late beside a long step. WakePromptly, on
// the thread that draws, does away with what the system's scheduler adds to
// that.
//
// # Commands, handles and events
//
// CreateBody returns a handle at once; the body comes to be before the next
// step. Handles are never reused, so one that outlives its body reaches nobody:
// the command is dropped, counted, and reported by a Rejected event.
//
// A force acts on every step of the frame it is given in; a frame without a
// step keeps it for the next one. An impulse acts once. At places commands at a
// tick instead of a frame, which makes a script independent of the frame rate.
//
// Events come from NextEvent, each once and in order, when the shown instant
// reaches their tick: nothing explodes before it is seen to touch. With
// Config.EventsAtOnce they come as soon as they are known. Who takes them in
// every frame gets every one of them. Who does not keeps at most 32,768 that were
// due in earlier frames; the oldest beyond that are dropped, and counted in Stats
// and Figures.
//
// # Time
//
// The clock is exact: rates and scales are fractions, and the Ledger accounts
// for every nanosecond as simulated, residual or dropped, with the cause. Frame
// times above a quarter of a second are cut, and no more than Config.MaxSteps
// steps are ever outstanding: after a stall the world goes on from where it
// was, it never catches up at high speed. When steps cost more than their own
// time the clock slows down evenly.
//
// Advance takes the frame time from the caller. With Config.Injected it also
// waits for what the frame must show, so that a run is the same every time: for
// tests, servers and tools.
//
// # Recordings
//
// Config.Record takes down every command with its tick, and a hash of the world
// after every step. A Recording replays in an engine or, with Verify, as fast
// as it can, and names the first tick, body and value that differ. Results are
// the same to the bit for the same build on the same architecture.
//
// A recording is written on a goroutine of its own. Where that fails, whatever
// the writer does, the recording ends and the run goes on: RecordOptions.OnError
// and Close tell why. What was written before replays up to its last whole tick.
// A file is synced twice a second, so a loss of power costs no more than half a
// second.
//
// # What there is no command for
//
// Do runs a function on the physics goroutine before the next step; DoNamed one
// that has a name, so that a recording can keep it. Ask, RayCast, QueryPoint and
// QueryBox bring an answer back among the events, with the tick at which it was
// so. Controllers run before every step, contact hooks after it. Programs that
// blend themselves take States and View in place of Pose.
//
// docs/embedding.md leads from an empty folder to a replayed recording; examples
// has a GLFW application, a server, a game, and a simulation that is not Box2D.
//
// # Units
//
// Metres, kilograms, seconds, radians; y points up. Box2D is at home with
// moving bodies of 0.1 to 10 m. Speeds are limited to 2 m a step (120 m/s at 60
// Hz), and a fast body that is not a Bullet passes through dynamic bodies.
package engine
