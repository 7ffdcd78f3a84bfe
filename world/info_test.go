package world

import (
	"errors"
	"math"
	"testing"

	"halfstep/buffer/body2d"
)

func TestInfosTellWhatIsThere(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	ball := CircleAt(1, 0, .5)
	ball.Name, ball.User = "rim", 7
	b := r.body(BodyDef{
		Kind: Dynamic, Position: Vec{X: 2, Y: 3}, Angle: math.Pi / 2, AngularVelocity: 4,
		Shapes: []ShapeDef{ball}, Name: "wheel", User: "mine",
	})
	other := r.box(9, 9)
	j := r.joint(JointDef{Kind: RopeJoint, A: b, B: other, MaxLength: 50, Name: "rope", User: 1.5})
	r.start()

	got := r.info(b)
	mass := math.Pi / 4
	if !near(got.Centre.X, 2, 1e-9) || !near(got.Centre.Y, 4, 1e-9) || !near(got.Mass, mass, 1e-9) || !near(got.Inertia, mass/8, 1e-9) {
		t.Errorf("centre %v, mass %v, inertia %v", got.Centre, got.Mass, got.Inertia)
	}
	// The origin rests. The centre of mass circles around it at 4 rad/s, 1 m away.
	want := BodyInfo{
		Kind: Dynamic, Name: "wheel", Position: Vec{X: 2, Y: 3}, Angle: math.Pi / 2,
		Centre: got.Centre, Velocity: Vec{X: -4, Y: 0}, AngularVelocity: 4, Mass: got.Mass, Inertia: got.Inertia, Awake: true, User: "mine",
	}
	if got != want {
		t.Errorf("body %+v, not %+v", got, want)
	}
	shapes, _ := r.Shapes(b)
	if got, err := r.Shape(shapes[0]); got != (ShapeInfo{
		Body: b, Name: "rim", User: 7, Kind: CircleShape, Density: 1, Friction: .2, Filter: Filter{1, AllCategories, 0},
	}) || err != nil {
		t.Errorf("shape %+v, %v", got, err)
	}
	rope := JointInfo{
		Kind: RopeJoint, A: b, B: other, Name: "rope", User: 1.5, PointA: Vec{X: 2, Y: 3}, PointB: Vec{X: 9, Y: 9},
		Angle: -math.Pi / 2, AngularSpeed: -4, Length: math.Hypot(7, 6),
		Def: JointDef{Kind: RopeJoint, A: b, B: other, MaxLength: 50, Name: "rope", User: 1.5},
	}
	if got, err := r.Joint(j); got != rope || err != nil {
		t.Errorf("joint %+v, not %+v, %v", got, rope, err)
	}
}

func TestInfosOfWhatIsGoneAreStale(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	a, b := r.box(0, 0), r.box(5, 0)
	j := r.joint(JointDef{Kind: RopeJoint, A: a, B: b, MaxLength: 50})
	shapes, _ := r.Shapes(a)
	check(t, r.DestroyBody(a))
	_, err1 := r.Body(a)
	_, err2 := r.Shape(shapes[0])
	_, err3 := r.Joint(j)
	for _, err := range []error{err1, err2, err3} {
		if !errors.Is(err, ErrStale) {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestInfosAllocateNothing(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	a, b := r.box(0, 0), r.box(5, 0)
	j := r.joint(JointDef{Kind: RopeJoint, A: a, B: b, MaxLength: 50})
	shapes, _ := r.Shapes(a)
	n := testing.AllocsPerRun(100, func() {
		_, _ = r.Body(a)
		_, _ = r.Shape(shapes[0])
		_, _ = r.Joint(j)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestAFingerprintTellsTheFirstDifference(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	r.body(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{Circle(1)}})
	second := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 9, Y: 0}, Name: "second", Shapes: []ShapeDef{Circle(1)}})
	old := (private{}).Fingerprint(r.Simulation, nil)
	if len(old) != 12 {
		t.Fatalf("%d bytes for two bodies", len(old))
	}
	if _, _, value, _ := (private{}).FirstDifference(r.Simulation, old); value != "" {
		t.Errorf("the same world differs in %q", value)
	}
	check(t, r.SetVelocity(second, Vec{X: 0, Y: 3}))
	check(t, r.SetAngularVelocity(second, 5))
	if b, name, value, got := (private{}).FirstDifference(r.Simulation, old); b != second || name != "second" || value != "velocity y" || got != 3 {
		t.Errorf("%v %q: %s is %v", b, name, value, got)
	}
	check(t, r.SetVelocity(second, Vec{}))
	check(t, r.SetAngularVelocity(second, 0))
	r.box(20, 0)
	if b, _, value, got := (private{}).FirstDifference(r.Simulation, old); b != 0 || value != "bodies" || got != 3 {
		t.Errorf("%v: %s is %v", b, value, got)
	}
}

func TestASimulationAndItsWorldCountTheSame(t *testing.T) {
	s := NewSimulation(Config{NoGravity: true})
	defer s.Close()
	_, err := s.World().CreateBody(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{Circle(1)}})
	check(t, err)
	want := body2d.Counts{Bodies: 1, Awake: 1}
	if s.Counts() != want || s.World().Counts() != want {
		t.Errorf("%+v and %+v, not %+v", s.Counts(), s.World().Counts(), want)
	}
}
