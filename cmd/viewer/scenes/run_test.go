package scenes

import (
	"flag"
	"fmt"
	"math"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/internal/owner"
	"halfstep/test/benchscene"
	"halfstep/test/norace"
	"halfstep/world"
)

var ticks = flag.Int("ticks", 0, "step every scene so often; 0 is 90, and less for scenes with many bodies")

func ticksOf(bodies int) int {
	if *ticks > 0 {
		return *ticks
	}
	return Fewer(90, int32(bodies))
}

// driven is a simulation together with its world.
type driven struct {
	*world.World
	*world.Simulation
}

// Counts is needed because both embedded types have a method with this name.
func (d driven) Counts() body2d.Counts { return d.World.Counts() }

// stepper is the stepper of the worlds that open and play make.
var stepper = world.FastStep

// softly runs a test with the soft stepper.
func softly(t *testing.T, name string, test func(t *testing.T)) {
	stepper = world.SoftStep
	defer func() { stepper = world.FastStep }()
	t.Run(name, test)
}

// open builds a scene in a new world. It is for a test without other goroutines.
func open(t *testing.T, s Scene) driven {
	t.Helper()
	norace.Only(t)
	c := s.Config()
	c.World.Stepper = stepper
	sim := world.NewSimulation(c.World)
	if err := c.Setup(sim.World()); err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	return driven{sim.World(), sim}
}

func lookup(t *testing.T, name string) Scene {
	t.Helper()
	s, ok := Lookup(name)
	if !ok {
		t.Fatalf("no scene %q", name)
	}
	return s
}

// step steps a world n times at hz.
func step(w driven, n int, hz float64) {
	for range n {
		w.BeginFrame()
		w.Step(w.Tick()+1, 1/hz)
		w.EndFrame()
	}
}

func find(t *testing.T, w driven, name string) world.Body {
	t.Helper()
	n, ok := w.Find(name)
	if !ok {
		t.Fatalf("no body is named %q", name)
	}
	return n
}

// at returns the origin of a body.
func at(w driven, n world.Body) vec {
	b, _ := w.Body(n)
	return b.Position
}

// play runs a scene in an engine, as the viewer does, and returns the final hash.
func play(t *testing.T, s Scene) (hash uint64) {
	t.Helper()
	c := s.Config()
	c.World.Stepper = stepper
	var w *world.World
	var wrong error
	setup, last, soft := c.Setup, 0, stepper == world.SoftStep
	c.Setup = func(world *world.World) error {
		w = world
		err := setup(w)
		bodies := int(w.Counts().Bodies)
		last = ticksOf(bodies)
		if bodies > 2000 && *ticks == 0 && !soft { // Box2D checks every contact for each impact
			w.Box2D().M_continuousPhysics = false
		}
		return err
	}
	c.OnStep = func(tick uint64, _ time.Duration) {
		for n := range w.Bodies() {
			b, _ := w.Body(n)
			p, v := b.Position, b.Velocity
			sum := p.X + p.Y + b.Angle + v.X + v.Y
			if wrong == nil && (math.IsNaN(sum) || math.IsInf(sum, 0)) {
				wrong = fmt.Errorf("tick %d: %v %q is at %v, %v", tick, n, b.Name, p, b.Angle)
			}
		}
	}
	c.Time.Simulated = true
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	e.SetLastTick(uint64(last))
	for after := 0; after < 2; { // on a simulated clock the last step is done in the frame after
		if e.Demanded() >= uint64(last) || e.Failure() != nil {
			after++
		}
		e.Advance(time.Second / 60)
		for ev := range e.Events() {
			if ev.Kind == world.CommandRejected {
				t.Errorf("tick %d: rejected: %v", ev.Tick, ev.Err)
			}
		}
	}
	e.Close()
	if err := e.Failure(); err != nil {
		t.Fatal(err)
	}
	if wrong != nil {
		t.Error(wrong)
	}
	if w.Tick() != uint64(last) {
		t.Errorf("stopped at tick %d, not %d", w.Tick(), last)
	}
	return w.Hash()
}

// TestEverySceneHasTheBitsOfTheLibrarysStep does the same with the fast stepper.
func TestScenesRunTheSameTwiceWithTheSoftStepper(t *testing.T) {
	norace.Only(t)
	for _, s := range All() {
		softly(t, s.Name, func(t *testing.T) {
			if a, b := play(t, s), play(t, s); a != b {
				t.Errorf("one run ends in %016x, the next in %016x", a, b)
			}
		})
	}
}

func TestScenesRunWithoutARefusedCommand(t *testing.T) {
	for i, s := range All() {
		if s.Name == "fall10000" {
			continue // as fall5000
		}
		if owner.Checked && i%4 > 0 {
			continue // with -race this would find little
		}
		t.Run(s.Name, func(t *testing.T) { play(t, s) })
	}
}

// The viewer must open the same benchmark scene that stepbench measures.
func TestBenchmarkScenesAreThoseOfTheBenchmark(t *testing.T) {
	norace.Only(t)
	for _, name := range []string{"pyramid", "tumbler", "fall1000", "fall5000", "jointgrid", "islands"} {
		plain, err := benchscene.Build(name)
		if err != nil {
			t.Fatal(err)
		}
		b2 := benchscene.NewWorld()
		bodies := plain.AddTo(b2)
		w := open(t, lookup(t, name))
		n := ticksOf(len(bodies))
		if len(bodies) > 2000 && *ticks == 0 {
			n = 0 // compare only how the scenes are built, because a step takes long
		}
		for range n {
			b2.Step(benchscene.StepSeconds, benchscene.VelocityIterations, benchscene.PositionIterations)
		}
		step(w, n, 60)
		i := 0
		for handle := range w.Bodies() {
			b, _ := w.Body(handle)
			p, angle, v := b.Position, b.Angle, b.Velocity
			q, u := bodies[i].GetPosition(), bodies[i].GetLinearVelocity()
			if p != (vec{X: q.X, Y: q.Y}) || angle != bodies[i].GetAngle() || v != (vec{X: u.X, Y: u.Y}) {
				t.Errorf("%s: after %d ticks body %d is at %v, not %v", name, n, i, p, q)
				break
			}
			i++
		}
		if i != len(bodies) {
			t.Errorf("%s: compared %d of %d bodies", name, i, len(bodies))
		}
	}
}
