package engine_test

import (
	"bytes"
	"fmt"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// ground is a floor whose surface is at y = 0.
func ground(w *world.World) error {
	_, err := w.CreateBody(world.BodyDef{
		Name: "ground", Position: world.Vec{Y: -1},
		Shapes: []world.ShapeDef{world.Box(20, 1)},
	})
	return err
}

// crate is a box with sides of 1 m that can move.
func crate(x, y float64) world.BodyDef {
	return world.BodyDef{
		Kind: world.Dynamic, Position: world.Vec{X: x, Y: y},
		Shapes: []world.ShapeDef{world.Box(.5, .5)},
	}
}

// run lets a second pass at 50 frames a second.
func run(e *engine.Engine, frame func()) {
	for range 50 {
		e.Advance(time.Second / 50)
		if frame != nil {
			frame()
		}
	}
}

// A ball falls on the ground. A program with a window calls Frame instead of Advance, leaves
// out Simulated, and swaps the buffers of the window at the end of each frame.
func Example() {
	e, err := engine.New(engine.Config{
		Setup: func(w *world.World) error {
			_, err := w.CreateBody(world.BodyDef{Name: "ground", Shapes: []world.ShapeDef{world.Box(20, 0.5)}})
			return err
		},
		Time: engine.Time{Simulated: true},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	ball := e.CreateBody(world.BodyDef{
		Name: "ball", Kind: world.Dynamic, Position: world.Vec{Y: 10},
		Shapes: []world.ShapeDef{world.CircleAt(0, 0, 0.5)},
	})
	for frame := range 90 {
		e.Advance(time.Second / 60)
		for ev := range e.Events() {
			fmt.Println(ev)
		}
		if p, ok := e.Pose(ball); ok && frame%30 == 0 {
			fmt.Printf("frame %d: the ball is at %.2f m\n", frame, p.Y)
		}
	}
	// Output:
	// frame 30: the ball is at 8.79 m
	// frame 60: the ball is at 5.08 m
	// tick 81: "ball" began to touch "ground"
	// tick 81: "ball" hit "ground" with 10.6 N·s
}

// Between two steps a body is shown between its two states.
func ExampleEngine_Pose() {
	e, err := engine.New(engine.Config{World: world.Config{NoGravity: true}, Time: engine.Time{Rate: clock.Hz(10), Simulated: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	def := crate(0, 0)
	def.Velocity.X = 10 // a metre a step
	box := e.CreateBody(def)
	for range 8 {
		e.Advance(40 * time.Millisecond)
		if p, ok := e.Pose(box); ok {
			fmt.Printf("%.1f ", p.X)
		}
	}
	fmt.Println()
	// Output:
	// 0.0 0.0 0.2 0.6 1.0 1.4 1.8
}

func ExampleEngine_Events() {
	e, err := engine.New(engine.Config{Setup: ground, Time: engine.Time{Simulated: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	def := crate(0, 2)
	def.User = "the crate"
	box := e.CreateBody(def)
	e.At(50).DestroyBody(box)
	run(e, func() {
		for ev := range e.Events() {
			switch ev.Kind {
			case world.ContactHit:
				fmt.Printf("tick %d: hit with %.1f N·s\n", ev.Tick, ev.Impulse)
			case world.BodyRemoved:
				fmt.Printf("tick %d: %v is gone\n", ev.Tick, ev.User)
			}
		}
	})
	// Output:
	// tick 33: hit with 2.8 N·s
	// tick 50: the crate is gone
}

// A script gives its commands for ticks. Their effect is the same at any frame rate.
func ExampleCommands_At() {
	for _, fps := range []int{30, 60, 144} {
		e, err := engine.New(engine.Config{Setup: ground, Time: engine.Time{Simulated: true}})
		if err != nil {
			fmt.Println(err)
			return
		}
		box := e.CreateBody(crate(0, .5))
		e.At(10).Impulse(box, world.Vec{Y: 5})
		e.At(30).SetVelocity(box, world.Vec{X: 2})
		e.SetLastTick(60)
		for e.View().Tick < 60 {
			e.Advance(time.Second / time.Duration(fps))
		}
		e.Inspect(func(w *world.World) {
			b, _ := w.Body(box)
			fmt.Printf("%3d frames a second: at tick %d x is %.4f m\n", fps, w.Tick(), b.Position.X)
		})
		e.Advance(0)
		e.Close() // Close waits for the demanded steps
	}
	// Output:
	//  30 frames a second: at tick 60 x is 0.9603 m
	//  60 frames a second: at tick 60 x is 0.9603 m
	// 144 frames a second: at tick 60 x is 0.9603 m
}

func ExampleCommands_RayCast() {
	e, err := engine.New(engine.Config{Setup: ground, Time: engine.Time{Simulated: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	e.RayCast(world.Vec{X: 1, Y: 5}, world.Vec{X: 1, Y: -5}, func(tick uint64, hit world.RayHit, ok bool) {
		fmt.Printf("tick %d: %v at %.1f m\n", tick, ok, hit.Point.Y)
	})
	run(e, func() {
		for range e.Events() { // answers come in the order of events
		}
	})
	// Output:
	// tick 0: true at 0.0 m
}

// A program can ask any question. The physics goroutine reads the world to answer it.
func ExampleAsk() {
	e, err := engine.New(engine.Config{Setup: ground, Time: engine.Time{Simulated: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	box := e.CreateBody(crate(0, 2))
	mass := func(w *world.World) float64 {
		b, _ := w.Body(box)
		return b.Mass
	}
	world.Ask(e.Commands, mass, func(_ uint64, kg float64) { fmt.Println(kg, "kg") })
	run(e, func() {
		for range e.Events() {
		}
	})
	// Output:
	// 1 kg
}

// A function with a name does what no command can do. A recording stores the name and the
// arguments.
func ExampleCommands_DoNamed() {
	setup := func(w *world.World) error {
		w.Register("wind", func(w *world.World, args []float64) {
			for b := range w.Bodies() {
				_ = w.Impulse(b, world.Vec{X: args[0]})
			}
		})
		return ground(w)
	}
	var file bytes.Buffer
	e, err := engine.New(engine.Config{
		Setup: setup, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, Scene: "windy"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	e.CreateBody(crate(0, 4))
	e.At(30).DoNamed("wind", 3)
	run(e, nil)
	if err := e.Close(); err != nil {
		fmt.Println(err)
		return
	}

	recording, err := engine.ReadRecording(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = recording.Verify(setup)
	fmt.Println(recording.Scene, recording.Ticks, err)
	// Output:
	// windy 60 <nil>
}

// Questions about the picture are answered at once: which shape the mouse points at, what
// lies between two points, or whether there is room for a shape.
func ExampleEngine_Shown() {
	e, err := engine.New(engine.Config{Setup: ground, Time: engine.Time{Simulated: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	box := e.CreateBody(crate(3, .5))
	run(e, nil)

	shown := e.Shown(world.QueryFilter{})
	hit, ok, err := shown.RayCast(world.Vec{X: -5, Y: .5}, world.Vec{X: 15, Y: .5})
	fmt.Println(ok, hit.Body == box, err)

	room := true
	err = shown.Overlap(world.Circle(1), world.Vec{X: 3, Y: 1.8}, 0, func(b world.Body, _ world.Shape) bool {
		room = false
		return false
	})
	fmt.Println("room for a ball:", room, err)
	// Output:
	// true true <nil>
	// room for a ball: false <nil>
}

// Other goroutines give their commands through Remote.
func ExampleEngine_Remote() {
	e, err := engine.New(engine.Config{Setup: ground, Time: engine.Time{Simulated: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	dropped := make(chan world.Body)
	go func(c world.Commands) { dropped <- c.CreateBody(crate(3, 6)) }(e.Remote())
	box := <-dropped
	run(e, nil)
	p, ok := e.Pose(box)
	fmt.Printf("%v, x %.0f m\n", ok, p.X)
	// Output:
	// true, x 3 m
}

// A server runs exactly as many steps as it wants. It does not pass the time of a step
// repeatedly, because the time would be too short by the rounding of a nanosecond. A
// controller draws its target. The renderer of a program draws such drawings over the
// picture, for example with a draw.Painter and the layer Drawn.
func ExampleEngine_SetDebugLayers() {
	e, _ := engine.New(engine.Config{
		Time: engine.Time{Simulated: true},
		Setup: func(w *world.World) error {
			_, err := w.CreateBody(world.BodyDef{Position: world.Vec{X: 5}, Shapes: []world.ShapeDef{world.Box(1, 1)}})
			w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
				if hit, ok, _ := w.Query(world.QueryFilter{}).RayCast(world.Vec{}, world.Vec{X: 9}); ok {
					w.DrawLine(world.Vec{}, hit.Point, body2d.Colour{255, 90, 90, 255})
					w.DrawText(hit.Point, "a wall", body2d.Colour{})
				}
			}))
			return err
		},
	})
	defer e.Close()
	e.SetDebugLayers(body2d.DrawnLayer)
	for _, d := range e.Step(1).Debug.Drawn {
		fmt.Printf("%v to %v %q\n", d.A, d.B, d.Text)
	}
	// Output:
	// [0 0] to [4 0] ""
	// [4 0] to [4 0] "a wall"
}

func ExampleEngine_Step() {
	stepped, err := engine.New(engine.Config{Setup: ground})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stepped.Close()
	passed, err := engine.New(engine.Config{Setup: ground, Time: engine.Time{Simulated: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer passed.Close()
	for range 60 {
		passed.Advance(time.Second / 60)
	}
	fmt.Println(stepped.Step(60).Tick, passed.Demanded())
	// Output:
	// 60 59
}

// The clock can pause, slow down, and make single steps.
func ExampleEngine_SetScale() {
	e, err := engine.New(engine.Config{Setup: ground, Time: engine.Time{Simulated: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	if err := e.SetScale(.25); err != nil {
		fmt.Println(err)
		return
	}
	run(e, nil)
	fmt.Println("a second in slow motion:", e.Demanded(), "steps")
	e.SetPaused(true)
	run(e, nil)
	e.Step(1)
	fmt.Println("a second of pause and a single step:", e.Demanded(), "steps")
	// Output:
	// a second in slow motion: 15 steps
	// a second of pause and a single step: 16 steps
}
