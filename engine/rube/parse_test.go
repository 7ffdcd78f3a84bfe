package rube

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/world"
)

func mustParse(t testing.TB, data string) *Scene {
	t.Helper()
	s, err := Parse("test.json", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// oneBody parses a scene of one body with the given fields.
func oneBody(t *testing.T, fields string) world.BodyDef {
	t.Helper()
	return mustParse(t, `{"body":[{`+fields+`}]}`).Bodies[0]
}

func oneShape(t *testing.T, fields string) world.ShapeDef {
	t.Helper()
	return oneBody(t, `"type":2,"fixture":[{`+fields+`}]`).Shapes[0]
}

func oneJoint(t *testing.T, fields string) Joint {
	t.Helper()
	return mustParse(t, `{"body":[{},{"type":2}],"joint":[{"bodyA":0,"bodyB":1,`+fields+`}]}`).Joints[0]
}

func TestWorldSettingsAreRead(t *testing.T) {
	const source = `{"gravity":{"x":0.5,"y":-9.5},"stepsPerSecond":50.0,
		"velocityIterations":9,"positionIterations":4,
		"allowSleep":true,"warmStarting":true,"continuousPhysics":true,"subStepping":true}`
	s := mustParse(t, source)
	want := &Scene{Name: "test.json", Source: []byte(source), StepsPerSecond: 50,
		World:  world.Config{Gravity: world.Vec{X: .5, Y: -9.5}, VelocityIterations: 9, PositionIterations: 4, SubStepping: true},
		Bodies: []world.BodyDef{}, Joints: []Joint{}}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
}

func TestWhatTheWorldLeavesOutIsOff(t *testing.T) {
	s := mustParse(t, `{"gravity":0}`)
	want := world.Config{NoGravity: true, NoSleep: true, NoWarmStarting: true, NoContinuous: true}
	if s.StepsPerSecond != 0 || !reflect.DeepEqual(s.World, want) {
		t.Errorf("%+v", s)
	}
}

func TestBodyFieldsAreRead(t *testing.T) {
	got := oneBody(t, `"name":"cart","type":2,"position":{"x":1,"y":2},"angle":0.5,
		"linearVelocity":{"x":3,"y":4},"angularVelocity":5,"linearDamping":0.1,"angularDamping":0.2,
		"gravityScale":2,"allowSleep":false,"awake":true,"fixedRotation":true,"bullet":true,"active":false`)
	want := world.BodyDef{Name: "cart", Kind: world.Dynamic, Position: world.Vec{X: 1, Y: 2}, Angle: .5,
		Velocity: world.Vec{X: 3, Y: 4}, AngularVelocity: 5, LinearDamping: .1, AngularDamping: .2,
		GravityScale: 2, NoSleep: true, FixedRotation: true, Bullet: true, Disabled: true, Shapes: []world.ShapeDef{}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestWhatABodyLeavesOutHasTheFormatsDefaults(t *testing.T) {
	got := oneBody(t, ``)
	want := world.BodyDef{Kind: world.Static, GravityScale: 1, Asleep: true, Shapes: []world.ShapeDef{}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestGravityScaleZeroMeansNoGravity(t *testing.T) {
	if d := oneBody(t, `"gravityScale":0`); !d.NoGravity {
		t.Errorf("%+v", d)
	}
}

func TestStaticBodyHasNoVelocity(t *testing.T) {
	if d := oneBody(t, `"linearVelocity":{"x":1,"y":1},"angularVelocity":2`); d.Velocity != (world.Vec{}) || d.AngularVelocity != 0 {
		t.Errorf("%+v", d)
	}
}

func TestMassDataIsReadForDynamicBodiesAlone(t *testing.T) {
	for _, c := range []struct {
		name, fields string
		want         *world.Mass
	}{
		{"given", `"type":2,"massData-mass":2,"massData-center":{"x":1,"y":0},"massData-I":3`, &world.Mass{Mass: 2, Centre: world.Vec{X: 1}, Inertia: 3}},
		{"left out", `"type":2`, nil},
		{"mass 0", `"type":2,"massData-mass":0,"massData-I":1`, nil},
		{"static", `"type":0,"massData-mass":2,"massData-I":3`, nil},
		{"kinematic", `"type":1,"massData-mass":2,"massData-I":3`, nil},
		{"no inertia", `"type":2,"massData-mass":2,"massData-center":{"x":1,"y":0}`, &world.Mass{Mass: 2, Centre: world.Vec{X: 1}}},
		{"does not turn", `"type":2,"massData-mass":2,"massData-center":{"x":1,"y":0},"massData-I":2`, &world.Mass{Mass: 2, Centre: world.Vec{X: 1}}},
		{"rounded to nothing", `"type":2,"massData-mass":2,"massData-center":{"x":10,"y":0},"massData-I":199.9999`, &world.Mass{Mass: 2, Centre: world.Vec{X: 10}}},
	} {
		if got := oneBody(t, c.fields).Mass; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestNumbersMayBeHexadecimalFloat32(t *testing.T) {
	d := oneBody(t, `"type":1,"angle":"3FC00000","position":{"x":"C0200000","y":"3f000000"},
		"fixture":[{"polygon":{"vertices":{"x":["BF800000",1,"00000000"],"y":[0,"00000000","40000000"]}}}]`)
	if d.Angle != 1.5 || d.Position != (world.Vec{X: -2.5, Y: .5}) {
		t.Errorf("angle %v, position %v", d.Angle, d.Position)
	}
	if want := []world.Vec{{X: -1}, {X: 1}, {Y: 2}}; !reflect.DeepEqual(d.Shapes[0].Points, want) {
		t.Errorf("corners %v, want %v", d.Shapes[0].Points, want)
	}
	if d := oneBody(t, `"angle":"3DCCCCCD"`); d.Angle != float64(float32(.1)) {
		t.Errorf("angle %v", d.Angle)
	}
}

func TestFilterBitsAreReadWithTheirDefaults(t *testing.T) {
	for _, c := range []struct {
		fields string
		want   world.Filter
	}{
		{``, world.Filter{Category: 1, Mask: world.AllCategories}},
		{`"filter-categoryBits":4,"filter-maskBits":65534,"filter-groupIndex":-3,`, world.Filter{Category: 4, Mask: 65534, Group: -3}},
		{`"filter-maskBits":0,`, world.Filter{Category: 1}},
		{`"filter-categoryBits":0,"filter-maskBits":0,`, world.Filter{Category: 1}},
		{`"filter-categoryBits":0,`, world.Filter{Mask: world.AllCategories}},
		{`"filter-maskBits":-1,`, world.Filter{Category: 1, Mask: world.AllCategories}},
		{`"filter-maskBits":4294967295,`, world.Filter{Category: 1, Mask: world.AllCategories}},
	} {
		if got := oneShape(t, c.fields+`"circle":{"radius":1}`).Filter; got != c.want {
			t.Errorf("%s: %+v, want %+v", c.fields, got, c.want)
		}
	}
}

func TestFixtureFieldsAreRead(t *testing.T) {
	got := oneShape(t, `"name":"rim","density":2,"friction":0.5,"restitution":0.25,"sensor":true,"circle":{"radius":1.5,"center":{"x":1,"y":2}}`)
	want := world.ShapeDef{Name: "rim", Kind: world.CircleShape, Points: []world.Vec{{X: 1, Y: 2}}, Radius: 1.5,
		Density: 2, Friction: .5, Restitution: .25, Sensor: true, Filter: world.Filter{Category: 1, Mask: world.AllCategories}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestWhatAFixtureLeavesOutIsZero(t *testing.T) {
	if d := oneShape(t, `"circle":{"radius":1}`); d.Density != 0 || d.Friction != 0 || d.Restitution != 0 || d.Sensor || d.Points[0] != (world.Vec{}) {
		t.Errorf("%+v", d)
	}
}

func TestEveryKindOfFixtureBecomesItsShape(t *testing.T) {
	v := func(x, y float64) *world.Vec { return &world.Vec{X: x, Y: y} }
	for _, c := range []struct {
		name, fields  string
		kind          world.ShapeKind
		points        []world.Vec
		before, after *world.Vec
	}{
		{"polygon", `"polygon":{"vertices":{"x":[0,2,1],"y":[0,0,2]}}`, world.PolygonShape, []world.Vec{{}, {X: 2}, {X: 1, Y: 2}}, nil, nil},
		{"polygon of two corners", `"polygon":{"vertices":{"x":[0,2],"y":[0,1]}}`, world.EdgeShape, []world.Vec{{}, {X: 2, Y: 1}}, nil, nil},
		{"edge", `"edge":{"vertex1":0,"vertex2":{"x":1,"y":0}}`, world.EdgeShape, []world.Vec{{}, {X: 1}}, nil, nil},
		{"edge with ghosts", `"edge":{"vertex1":0,"vertex2":{"x":1,"y":0},"hasVertex0":true,"vertex0":{"x":-1,"y":2},"hasVertex3":true,"vertex3":{"x":2,"y":3}}`,
			world.EdgeShape, []world.Vec{{}, {X: 1}}, v(-1, 2), v(2, 3)},
		{"edge with a ghost not to be used", `"edge":{"vertex1":0,"vertex2":{"x":1,"y":0},"vertex0":{"x":-1,"y":2}}`, world.EdgeShape, []world.Vec{{}, {X: 1}}, nil, nil},
		{"edge with a ghost at the origin", `"edge":{"vertex1":{"x":1,"y":0},"vertex2":{"x":2,"y":0},"hasVertex0":true,"vertex0":0}`,
			world.EdgeShape, []world.Vec{{X: 1}, {X: 2}}, v(0, 0), nil},
		{"chain", `"chain":{"vertices":{"x":[0,1,2,3],"y":[0,0,1,1]}}`, world.ChainShape, []world.Vec{{}, {X: 1}, {X: 2, Y: 1}, {X: 3, Y: 1}}, nil, nil},
		{"chain with ghosts", `"chain":{"vertices":{"x":[0,1],"y":[0,0]},"hasPrevVertex":true,"prevVertex":{"x":-1,"y":1},"hasNextVertex":true,"nextVertex":{"x":2,"y":1}}`,
			world.ChainShape, []world.Vec{{}, {X: 1}}, v(-1, 1), v(2, 1)},
		{"chain that is a loop", `"chain":{"vertices":{"x":[0,1,1,0],"y":[0,0,1,0]},"hasPrevVertex":true,"prevVertex":{"x":1,"y":1},"hasNextVertex":true,"nextVertex":{"x":1,"y":0}}`,
			world.ClosedChainShape, []world.Vec{{}, {X: 1}, {X: 1, Y: 1}}, nil, nil},
		{"chain that ends where it begins, not smooth", `"chain":{"vertices":{"x":[0,1,1,0],"y":[0,0,1,0]}}`,
			world.ChainShape, []world.Vec{{}, {X: 1}, {X: 1, Y: 1}, {}}, nil, nil},
		{"loop of old exports", `"loop":{"vertices":{"x":[0,1,1],"y":[0,0,1]}}`, world.ClosedChainShape, []world.Vec{{}, {X: 1}, {X: 1, Y: 1}}, nil, nil},
		{"loop with its closing point", `"loop":{"vertices":{"x":[0,1,1,0],"y":[0,0,1,0]}}`, world.ClosedChainShape, []world.Vec{{}, {X: 1}, {X: 1, Y: 1}}, nil, nil},
	} {
		d := oneShape(t, c.fields)
		if d.Kind != c.kind || !reflect.DeepEqual(d.Points, c.points) || !reflect.DeepEqual(d.Before, c.before) || !reflect.DeepEqual(d.After, c.after) {
			t.Errorf("%s: kind %v, points %v, before %v, after %v", c.name, d.Kind, d.Points, d.Before, d.After)
		}
	}
}

func TestNumbersForBooleansAreTaken(t *testing.T) {
	if d := oneBody(t, `"bullet":1,"active":0,"fixedRotation":null`); !d.Bullet || !d.Disabled || d.FixedRotation {
		t.Errorf("%+v", d)
	}
}

func TestCommentsAreSkipped(t *testing.T) {
	s := mustParse(t, "\ufeff// exported\n{\"body\":[{\"type\":2, //dynamic\n\"name\":\"a//b /* \\\" c\" /* no\nmore */}]}")
	if d := s.Bodies[0]; d.Name != `a//b /* " c` || d.Kind != world.Dynamic {
		t.Errorf("%+v", d)
	}
}

func TestCustomPropertiesAreKept(t *testing.T) {
	const props = `"path":"a/b","customProperties":[
		{"name":"n","int":-7},{"name":"x","float":0.5},{"name":"h","float":"3FC00000"},{"name":"s","string":"hello"},
		{"name":"v","vec2":{"x":1,"y":2}},{"name":"z","vec2":0},{"name":"b","bool":true},
		{"name":"c","color":[1,2,3,255]},{"name":"n","string":"seven"}]`
	s := mustParse(t, `{`+props+`,"body":[{`+props+`,"fixture":[{`+props+`,"circle":{"radius":1}}]},{}],
		"joint":[{"type":"weld","bodyB":1,`+props+`}]}`)
	info := func(u any) Properties {
		t.Helper()
		in, ok := u.(*Info)
		if !ok || in.Path != "a/b" {
			t.Fatalf("user data is %T %+v", u, u)
		}
		return in.Properties
	}
	for where, p := range map[string]Properties{
		"world": s.Properties, "body": info(s.Bodies[0].User),
		"fixture": info(s.Bodies[0].Shapes[0].User), "joint": info(s.Joints[0].Def.User),
	} {
		want := Properties{{"n", -7}, {"x", .5}, {"h", 1.5}, {"s", "hello"}, {"v", world.Vec{X: 1, Y: 2}},
			{"z", world.Vec{}}, {"b", true}, {"c", body2d.Colour{1, 2, 3, 255}}, {"n", "seven"}}
		if !reflect.DeepEqual(p, want) {
			t.Errorf("%s: %v", where, p)
		}
	}
	p := s.Properties
	if v, ok := p.Int("n"); v != -7 || !ok {
		t.Errorf("Int: %v %v", v, ok)
	}
	if v, ok := p.Text("n"); v != "seven" || !ok {
		t.Errorf("Text: %v %v", v, ok)
	}
	if v, ok := p.Float("x"); v != .5 || !ok {
		t.Errorf("Float: %v %v", v, ok)
	}
	if v, ok := p.Vec("v"); v != (world.Vec{X: 1, Y: 2}) || !ok {
		t.Errorf("Vec: %v %v", v, ok)
	}
	if v, ok := p.Bool("b"); !v || !ok {
		t.Errorf("Bool: %v %v", v, ok)
	}
	if v, ok := p.Colour("c"); v != (body2d.Colour{1, 2, 3, 255}) || !ok {
		t.Errorf("Colour: %v %v", v, ok)
	}
	if v, ok := p.Float("n"); ok {
		t.Errorf("Float of no such property: %v", v)
	}
	if s.Bodies[1].User != nil {
		t.Errorf("user data of a body without any: %v", s.Bodies[1].User)
	}
}

func TestReadFileNamesThePath(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.json")
	if err := os.WriteFile(path, []byte(`{"gravity":0}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if s, err := ReadFile(path); err != nil || s.Name != path {
		t.Errorf("%+v, %v", s, err)
	}
	missing := filepath.Join(dir, "none.json")
	_, err := ReadFile(missing)
	if err == nil || !strings.HasPrefix(err.Error(), missing+": ") || strings.Count(err.Error(), missing) != 1 {
		t.Errorf("missing file: %v", err)
	}
	if _, err := ReadFile(dir); err == nil || !strings.HasPrefix(err.Error(), dir+": ") {
		t.Errorf("folder: %v", err)
	}
}

func TestHugeButFiniteNumbersAreTaken(t *testing.T) {
	if d := oneBody(t, `"angle":3.4028234663852886e38`); d.Angle != math.MaxFloat32 {
		t.Errorf("%v", d.Angle)
	}
}
