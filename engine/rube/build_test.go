package rube

import (
	"math"
	"strings"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/world"
)

// driven is a simulation together with its world.
type driven struct {
	*world.World
	*world.Simulation
}

func newDriven(s *Scene) driven {
	sim := world.NewSimulation(s.World)
	return driven{sim.World(), sim}
}

// Counts is needed because both embedded types have a method with this name.
func (d driven) Counts() body2d.Counts { return d.World.Counts() }

// build makes the scene's world, and steps it n times at 60 Hz.
func build(t testing.TB, s *Scene, n int) driven {
	t.Helper()
	w := newDriven(s)
	if err := s.Build(w.World); err != nil {
		t.Fatal(err)
	}
	step(w, n)
	return w
}

func step(w driven, n int) {
	for range n {
		w.Step(w.Tick()+1, 1.0/60)
	}
}

func named(t testing.TB, w driven, name string) world.Body {
	t.Helper()
	b, ok := w.Find(name)
	if !ok {
		t.Fatalf("no body %q", name)
	}
	return b
}

func at(t testing.TB, w driven, name string) world.Vec {
	t.Helper()
	b, err := w.Body(named(t, w, name))
	if err != nil {
		t.Fatal(err)
	}
	return b.Position
}

func finite(t testing.TB, w driven) {
	t.Helper()
	for b := range w.Bodies() {
		info, err := w.Body(b)
		if err != nil {
			t.Fatal(err)
		}
		p, a := info.Position, info.Angle
		if sum := p.X + p.Y + a; math.IsNaN(sum) || math.IsInf(sum, 0) {
			t.Errorf("%v is at %v, angle %v", b, p, a)
		}
	}
}

func readScene(t testing.TB, path string) *Scene {
	t.Helper()
	s, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSceneWithEveryShapeAndJointBuildsAndSteps(t *testing.T) {
	s := readScene(t, "testdata/everything.json")
	shapes, joints := map[world.ShapeKind]bool{}, map[world.JointKind]bool{}
	for _, b := range s.Bodies {
		for _, d := range b.Shapes {
			shapes[d.Kind] = true
		}
	}
	for _, j := range s.Joints {
		joints[j.Def.Kind] = true
	}
	if len(shapes) != 5 || len(joints) != 11 {
		t.Fatalf("the scene has %d kinds of shape and %d of joint, not 5 and 11", len(shapes), len(joints))
	}
	w := build(t, s, 300)
	if c := w.Counts(); int(c.Bodies) != len(s.Bodies) || int(c.Joints) != len(s.Joints) {
		t.Errorf("%d bodies, %d joints; want %d and %d", c.Bodies, c.Joints, len(s.Bodies), len(s.Joints))
	}
	finite(t, w)
	for name, in := range map[string]struct{ lo, hi world.Vec }{
		"falls on the ground": {world.Vec{X: -31, Y: .4}, world.Vec{X: -29, Y: .6}},
		"stays in the loop":   {world.Vec{X: -26, Y: 0}, world.Vec{X: -22, Y: 3}},
		"hangs on the rope":   {world.Vec{X: 18, Y: 6.9}, world.Vec{X: 22, Y: 7.2}},
		"is dragged":          {world.Vec{X: 23.9, Y: 9.9}, world.Vec{X: 24.1, Y: 10.1}},
		"sleeps in the air":   {world.Vec{X: -35, Y: 9}, world.Vec{X: -35, Y: 9}},
	} {
		if p := at(t, w, name); p.X < in.lo.X || p.X > in.hi.X || p.Y < in.lo.Y || p.Y > in.hi.Y {
			t.Errorf("the body that %s is at %v, not between %v and %v", name, p, in.lo, in.hi)
		}
	}
}

func TestSceneCanBeBuiltAgainAndRunsTheSame(t *testing.T) {
	s := readScene(t, "testdata/everything.json")
	if a, b := build(t, s, 120).Hash(), build(t, s, 120).Hash(); a != b {
		t.Errorf("hashes %x and %x", a, b)
	}
}

func TestMaskZeroCollidesWithNothingAndTheDefaultWithAll(t *testing.T) {
	const ball = `"type":2,"awake":true,"fixture":[{"density":1,"circle":{"radius":0.5}`
	w := build(t, mustParse(t, `{"gravity":{"x":0,"y":-10},"body":[
		{"fixture":[{"edge":{"vertex1":{"x":-9,"y":0},"vertex2":{"x":9,"y":0}}}]},
		{"name":"default","position":{"x":-2,"y":1},`+ball+`}]},
		{"name":"mask 0","position":{"x":0,"y":1},`+ball+`,"filter-maskBits":0}]},
		{"name":"all 0","position":{"x":2,"y":1},`+ball+`,"filter-maskBits":0,"filter-categoryBits":0}]}]}`), 60)
	if p := at(t, w, "default"); p.Y < .4 {
		t.Errorf("the ball with the default filter fell through: %v", p)
	}
	for _, name := range []string{"mask 0", "all 0"} {
		if p := at(t, w, name); p.Y > -1 {
			t.Errorf("the ball with %s is held: %v", name, p)
		}
	}
}

func TestMassDataReplacesWhatDensitiesGive(t *testing.T) {
	w := build(t, mustParse(t, `{"gravity":0,"body":[
		{"name":"given","type":2,"fixture":[{"density":1,"circle":{"radius":1}}],
			"massData-mass":5,"massData-center":{"x":1,"y":0},"massData-I":8},
		{"name":"densities","type":2,"fixture":[{"density":2,"circle":{"radius":1}}]}]}`), 0)
	if b, _ := w.Body(named(t, w, "given")); b.Mass != 5 || b.Inertia != 3 {
		t.Errorf("mass %v, inertia %v; want 5 and 3", b.Mass, b.Inertia)
	}
	if b, _ := w.Body(named(t, w, "densities")); math.Abs(b.Mass-2*math.Pi) > 1e-9 {
		t.Errorf("mass %v, want 2π", b.Mass)
	}
}

func TestUserDataIsHandedBack(t *testing.T) {
	w := build(t, mustParse(t, `{"body":[{"name":"a","customProperties":[{"name":"hp","int":3}]}]}`), 0)
	b, err := w.Body(named(t, w, "a"))
	if err != nil {
		t.Fatal(err)
	}
	if hp, ok := b.User.(*Info).Properties.Int("hp"); hp != 3 || !ok {
		t.Errorf("hp %v %v", hp, ok)
	}
}

func TestWhatBox2DCanNotTakeIsAnErrorWithThePlace(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{`{"body":[{},{"name":"wheel","type":2,"fixture":[` + strings.Repeat(`{"density":9e17,"circle":{"radius":25000}},`, 4) + `{"circle":{"radius":1}}]}]}`,
			`x.json: body 1 "wheel": mass 3.534291735288517e+27 or inertia 1.1044661672776617e+36 is out of range`},
		{`{"body":[{},{"type":2}],"joint":[{"type":"rope","bodyB":1}]}`,
			`x.json: joint 0: world: maximum length is 0`},
		{`{"body":[{"position":{"x":1e30,"y":0}}]}`,
			`x.json: body 0: world: position is (1e+30, 0): both must be between ±1e+09`},
	} {
		s, err := Parse("x.json", []byte(c.data))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Build(newDriven(s).World); err == nil || err.Error() != c.want {
			t.Errorf("%s:\ngot  %v\nwant %s", c.data, err, c.want)
		}
	}
}
