package rube_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/engine/rube"
	"halfstep/test/norace"
	"halfstep/world"
)

// reread writes a scene and reads it back.
func reread(t testing.TB, s *rube.Scene) *rube.Scene {
	t.Helper()
	data, err := s.JSON()
	if err != nil {
		t.Fatal(err)
	}
	back, err := rube.Parse("saved.json", data)
	if err != nil {
		t.Fatal(err)
	}
	back.Name, back.Source = "", nil
	return back
}

// fill sets all fields of a structure that can be set, each to another value.
func fill(v reflect.Value, n *float64) {
	*n += .125
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(*n + 1e-9)
	case reflect.Uint64:
		v.SetUint(uint64(1)<<40 | uint64(*n))
	case reflect.Uint16, reflect.Uint8:
		v.SetUint(uint64(*n*8) % 200)
	case reflect.Int16:
		v.SetInt(-int64(*n))
	case reflect.String:
		v.SetString("näme \"1\"")
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Interface:
		v.Set(reflect.ValueOf(&rube.Info{"a/b", rube.Properties{{"hp", 3}, {"x", .1}, {"s", "t"}, {"v", world.Vec{X: .1, Y: .2}}, {"b", true}, {"c", body2d.Colour{1, 2, 3, 4}}}}))
	}
}

// every returns a scene in which all effective fields of all definitions are set.
func every(t testing.TB) *rube.Scene {
	n := 0.0
	body := func(kind world.BodyKind, shapes ...world.ShapeDef) world.BodyDef {
		d := world.BodyDef{Kind: kind}
		v := reflect.ValueOf(&d).Elem()
		for i := range v.NumField() {
			switch v.Type().Field(i).Name {
			case "Kind", "NoGravity", "Asleep", "Disabled", "FixedRotation", "Mass", "Shapes":
			default:
				fill(v.Field(i), &n)
			}
		}
		d.Shapes = shapes
		return d
	}
	shape := func(d world.ShapeDef) world.ShapeDef {
		v := reflect.ValueOf(&d).Elem()
		for i := range v.NumField() {
			switch v.Type().Field(i).Name {
			case "Kind", "Points", "Radius", "Before", "After", "SegmentMaterials":
			case "OneWay":
				d.OneWay = world.Vec{X: .6, Y: .8}
			default:
				fill(v.Field(i), &n)
			}
		}
		return d
	}
	round := world.Polygon(world.Vec{X: .1}, world.Vec{X: 1, Y: .1}, world.Vec{X: .3, Y: 1})
	round.Radius = .1
	chain := world.Chain(world.Vec{X: -3}, world.Vec{X: .1, Y: .2}, world.Vec{X: 3})
	chain.Before, chain.After = &world.Vec{X: -4, Y: .1}, &world.Vec{X: 4, Y: .1}
	chain.SegmentMaterials = []world.Material{3, 0xfffe}
	edge := world.Edge(world.Vec{X: -.1}, world.Vec{X: .2})
	edge.After = &world.Vec{}
	s := &rube.Scene{
		StepsPerSecond: 59.94,
		World: world.Config{
			Gravity: world.Vec{X: .1, Y: -9.81}, VelocityIterations: 9, PositionIterations: 4, Stepper: world.SoftStep, SubSteps: 5, MaxContacts: 1000,
			Surfaces: world.Surfaces{RestitutionThreshold: .3, HitSpeed: .7, Mixes: []world.Mix{{A: 3, B: world.AnyMaterial, FrictionRule: world.MixAverage, Restitution: .1}}},
		},
		Bodies: []world.BodyDef{
			body(world.Static, shape(chain), shape(edge), shape(world.ClosedChain(world.Vec{X: 20}, world.Vec{X: 21}, world.Vec{X: 20, Y: 1}))),
			body(world.Dynamic, shape(world.Capsule(world.Vec{X: -.3}, world.Vec{X: .4, Y: .1}, .2)), shape(world.CircleAt(.3, .1, .2))),
			body(world.Dynamic, shape(round), shape(world.Box(.3, .4))),
			body(world.Kinematic, shape(world.Box(.1, .1))),
			{Kind: world.Dynamic, NoGravity: true, Asleep: true, Disabled: true, FixedRotation: true, Mass: &world.Mass{Mass: 2, Centre: world.Vec{X: 1}, Inertia: 2.0001}, Shapes: []world.ShapeDef{}},
			{Kind: world.Kinematic, GravityScale: 1, Position: world.Vec{X: math.Copysign(0, -1)}, Mass: &world.Mass{Mass: 2, Centre: world.Vec{X: 1}, Inertia: 1e-3 + 2}, Shapes: []world.ShapeDef{}},
		},
	}
	s.Bodies[1].FixedY = false
	for k := range int(world.MotorJoint) + 1 {
		d := world.JointDef{}
		v := reflect.ValueOf(&d).Elem()
		for i := range v.NumField() {
			switch v.Type().Field(i).Name {
			case "Kind", "A", "B", "Anchor", "Joint1", "Joint2", "Lower", "Correction":
			default:
				fill(v.Field(i), &n)
			}
		}
		d.Kind, d.Correction, d.Lower, d.AxisA = world.JointKind(k), .25, -n, world.Vec{X: .6, Y: .8}
		switch d.Kind {
		case world.PulleyJoint, world.GearJoint, world.FrictionJoint, world.RopeJoint, world.MotorJoint:
			d.Frequency = 0
		}
		s.Joints = append(s.Joints, rube.Joint{Def: d, BodyA: 2, BodyB: 1})
	}
	gear := &s.Joints[world.GearJoint]
	gear.Joint1, gear.Joint2 = int(world.RevoluteJoint), len(s.Joints)
	slide := s.Joints[world.PrismaticJoint]
	slide.BodyA, slide.BodyB = 1, 2
	mouse := s.Joints[world.MouseJoint]
	mouse.BodyA, mouse.Def.MaxForce, mouse.Def.AnchorB = -1, math.SmallestNonzeroFloat64, world.Vec{X: math.SmallestNonzeroFloat64}
	s.Joints = append(s.Joints, slide, mouse)
	return s
}

func empty(t testing.TB) *world.Simulation { return build(t, &rube.Scene{}) }

func file(t testing.TB) *rube.Scene {
	t.Helper()
	s, err := rube.ReadFile("testdata/everything.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func step(w *world.Simulation, n int) {
	for range n {
		w.Step(w.World().Tick()+1, 1.0/60)
	}
}

func stepped(t testing.TB, s *rube.Scene, n int) *world.Simulation {
	w := build(t, s)
	step(w, n)
	return w
}

// rebuilt checks that a world can be saved and loaded to the bit. It returns the loaded
// world.
func rebuilt(t testing.TB, what string, w *world.Simulation) *world.World {
	t.Helper()
	return checkSaved(t, what, rube.Of(w.World()), w.World().Hash()).World()
}

func TestAWorldIsWrittenAndReadBackToTheBit(t *testing.T) {
	w := stepped(t, every(t), 0)
	rebuilt(t, "every definition", w)
	step(w, 5)
	once, twice := rebuilt(t, "after some steps", w), rebuilt(t, "again", w)
	if once.StateHash() != twice.StateHash() {
		t.Error("read twice, another StateHash")
	}
	rebuilt(t, "a file", stepped(t, file(t), 20))
}

func TestASceneAsGoCodeCompilesAndMakesTheSameWorld(t *testing.T) {
	norace.Only(t)
	checkGo(t, every(t), file(t), rube.Of(stepped(t, every(t), 10).World()))
}

// A new field of a definition would be lost here unless it is written.
func TestEveryFieldOfADefinitionIsInTheFile(t *testing.T) {
	a := rube.Of(stepped(t, every(t), 0).World())
	b := reread(t, a)
	if a.LeftOut = nil; !reflect.DeepEqual(a, b) {
		t.Errorf("got  %+v\nwant %+v", b, a)
	}
	unset := func(what string, v reflect.Value, but ...string) {
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; v.Field(i).IsZero() && !slices.Contains(but, name) {
				t.Errorf("%s has no %s: the test does not say whether it is written", what, name)
			}
		}
	}
	unset("the body", reflect.ValueOf(a.Bodies[1]), "NoGravity", "Asleep", "Disabled", "FixedRotation", "FixedY", "Mass")
	unset("the shape", reflect.ValueOf(a.Bodies[0].Shapes[0]), "Radius")
	unset("the world", reflect.ValueOf(a.World), "NoGravity", "NoSleep", "NoContinuous", "NoWarmStarting", "SubStepping", "Workers")
	seen := reflect.New(reflect.TypeFor[world.JointDef]()).Elem()
	for _, j := range a.Joints {
		v := reflect.ValueOf(j.Def)
		for i := range v.NumField() {
			if !v.Field(i).IsZero() {
				seen.Field(i).Set(v.Field(i))
			}
		}
	}
	unset("every joint", seen, "A", "B", "Anchor", "Joint1", "Joint2")
}

func TestRandomNumbersAreReadBackToTheBit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		sim := empty(t)
		w := sim.World()
		for i := range 8 {
			angle := r.Float64() * 7
			d := world.BodyDef{
				Kind: world.BodyKind(r.IntN(3)), Position: world.Vec{X: 6 * float64(i), Y: r.NormFloat64() * 1e3}, Angle: 20 * r.NormFloat64(),
				Velocity: world.Vec{X: r.NormFloat64(), Y: r.NormFloat64()}, AngularVelocity: r.NormFloat64(), GravityScale: r.NormFloat64(),
			}
			for range 1 + r.IntN(3) {
				p := world.Polygon(
					world.Vec{X: r.Float64(), Y: r.Float64()}, world.Vec{X: -r.Float64(), Y: r.Float64()},
					world.Vec{X: -r.Float64(), Y: -r.Float64()}, world.Vec{X: r.Float64(), Y: -r.Float64() - .1})
				p.OneWay = world.Vec{X: math.Cos(angle), Y: math.Sin(angle)}
				d.Shapes = append(d.Shapes, p)
			}
			if _, err := w.CreateBody(d); err != nil {
				t.Fatal(err)
			}
			if all := slices.Collect(w.Bodies()); i > 0 {
				for _, k := range []world.JointKind{world.PrismaticJoint, world.WheelJoint, world.RevoluteJoint} {
					at := world.Vec{X: r.NormFloat64(), Y: r.NormFloat64()}
					if _, err := w.CreateJoint(world.JointDef{Kind: k, A: all[i-1], B: all[i], Anchor: &at, AxisA: world.Vec{X: r.NormFloat64(), Y: r.NormFloat64()}}); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		step(sim, r.IntN(20))
		rebuilt(t, "random", sim)
	}
}

func TestWhatCannotBeWrittenIsNamed(t *testing.T) {
	w := empty(t).World()
	w.AddController(world.ControllerFunc(func(*world.World, float64) {}))
	w.AddController(world.ControllerFunc(func(*world.World, float64) {}))
	w.SetShouldCollide(func(*world.World, world.Shape, world.Shape) bool { return true })
	w.CreateBody(world.BodyDef{User: 7})
	if got, want := rube.Of(w).LeftOut, []string{"2 controllers", "1 ShouldCollide hook", "1 user value"}; !slices.Equal(got, want) {
		t.Errorf("left out are %q", got)
	}
	for _, s := range []*rube.Scene{{World: world.Config{Gravity: world.Vec{X: math.NaN()}}}, {Bodies: []world.BodyDef{{Angle: math.Inf(1)}}}} {
		_, asJSON := s.JSON()
		_, asGo := s.Go("scene")
		for _, err := range []error{asJSON, asGo} {
			if err == nil || err.Error() != "a number of the scene is not finite" {
				t.Error(err)
			}
		}
	}
}

// The program b2dJson.cpp reads these values. Without them a body has mass 1 and never
// turns, and a capsule has no size.
func TestOtherProgramsReadMassesAndCapsules(t *testing.T) {
	w := empty(t).World()
	w.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.CircleAt(1, 0, 1), world.Capsule(world.Vec{X: -1}, world.Vec{X: 1}, .5)}})
	data, err := rube.Of(w).JSON()
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Body []struct {
			Mass    float64 `json:"massData-mass"`
			Inertia float64 `json:"massData-I"`
			Fixture []struct {
				Polygon struct{ Vertices struct{ X, Y []float64 } }
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	info, _ := w.Body(slices.Collect(w.Bodies())[0])
	about := info.Inertia + info.Mass*(info.Centre.X*info.Centre.X+info.Centre.Y*info.Centre.Y)
	if b := file.Body[0]; b.Mass != info.Mass || math.Abs(b.Inertia-about) > 1e-12 {
		t.Errorf("mass %v, inertia %v; want %v and %v", b.Mass, b.Inertia, info.Mass, about)
	}
	corners := file.Body[0].Fixture[1].Polygon.Vertices
	if x := corners.X; len(x) != 8 || math.Abs(slices.Max(x)-(1+.5*math.Cos(math.Pi/6))) > 1e-9 {
		t.Errorf("the capsule is %v", corners)
	}
	stripped := strings.NewReplacer("halfstep.", "of another program.").Replace(string(data))
	other, err := rube.Parse("other.json", []byte(stripped))
	if err != nil {
		t.Fatal(err)
	}
	if d := other.Bodies[0]; len(d.Shapes) != 2 || d.Shapes[1].Kind != world.PolygonShape || d.Mass == nil {
		t.Errorf("without our own properties: %+v", d)
	}
}

func TestOwnPropertiesThatMakeNoSenseGetOneLine(t *testing.T) {
	for property, want := range map[string]string{
		`{"name":"halfstep.fixdX","bool":true}`:        `x.json: body 0: customProperties: "halfstep.fixdX": there is no such property here`,
		`{"name":"halfstep.fixedX","int":1}`:           `x.json: body 0: customProperties: property 0 "halfstep.fixedX": no bool in it`,
		`{"name":"halfstep.sleepSpeed","float":"now"}`: `x.json: body 0: customProperties: property 0 "halfstep.sleepSpeed": float: "now" is not a float32 in eight hexadecimal digits`,
		`{"name":"halfstep.mass","string":"heavy"}`:    `x.json: body 0: mass "heavy": neither given nor densities`,
	} {
		_, err := rube.Parse("x.json", []byte(`{"body":[{"type":2,"customProperties":[`+property+`]}]}`))
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v", property, err)
		}
	}
}
