package world_test

import (
	"testing"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/test/norace"
	"halfstep/world"
)

// situation is a world that a test steps like a program, with all its events. A test builds a
// situation, steps it, and checks the result. If users of physics engines have reported the
// situation in public, the test's comment names the report.
type situation struct {
	*world.World
	t      testing.TB
	sim    *world.Simulation
	rate   float64 // steps a second
	events []world.Event
}

// newSituation skips tests in a build with -race, like newRig.
func newSituation(t testing.TB, c world.Config) *situation {
	if c.Workers == 0 {
		norace.Only(t)
	}
	sim := world.NewSimulation(c)
	x := &situation{World: sim.World(), t: t, sim: sim, rate: 60}
	sim.Start(&buffer.Outbox[world.Event]{Structure: buffer.NewLog[body2d.Structure](), Events: buffer.NewLog[world.Event]()})
	t.Cleanup(func() { sim.Close() })
	x.AddContactHook(func(_ *world.World, events []world.Event) { x.events = append(x.events, events...) })
	return x
}

// withEach runs a test with each stepper.
func withEach(t *testing.T, test func(*testing.T, world.Stepper)) {
	for _, s := range steppers {
		t.Run(s.String(), func(t *testing.T) { test(t, s) })
	}
}

func (x *situation) steps(n int) {
	for range n {
		x.sim.BeginFrame()
		x.sim.Step(x.Tick()+1, 1/x.rate)
		x.sim.EndFrame()
	}
}

func (x *situation) body(kind world.BodyKind, at world.Vec, shapes ...world.ShapeDef) world.Body {
	x.t.Helper()
	return x.made(world.BodyDef{Kind: kind, Position: at, Shapes: shapes})
}

func (x *situation) made(d world.BodyDef) world.Body {
	return must(x.CreateBody(d))
}

func (x *situation) joint(d world.JointDef) world.Joint {
	return must(x.CreateJoint(d))
}

func (x *situation) info(b world.Body) world.BodyInfo {
	return must(x.Body(b))
}

// told returns the number of events of one kind since the start, or since events was emptied.
func (x *situation) told(kind world.EventKind) (n int) {
	for _, e := range x.events {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

// between fails the test unless low <= got <= high.
func (x *situation) between(what string, got, low, high float64) {
	x.t.Helper()
	if !(got >= low && got <= high) {
		x.t.Errorf("%s is %.4g; right is %.4g to %.4g", what, got, low, high)
	}
}

// A box that stands on the ground stays there, as every user expects.
func TestABoxOnTheGroundStays(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s})
		x.body(world.Static, world.Vec{Y: -1}, world.Box(10, 1))
		b := x.body(world.Dynamic, world.Vec{Y: .5}, world.Box(.5, .5))
		x.steps(120)
		x.between("its height", x.info(b).Position.Y, .49, .52)
		x.between("its speed", x.info(b).Velocity.Y, 0, 0)
	})
}

func (x *situation) check(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

func (x *situation) worked(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}
