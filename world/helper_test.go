package world

import (
	"math"
	"os"
	"testing"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/test/norace"
)

const dt = 1. / 60

// driven is a simulation together with its world.
type driven struct {
	*World
	*Simulation
}

// withStepper names an environment variable. If it is "soft", tests that do not choose a stepper
// run with the soft one.
const withStepper = "HALFSTEP_TEST_STEPPER"

var softly = os.Getenv(withStepper) == "soft"

// tiny is the tolerance for speeds, m/s. The soft stepper stores speeds with 24 bits.
var tiny = map[bool]float64{false: 1e-9, true: 4e-6}[softly]

func newDriven(cfg Config) *driven {
	if cfg.Stepper == FastStep && softly {
		cfg.Stepper = SoftStep
	}
	s := NewSimulation(cfg)
	return &driven{s.World(), s}
}

func (d *driven) Counts() body2d.Counts { return d.World.Counts() }

// rig is a world that a test drives as the physics loop would.
type rig struct {
	*driven
	t      testing.TB
	out    *buffer.Outbox[Event]
	tick   uint64
	states []body2d.State

	exchange *buffer.Exchange[body2d.State]
}

// newRig skips a test in a build with -race, unless the test sets the number of goroutines that
// compute a step: with one goroutine there are no races.
func newRig(t testing.TB, cfg Config) *rig {
	t.Helper()
	if cfg.Workers == 0 {
		norace.Only(t)
	}
	return &rig{driven: newDriven(cfg), t: t, exchange: buffer.NewExchange[body2d.State]()}
}

// newLibraryRig makes a rig that uses the library's own step, with which tests compare the fast
// stepper. If the tests run with the soft stepper, the rig uses that.
func newLibraryRig(t testing.TB, cfg Config) *rig {
	cfg.Workers = 1
	r := newRig(t, cfg)
	if !softly {
		private{}.StepAsLibrary(r.World)
	}
	return r
}

func gravity() Config { return Config{Gravity: Vec{X: 0, Y: -10}} }

func (r *rig) start() {
	r.out = &buffer.Outbox[Event]{Structure: buffer.NewLog[body2d.Structure](), Events: buffer.NewLog[Event]()}
	r.Start(r.out)
	r.capture()
}

// frame runs one frame of the loop.
func (r *rig) frame(steps int, commands ...Command) {
	r.BeginFrame()
	r.apply(commands...)
	for i := range steps {
		r.tick++
		r.Step(r.tick, dt)
		if i == steps-1 {
			r.EndFrame()
		}
		r.capture()
	}
}

func (r *rig) apply(commands ...Command) {
	for i := range commands {
		r.Apply(r.tick, &commands[i], false)
	}
}

// run runs n frames of one step.
func (r *rig) run(n int) {
	for range n {
		r.frame(1)
	}
}

// capture captures the states in two ways, completely and by their changes in an exchange. It
// compares the results.
func (r *rig) capture() {
	r.t.Helper()
	s := r.exchange.Next()
	r.CaptureChanged(s)
	r.states = r.Capture(r.states)
	if i := firstDifferent(s.States, r.states); i >= 0 {
		r.t.Fatalf("tick %d: the exchange was not told of slot %d of %d: it has %+v, not %+v", r.tick, i, len(r.states), s.States[i], r.states[i])
	}
	r.exchange.Publish()
	r.exchange.Acquire()
}

// firstDifferent returns the first index at which two slices differ, or -1.
func firstDifferent(a, b []body2d.State) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] && a[i] == a[i] {
			return i
		}
	}
	return -1
}

func (r *rig) body(d BodyDef) Body {
	r.t.Helper()
	b, err := r.CreateBody(d)
	if err != nil {
		r.t.Fatal(err)
	}
	return b
}

func (r *rig) joint(d JointDef) Joint {
	r.t.Helper()
	j, err := r.CreateJoint(d)
	if err != nil {
		r.t.Fatal(err)
	}
	return j
}

// ground is a static edge along y = 0.
func (r *rig) ground() Body {
	return r.body(BodyDef{Shapes: []ShapeDef{Edge(Vec{X: -100, Y: 0}, Vec{X: 100, Y: 0})}})
}

// box is a dynamic box of 1 m.
func (r *rig) box(x, y float64) Body {
	return r.body(BodyDef{Kind: Dynamic, Position: Vec{X: x, Y: y}, Shapes: []ShapeDef{Box(.5, .5)}})
}

func (r *rig) info(b Body) BodyInfo {
	r.t.Helper()
	i, err := r.Body(b)
	if err != nil {
		r.t.Fatal(err)
	}
	return i
}

// massOf returns a body's mass and its inertia about the centre of mass.
func (r *rig) massOf(b Body) (mass, inertia float64) {
	r.t.Helper()
	i := r.info(b)
	return i.Mass, i.Inertia
}

func (r *rig) angle(b Body) float64 {
	r.t.Helper()
	return r.info(b).Angle
}

// slotOf returns the index of a body in the states, and the generation of that slot.
func (r *rig) slotOf(b Body) (index int, generation uint32) {
	r.t.Helper()
	rec, err := r.lookupBody(b)
	if err != nil {
		r.t.Fatal(err)
	}
	return int(rec.slot), r.places.slots[rec.slot].generation
}

func (r *rig) at(b Body) Vec {
	r.t.Helper()
	return r.info(b).Position
}

func (r *rig) speed(b Body) Vec {
	r.t.Helper()
	return r.info(b).Velocity
}

func (r *rig) isAwake(b Body) bool {
	r.t.Helper()
	return r.info(b).Awake
}

func (r *rig) state(b Body) body2d.State {
	r.t.Helper()
	i, _ := r.slotOf(b)
	return r.states[i]
}

func (r *rig) has(b Body, f body2d.Flags) bool {
	r.t.Helper()
	s := r.state(b)
	return s.Flags()&f != 0
}

func (r *rig) events() []Event {
	var all []Event
	for e := r.out.Events.Peek(r.out.Events.Count()); e != nil; e = r.out.Events.Peek(r.out.Events.Count()) {
		all = append(all, *e)
		r.out.Events.Take()
	}
	return all
}

func (r *rig) structure() []body2d.Structure {
	var all []body2d.Structure
	for e := r.out.Structure.Peek(r.out.Structure.Count()); e != nil; e = r.out.Structure.Peek(r.out.Structure.Count()) {
		all = append(all, *e)
		r.out.Structure.Take()
	}
	return all
}

func only(events []Event, kind EventKind) []Event {
	var found []Event
	for _, e := range events {
		if e.Kind == kind {
			found = append(found, e)
		}
	}
	return found
}

func records(all []body2d.Structure, kind body2d.StructureKind) []body2d.Structure {
	var found []body2d.Structure
	for _, e := range all {
		if e.Kind == kind {
			found = append(found, e)
		}
	}
	return found
}

func near(a, b, eps float64) bool { return math.Abs(a-b) <= eps }

// skipSoft skips a test of properties that only Box2D's own arithmetic has.
func skipSoft(t testing.TB) {
	t.Helper()
	if softly {
		t.Skip("not with the soft stepper")
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
