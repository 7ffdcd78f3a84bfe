package rube

import (
	"math"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"halfstep/world"
)

// Three programs wrote the files in testdata/dump: Box2D 2.3.1 and 2.4.1 in C++, and ByteArena's
// port. Each program made the same world with every shape and joint of its version, stepped the
// world twenty times, and dumped it. It then made thirty more steps. The table after has the final
// positions of the bodies. A dump contains no contacts, and not the mouse joint that pulled body 3.
func TestADumpGoesOnAsTheProgramThatWroteItDid(t *testing.T) {
	type pose [3]float64
	for _, c := range []struct {
		file   string
		joints int
		line   string // of the mouse joint
		after  map[int]pose
	}{
		{"box2d-2.3.txt", 11, "line 634", map[int]pose{5: {.312976, 3.06061, -2.41301}, 6: {1.31747, 3.08906, -3.17235}, 7: {.917593, 4.41548, .085531}, 8: {-1.07238, 5.02128, -2.66155}}},
		{"box2d-2.4.txt", 10, "line 646", map[int]pose{5: {.205912, 3.42423, -2.62148}, 6: {1.19462, 3.24643, -3.6528}, 7: {1.08449, 4.24224, -.878981}, 8: {-1.10069, 5.28976, -2.48931}}},
		{"box2d-go.txt", 11, "line 634", map[int]pose{5: {.312976, 3.060606, -2.413010}, 6: {1.317467, 3.089059, -3.172355}, 7: {.917593, 4.415477, .085532}, 8: {-1.07238, 5.021286, -2.661549}}},
	} {
		s := readScene(t, "testdata/dump/"+c.file)
		if len(s.Bodies) != 15 || len(s.Joints) != c.joints {
			t.Fatalf("%s: %d bodies, %d joints", c.file, len(s.Bodies), len(s.Joints))
		}
		if want := []string{c.line + ": a mouse joint, which Dump does not write"}; !reflect.DeepEqual(s.LeftOut, want) {
			t.Errorf("%s: left out are %q", c.file, s.LeftOut)
		}
		for i, at := range map[int]pose{ // these positions are the same in all three files
			0: {6.75, 6.383333, 2.133333}, 1: {5.5, 5.2, 1.2}, 2: {4.5, 5.1, 1.1}, 4: {2.612560, 4.093186, .9},
			9: {-2.079730, 1.289567, 1.203653}, 10: {-3.062301, 1.078491, .382359}, 11: {-4.056456, .910886, .2},
			12: {-6.167541, 3.209945, .1}, 13: {-5.453225, 4.051629, 1.669360}, 14: {},
		} {
			c.after[i] = at
		}
		w := build(t, s, 30)
		i := 0
		for b := range w.Bodies() {
			x, err := w.Body(b)
			if err != nil {
				t.Fatal(err)
			}
			if want, ok := c.after[i]; ok {
				for k, got := range (pose{x.Position.X, x.Position.Y, x.Angle}) {
					if math.Abs(got-want[k]) > .005 {
						t.Errorf("%s: body %d is at %v, angle %v, not at %v", c.file, i, x.Position, x.Angle, want)
						break
					}
				}
			}
			i++
		}
		w.Close()
	}
}

func TestTheNumbersOfAnyDumpAreThoseOfItsProgram(t *testing.T) {
	for file, want := range map[string]float64{
		"box2d-2.3.txt": float64(float32(-9.8)), "box2d-2.4.txt": float64(float32(-9.8)), "box2d-go.txt": -9.8,
	} {
		if s := readScene(t, "testdata/dump/"+file); s.World.Gravity.Y != want {
			t.Errorf("%s: gravity %v, not %v", file, s.World.Gravity.Y, want)
		}
	}
}

// In ByteArena's port a definition has no filter unless one is set, and its world has no filter
// either. In C++ a fixture with the same numbers collides with nothing.
func TestAFixtureOfThePortWithoutAFilterCollidesWithAll(t *testing.T) {
	for file, want := range map[string]world.Filter{"box2d-go.txt": {Category: 1, Mask: world.AllCategories}, "box2d-2.3.txt": {Category: 1}} {
		data, err := os.ReadFile("testdata/dump/" + file)
		if err != nil {
			t.Fatal(err)
		}
		text := regexp.MustCompile(`(filter\.\w+ = u?int16\()-?\d+`).ReplaceAllString(string(data), "${1}0")
		s, err := Parse("dump", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Bodies[0].Shapes[0].Filter; got != want {
			t.Errorf("%s: the filter is %+v, not %+v", file, got, want)
		}
	}
}

func TestADumpIsSavedAsAnySceneIs(t *testing.T) {
	for _, file := range []string{"box2d-2.3.txt", "box2d-2.4.txt", "box2d-go.txt"} {
		s := readScene(t, "testdata/dump/"+file)
		data, err := s.JSON()
		if err != nil {
			t.Fatal(err)
		}
		again := mustParse(t, string(data))
		if !reflect.DeepEqual(s.Bodies, again.Bodies) || !reflect.DeepEqual(s.Joints, again.Joints) || !reflect.DeepEqual(s.World, again.World) {
			t.Errorf("%s: read back, it is another scene", file)
		}
		if _, err := s.Go("scene"); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// dumped returns a small dump in which the text old is replaced by the text with.
func dumped(old, with string) string {
	const text = `b2Vec2 g(0, -10);
m_world->SetGravity(g);
b2Body** bodies = (b2Body**)b2Alloc(2 * sizeof(b2Body*));
b2Joint** joints = (b2Joint**)b2Alloc(1 * sizeof(b2Joint*));
{
  b2BodyDef bd;
  bd.type = b2BodyType(2);
  bodies[0] = m_world->CreateBody(&bd);

  {
    b2FixtureDef fd;
    fd.density = 1;
    b2PolygonShape shape;
    b2Vec2 vs[8];
    vs[0].Set(0, 0);
    vs[1].Set(1, 0);
    vs[2].Set(0, 1);
    shape.Set(vs, 3);
    fd.shape = &shape;
    bodies[0]->CreateFixture(&fd);
  }
}
{
  b2BodyDef bd;
  bodies[1] = m_world->CreateBody(&bd);
}
{
  b2RevoluteJointDef jd;
  jd.bodyA = bodies[0];
  jd.bodyB = bodies[1];
  joints[0] = m_world->CreateJoint(&jd);
}
bodies = nullptr;
`
	return strings.Replace(text, old, with, 1)
}

func TestWhatIsNoDumpIsRefusedWithItsLine(t *testing.T) {
	if _, err := Parse("x.txt", []byte(dumped("", ""))); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, with, want string }{
		{"b2Vec2 g(", "the game begins\nb2Vec2 g(", `line 1: "the game begins" is not what b2World::Dump writes here`},
		{"bd.type", "bd.kind", `line 7: "bd.kind = b2BodyType(2);" is not what b2World::Dump writes here`},
		{"b2BodyType(2)", "b2BodyType(3)", `line 7: 3: not a whole number from 0 to 2`},
		{"b2BodyType(2)", "b2BodyType(1.5)", `line 7: 1.5: not a whole number from 0 to 2147483647`},
		{"bd.type = b2BodyType(2)", "bd.angle = nan", `line 7: "bd.angle = nan;" is not what b2World::Dump writes here`},
		{"bd.type = b2BodyType(2)", "bd.angle = 1e99", `line 7: "bd.angle = 1e99;" is not what b2World::Dump writes here`},
		{"bd.type = b2BodyType(2)", "bd.linearDamping = -1", `line 7: -1: below 0`},
		{"bodies[0] =", "bodies[4] =", `line 8: body 4 where body 0 should be`},
		{"  b2BodyDef bd;", "", `line 7: "bd.type = b2BodyType(2);" is not what b2World::Dump writes here`},
		{"fd.density = 1", "jd.ratio = 1", `line 12: "jd.ratio = 1;" is not what b2World::Dump writes here`},
		{"fd.density = 1", "fd.density = -1", `line 20: density is -1`},
		{"fd.density = 1", "fd.filter.maskBits = uint16(70000)", `line 20: the filter has more than 16 bits`},
		{"vs[1]", "vs[7]", `line 16: vs[7] where vs[1] should be`},
		{"vs, 3", "vs, 4", `line 18: 3 points, but 4 are said`},
		{"Set(0, 1)", "Set(2, 0)", `line 20: the polygon has no area`},
		{"bodies[0]->", "bodies[9]->", `line 20: body 9 out of range (1 body)`},
		{"    b2PolygonShape shape;\n", "", `line 17: "shape.Set(vs, 3);" is not what b2World::Dump writes here`},
		{"bodies[0];", "bodies[5];", `line 31: body 5 out of range (2 bodies)`},
		{"bodies[0];", "bodies[1];", `line 31: bodyA and bodyB are both 1`},
		{"jd.bodyB", "jd.ratio", `line 30: "jd.ratio = bodies[1];" is not what b2World::Dump writes here`},
		{"  }\n}\n", "  }\n}\n}\n", `line 23: a brace too many`},
		{"  }\n}\n", "  }\n", `line 32: a brace too few`},
		{"bd.type = b2BodyType(2);", strings.Repeat(" ", maxDumpLine) + "bd.type = b2BodyType(2);", `line 7: "" is not what b2World::Dump writes here`},
		{"bodies = nullptr;\n", "", `line 32: the dump stops before bodies = NULL`},
		{"bodies = nullptr;\n", "bodies = nullptr;\nexit status 2\n", `line 34: "exit status 2" is not what b2World::Dump writes here`},
		{"bd.type = b2BodyType(2)", "bd.angle = 0" + strings.Repeat("0", maxDumpLine), `line 7: "bd.angle = 0000000000000000000000000000…" is not`},
	} {
		_, err := Parse("x.txt", []byte(dumped(c.old, c.with)))
		if err == nil || !strings.HasPrefix(err.Error(), "x.txt: "+c.want) {
			t.Errorf("%q for %q: %v, not %s", c.with, c.old, err, c.want)
		}
	}
}

func TestAGearRefersToJointsByTheirNumber(t *testing.T) {
	data, err := os.ReadFile("testdata/dump/box2d-go.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := readScene(t, "testdata/dump/box2d-go.txt")
	last := s.Joints[len(s.Joints)-1]
	if last.Def.Kind != world.GearJoint || s.Joints[last.Joint1].Def.Kind != world.RevoluteJoint || s.Joints[last.Joint2].Def.Kind != world.PrismaticJoint {
		t.Errorf("%+v", last)
	}
	for to, want := range map[string]string{"99": "there is no joint 99 yet", "0": "there is no joint 0 yet"} { // the joint with number 0 is the mouse joint
		bad := regexp.MustCompile(`jd\.joint1 = joints\[\d+\]`).ReplaceAll(data, []byte("jd.joint1 = joints["+to+"]"))
		if _, err := Parse("x.txt", bad); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("joint %s: %v", to, err)
		}
	}
}

// Box2D 2.4 has a bounce threshold for each fixture.
func TestFixturesThatBounceFromOtherSpeedsAreNamed(t *testing.T) {
	fixture := "fd.density = 1;\n    fd.restitutionThreshold = 3;"
	s, err := Parse("x.txt", []byte(dumped("fd.density = 1;", fixture)))
	if err != nil || s.World.Surfaces.RestitutionThreshold != 3 || s.LeftOut != nil {
		t.Errorf("%v, %v", err, s)
	}
	s, err = Parse("x.txt", []byte(dumped("fd.density = 1;", fixture+"\n    fd.restitutionThreshold = 2;")))
	want := []string{"line 14: restitutionThreshold 2, because the world has one for all fixtures, here 3"}
	if err != nil || !reflect.DeepEqual(s.LeftOut, want) {
		t.Errorf("%v, %q", err, s.LeftOut)
	}
}

func TestADistanceJointWithoutRoomIsRigidWhateverItsSpring(t *testing.T) {
	joint := "b2DistanceJointDef jd;\n  jd.length = 9;\n  jd.stiffness = 5;\n  jd.minLength = 2;\n  jd.maxLength = "
	for most, want := range map[string]world.JointDef{
		"2":              {Kind: world.DistanceJoint, Length: 2},
		"3.40282347e+38": {Kind: world.DistanceJoint, Length: 9, EnableLimit: true, Lower: 2, Upper: farthest},
	} {
		s, err := Parse("x.txt", []byte(dumped("b2RevoluteJointDef jd;", joint+most+";")))
		if err != nil {
			t.Fatal(err)
		}
		got := s.Joints[0].Def
		if soft := got.Frequency > 0; soft != want.EnableLimit {
			t.Errorf("longest %s: frequency %v", most, got.Frequency)
		}
		if got.Frequency = 0; !reflect.DeepEqual(got, want) {
			t.Errorf("longest %s: %+v", most, got)
		}
		w := build(t, s, 1)
		w.Close()
	}
}

func TestTheLinesOfADumpKeepTheirGhosts(t *testing.T) {
	for file, want := range map[string]struct{ before, after bool }{
		"box2d-2.3.txt": {true, false}, "box2d-go.txt": {true, false}, "box2d-2.4.txt": {true, true},
	} {
		kinds := map[world.ShapeKind]int{}
		s := readScene(t, "testdata/dump/"+file)
		for _, f := range s.Bodies[14].Shapes {
			kinds[f.Kind]++
			if f.Kind != world.ClosedChainShape && (f.Before != nil) != want.before || (f.After != nil) != (want.after && f.Kind != world.ClosedChainShape) {
				t.Errorf("%s: %v", file, f)
			}
		}
		if len(kinds) != 3 || kinds[world.EdgeShape]+kinds[world.ChainShape]+kinds[world.ClosedChainShape] != 3 {
			t.Errorf("%s: shapes %v", file, kinds)
		}
	}
}
