package engine_test

import (
	"bytes"
	"math"
	"slices"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/engine/fault"
	"halfstep/test/norace"
	"halfstep/world"
)

// reuse gives commands with slices and definitions as arguments. If again is true it
// fills the same slices and definitions with new values for each command. It returns the
// world's hash at the end.
func reuse(t *testing.T, again, remote bool, record *engine.RecordOptions) uint64 {
	t.Helper()
	e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: record}})
	if err != nil {
		t.Fatal(err)
	}
	c := e.Commands
	if remote {
		c = e.Remote()
	}
	points := make([]world.Vec, 3)
	shapes := make([]world.ShapeDef, 2)
	mass := &world.Mass{}
	before, after := &world.Vec{}, &world.Vec{}
	args := make([]float64, 2)
	for i := range norace.Rounds(60, 20) {
		x := float64(i%5) / 7
		if !again {
			points, shapes, args = make([]world.Vec, 3), make([]world.ShapeDef, 2), make([]float64, 2)
			mass, before, after = &world.Mass{}, &world.Vec{}, &world.Vec{}
		}
		copy(points, []world.Vec{{X: -.4 - x}, {X: .4 + x}, {Y: .6}})
		shapes[0] = world.Polygon(points...)
		shapes[1] = world.Edge(world.Vec{X: -1}, world.Vec{X: 1})
		*before, *after = world.Vec{X: -2, Y: x}, world.Vec{X: 2, Y: -x}
		shapes[1].Before, shapes[1].After = before, after
		*mass = world.Mass{Mass: 1 + x, Inertia: 1}
		b := c.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: x, Y: 9}, Mass: mass, Shapes: shapes})
		c.CreateShape(b, shapes[0])
		args[0], args[1] = x, 1-x
		c.DoNamed("test kick", args...)
		if again { // values that are set later must not affect earlier commands
			clear(points)
			clear(shapes)
			clear(args)
			*mass, *before, *after = world.Mass{}, world.Vec{}, world.Vec{}
		}
		e.Advance(time.Second / 60)
	}
	hash := make(chan uint64, 1)
	e.Inspect(func(w *world.World) { hash <- w.Hash() })
	e.Advance(0)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return <-hash
}

func TestWhatWasGivenMayBeChangedAtOnce(t *testing.T) {
	for _, remote := range []bool{false, true} {
		want := reuse(t, false, remote, nil)
		if got := reuse(t, true, remote, nil); got != want {
			t.Errorf("remote %v: hash %x, want %x", remote, got, want)
		}
		var file bytes.Buffer
		data := []byte{1, 2, 3}
		got := reuse(t, true, remote, &engine.RecordOptions{W: &file, Data: data})
		r := read(t, file.Bytes())
		replayed, err := r.Verify(stack)
		if got != want || replayed != want || err != nil || !slices.Equal(r.Data, data) {
			t.Errorf("remote %v: hash %x, replayed %x, want %x: %v", remote, got, replayed, want, err)
		}
	}
}

func TestTheDataOfARecordingMayBeChangedAtOnce(t *testing.T) {
	given := func() []byte { return []byte("the scene") }
	boxData, data := given(), given()
	e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{BlackBox: &engine.BlackBoxOptions{InMemory: true, Data: boxData}}})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := e.History().StartRecording(engine.RecordOptions{W: &file, Data: data}); err != nil {
		t.Fatal(err)
	}
	clear(boxData)
	clear(data)
	for range 5 {
		e.Advance(time.Second / 60)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	box, err := e.History().BlackBox()
	if err != nil {
		t.Fatal(err)
	}
	for name, recording := range map[string][]byte{"recording": file.Bytes(), "black box": box} {
		if r := read(t, recording); !bytes.Equal(r.Data, given()) {
			t.Errorf("%s: %q", name, r.Data)
		}
	}
}

func TestSimpleCommandsAllocateNothing(t *testing.T) {
	e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	b, v := world.Body(1), world.Vec{X: 1}
	for name, give := range map[string]func(){
		"Force": func() { e.Force(b, v) }, "Impulse": func() { e.Impulse(b, v) }, "Torque": func() { e.Torque(b, 1) },
		"Teleport": func() { e.Teleport(b, v, 1) }, "DestroyBody": func() { e.DestroyBody(b) },
		"At":     func() { e.At(5).Impulse(b, v) },
		"Remote": func() { e.Remote().Impulse(b, v) },
	} {
		if n := testing.AllocsPerRun(1000, give); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestANamedFunctionMayChangeItsArguments(t *testing.T) {
	setup := func(w *world.World) error {
		w.Register("drain", func(w *world.World, args []float64) {
			for b := range w.Bodies() {
				w.Impulse(b, world.Vec{X: args[0]})
			}
			clear(args)
		})
		return stack(w)
	}
	var file bytes.Buffer
	e, err := engine.New(engine.Config{Setup: setup, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file}}})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		e.DoNamed("drain", .5)
		e.Advance(time.Second / 60)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	r := read(t, file.Bytes())
	for range 2 { // the first replay must not change the second
		if hash, err := r.Verify(setup); err != nil || hash != r.FinalHash() {
			t.Fatalf("hash %x, want %x: %v", hash, r.FinalHash(), err)
		}
	}
}

func TestInjectionsMayBeChangedAfterNew(t *testing.T) {
	list := []fault.Fault{{Kind: fault.LateStep, Delay: time.Millisecond, At: 2}}
	e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true}, Testing: engine.Testing{Faults: list}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	clear(list)
	for e.View().Tick < 4 {
		e.Advance(time.Second / 60)
	}
	if done := e.Trace().InjectedFaults(); len(done) != 1 || done[0].At != 2 {
		t.Errorf("injected %v", done)
	}
}

func TestANegativeZeroInACommandIsRecordedAsItCounts(t *testing.T) {
	zero := math.Copysign(0, -1)
	var file bytes.Buffer
	e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, Scene: "stack"}}})
	if err != nil {
		t.Fatal(err)
	}
	b := e.CreateBody(world.BodyDef{
		Kind: world.Dynamic, Position: world.Vec{X: zero, Y: 20}, Angle: zero, Velocity: world.Vec{X: zero},
		NoGravity: true, Shapes: []world.ShapeDef{world.CircleAt(zero, zero, .5)},
	})
	e.CreateBody(world.BodyDef{Position: world.Vec{X: zero, Y: 9}})
	e.Advance(time.Second / 10)
	e.SetVelocity(b, world.Vec{X: zero, Y: zero})
	e.Teleport(b, world.Vec{X: zero, Y: 30}, zero)
	e.Advance(time.Second / 10)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := read(t, file.Bytes()).Verify(stack); err != nil {
		t.Error(err)
	}
}
