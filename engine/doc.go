// Package engine runs 2D physics (Box2D) on a goroutine of its own, and gives the thread that draws
// a smooth picture of it for every frame. A program that already has a window and a render loop can
// embed it.
//
// # The shape of a program
//
// The thread that draws owns the engine. It calls Frame once per frame, right after the swap of the
// window's buffers, and draws each body at its Pose:
//
//	e, err := engine.New(engine.Config{Setup: func(w *world.World) error {
//		_, err := w.CreateBody(world.BodyDef{Name: "ground", Shapes: []world.ShapeDef{world.Box(20, 0.5)}})
//		return err
//	}})
//	if err != nil { … }
//	defer e.Close()
//	ball := e.CreateBody(world.BodyDef{
//		Name: "ball", Kind: world.Dynamic, Position: world.Vec{Y: 10},
//		Shapes: []world.ShapeDef{world.Circle(0.5)},
//	})
//	for !window.ShouldClose() {
//		e.Frame()
//		for ev := range e.Events() {
//			fmt.Println(ev) // tick 81: "ball" hit "ground" with 10.6 N·s
//		}
//		if p, ok := e.Pose(ball); ok {
//			draw(p.X, p.Y, p.Angle)
//		}
//		window.SwapBuffers()
//	}
//
// Frame advances the clock, asks physics for the steps that are due, takes the two newest states
// and blends between them. Frame takes no lock and allocates nothing. The picture is one step
// behind the clock, as in every loop that interpolates. In the default mode, Pipelined, Frame never
// waits for physics, and the picture is one frame further behind. In Lockstep, Frame waits for the
// steps of the frame, so the picture is not that one frame behind. RunAhead shows the instant at
// which the frame will be seen. For that it computes steps before they are due, and computes them
// again when a command comes.
//
// # Commands and events
//
// The engine's commands (CreateBody, Force, Teleport and the other methods of world.Commands) take
// effect before the next step. CreateBody returns the body's handle at once. Handles are never used
// again. A command for a body that no longer exists is dropped, and a CommandRejected event reports
// that.
//
// A force acts in every step of its frame. If the frame has no step, the force acts in the next
// frame that has a step. An impulse acts once. At(tick) gives commands that take effect at a tick,
// whatever the frame rate is. Do runs a function of yours on the physics goroutine.
//
// Events yields each event once and in order, when the picture reaches the tick of the event, or in
// RunAhead when that tick is due. In a pause, the events that a command causes come together with
// the picture of the command's effect. With Time.EventsAtOnce, Events yields events as soon as they
// are known.
//
// # Questions
//
// Shown answers at once which drawn shapes a ray, a point, a box or a shape meets in this frame:
// for the mouse, lines of sight and other questions about the picture. Pick returns only the
// topmost body at a point.
//
// RayCast, QueryPoint, QueryBox and world.Ask ask the world itself, on the physics goroutine; their
// answers are exact and repeatable. The reply is called from Events, with the tick at which it is
// true.
//
// # Threads
//
// All methods of Engine belong to the goroutine that draws, except those whose documentation says that
// any goroutine may call them. Remote returns commands for the other goroutines, and NewReader returns
// a view of the newest states for a goroutine that only reads.
//
// The World belongs to the physics goroutine. Only functions that the engine calls may use it:
// Config.Setup, on the goroutine that calls New, and, on the physics goroutine, functions given to
// Do, controllers and hooks. They must not keep the World. A build with -race panics if a World is
// used on another goroutine.
//
// Those functions must not call Close or Step. In modes other than Pipelined, or with
// Time.Simulated, they must not call Frame or Advance either. Such a call would wait for itself, so
// it panics. A panic or a runtime.Goexit in such a function ends physics. Failure then returns the
// reason, the picture stays the same, and commands are dropped and counted.
//
// Set GOMAXPROCS to the number of goroutines that keep a core busy plus two, even if the machine
// has fewer cores. With a smaller number, frames are late while a long step runs. Call WakePromptly
// on the thread that draws, so that the operating system runs this thread soon after it wakes.
//
// # Time
//
// Physics steps at a fixed rate, 60 Hz by default. The clock is exact: rates and time scales are
// fractions, and the Ledger accounts for every nanosecond as simulated, left over, dropped or paused.
// A frame time above a quarter of a second counts as a quarter of a second, and at most Time.MaxSteps
// steps may be demanded and not done. So after a very long frame the world continues at its normal
// speed, and does not make up for the lost time at high speed. If steps take longer than the time that
// they simulate, the clock slows down evenly.
//
// Advance takes the frame time from the caller. With Time.Simulated, Advance also waits for the
// steps that the frame shows. Then every run is the same, as tests, servers and tools need. Step
// runs an exact number of steps, on any clock and in a pause.
//
// # Recordings
//
// HistoryOptions.Record writes every command with its tick, and a hash of the world after every
// step. A Recording replays in an engine (HistoryOptions.Replay) or as fast as possible (Verify),
// and the error of a replay that differs names the first tick, body and value. One build on one
// architecture always has the same results to the bit; world.SoftStep has the same results
// everywhere. If a recording cannot be written, the recording ends and the run continues: see
// RecordOptions.
//
// StartRecording begins in the middle of a run, with a snapshot. A Player, or Seek in an engine that
// replays, goes to any tick, forward and backward. HistoryOptions.BlackBox keeps the last seconds, and
// writes them as a recording after a failure.
//
// # Rollback
//
// With HistoryOptions.Rollback the engine keeps its last ticks. Rollback goes back to one of these
// ticks and forward again with other commands, for example when the input of another player arrives
// late. The picture does not jump, and events are neither delivered twice nor lost.
// examples/rollback is a game for two players over a slow network.
//
// # Units
//
// Metres, kilograms, seconds and radians; y points up. Box2D is made for moving bodies of 0.1 to 10 m.
// It limits speeds to 2 m per step (120 m/s at 60 Hz). A fast body passes through dynamic bodies
// unless its BodyDef says Bullet.
//
// # Where the rest is
//
// Package world has bodies, shapes, joints, events and commands. Package scene (renderloop/scene)
// has the View that Frame returns, a camera and picking. Package glrender (renderloop/glrender)
// draws a View for debugging. Package clock (renderloop/clock) has rates and the Ledger. Packages
// hitch and profile (engine/hitch, engine/profile) find and explain late frames. Package fault
// causes late frames on purpose. Package rube loads scenes of R.U.B.E. docs/embedding.md is the
// guide, and examples has whole programs.
package engine
