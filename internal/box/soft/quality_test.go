package soft_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/box/fast"
	"halfstep/internal/box"
	"halfstep/internal/box/soft"
	"halfstep/test/norace"

	"github.com/ByteArena/box2d"
)

// yard is a world for measurements.
type yard struct {
	*box2d.B2World
	step func(dt float64, velocity, position int)
}

// yards makes an empty world for the soft stepper, and an empty world for the
// fast stepper, with which it is compared.
func yards(t testing.TB, listener ...soft.Listener) map[string]*yard {
	all := map[string]*yard{}
	for _, name := range []string{"soft", "fast"} {
		w := box2d.MakeB2World(box2d.MakeB2Vec2(0, -10))
		w.SetContactFilter(&box2d.B2ContactFilter{})
		w.SetAllowSleeping(false)
		y := &yard{B2World: &w}
		if name == "soft" {
			o := soft.Options{Workers: 1}
			for _, l := range listener {
				o.Listener = l
			}
			s := soft.New(&w, o)
			t.Cleanup(s.Close)
			y.step = s.Step
		} else {
			s := fast.New(&w, fast.Options{Workers: 1})
			t.Cleanup(s.Close)
			y.step = s.Step
		}
		all[name] = y
	}
	return all
}

func (y *yard) run(seconds float64) {
	for range int(seconds*60 + 0.5) {
		y.step(1.0/60, 8, 3)
	}
}

func (y *yard) body(kind uint8, x, px float64) *box2d.B2Body {
	d := box2d.MakeB2BodyDef()
	d.Type = kind
	d.Position = box2d.B2Vec2{X: x, Y: px}
	return y.CreateBody(&d)
}

func (y *yard) box(kind uint8, x, py, hx, hy, density float64) *box2d.B2Body {
	b := y.body(kind, x, py)
	s := box2d.MakeB2PolygonShape()
	s.SetAsBox(hx, hy)
	fix(b, &s, density)
	return b
}

func fix(b *box2d.B2Body, s box2d.B2ShapeInterface, density float64) *box2d.B2Fixture {
	f := box2d.MakeB2FixtureDef()
	f.Shape, f.Density, f.Friction, f.Filter = s, density, 0.6, box2d.MakeB2Filter()
	return b.CreateFixtureFromDef(&f)
}

func (y *yard) disc(x, py, r, density float64) *box2d.B2Body {
	b := y.body(2, x, py)
	s := box2d.MakeB2CircleShape()
	s.SetRadius(r)
	fix(b, &s, density)
	return b
}

func (y *yard) ground() *box2d.B2Body { return y.box(0, 0, -1, 100, 1, 0) }

func (y *yard) hinge(a, b *box2d.B2Body, x, py float64) {
	d := box2d.MakeB2RevoluteJointDef()
	d.Initialize(a, b, box2d.B2Vec2{X: x, Y: py})
	y.CreateJoint(&d)
}

func TestATowerOf40BoxesStands(t *testing.T) {
	norace.Only(t)
	for name, y := range yards(t) {
		y.ground()
		var top *box2d.B2Body
		for i := range 40 {
			top = y.box(2, 0, 0.5+float64(i), 0.5, 0.5, 1)
		}
		seconds := 10.0
		if *long {
			seconds = 60
		}
		y.run(seconds)
		p := top.GetPosition()
		t.Logf("%s: after %v s the top is %.1f mm low and %.1f mm beside, at %.2f mm/s", name, seconds, 1e3*(39.5-p.Y), 1e3*p.X, 1e3*top.M_linearVelocity.X)
		if name == "soft" && (math.Abs(p.Y-39.5) > 0.6 || math.Abs(p.X) > 0.05) {
			t.Errorf("the top is at %v", p)
		}
	}
}

func TestAPyramidDoesNotDrift(t *testing.T) {
	norace.Only(t)
	w, bodies := soft.SceneWorld(t, "pyramid")
	s := soft.New(w, soft.Options{Workers: 1})
	defer s.Close()
	start := map[*box2d.B2Body]box2d.B2Vec2{}
	for range 120 {
		s.Step(1.0/60, 0, 0)
	}
	for _, b := range bodies {
		start[b] = b.M_xf.P
	}
	for range 300 {
		s.Step(1.0/60, 0, 0)
	}
	most := 0.0
	for b, p := range start {
		most = max(most, math.Hypot(b.M_xf.P.X-p.X, b.M_xf.P.Y-p.Y))
	}
	t.Logf("from the 2nd to the 7th second a body moves by %.2f mm at most; overlap %.1f mm", 1e3*most, 1e3*s.MaxOverlap())
	if most > 0.002 || s.MaxOverlap() > 0.016 {
		t.Errorf("a body moved by %v m, shapes overlap by %v m", most, s.MaxOverlap())
	}
}

func TestALightBoxCarriesA200TimesHeavierOne(t *testing.T) {
	for name, y := range yards(t) {
		y.ground()
		light := y.box(2, 0, 0.5, 0.5, 0.5, 1)
		heavy := y.box(2, 0, 2, 1, 1, 50) // a body of 200 kg on a body of 1 kg
		y.run(10)
		sunk := 2 - heavy.GetPosition().Y
		t.Logf("%s: the heavy box is %.1f mm low, the light one %.1f mm", name, 1e3*sunk, 1e3*(0.5-light.GetPosition().Y))
		if name == "soft" && !(math.Abs(sunk) < 0.1 && math.Abs(heavy.GetPosition().X) < 0.05) {
			t.Errorf("the heavy box is at %v", heavy.GetPosition())
		}
	}
}

func TestAChainHoldsAHeavyBall(t *testing.T) {
	norace.Only(t)
	for name, y := range yards(t) {
		last := y.body(0, 0, 0)
		for i := range 20 {
			link := y.box(2, 0.5+float64(i), 0, 0.5, 0.125, 20)
			y.hinge(last, link, float64(i), 0)
			last = link
		}
		ball := y.disc(20+2, 0, 2, 20) // a ball of 251 kg on links of 5 kg
		y.hinge(last, ball, 20, 0)
		stretch := 0.0
		for range 600 {
			y.run(1.0 / 60)
			for j := y.GetJointList(); j != nil; j = j.GetNext() {
				r := j.(*box2d.B2RevoluteJoint)
				a, b := r.GetAnchorA(), r.GetAnchorB()
				stretch = max(stretch, math.Hypot(a.X-b.X, a.Y-b.Y))
			}
		}
		t.Logf("%s: a joint comes apart by %.1f mm at most", name, 1e3*stretch)
		if name == "soft" && stretch > 0.3 {
			t.Errorf("a joint came apart by %v m", stretch)
		}
	}
}

// The walls are edges and boxes 2 cm thick. The shots are boxes and discs of 5
// to 20 cm, at up to 120 m/s.
func TestNoShotEscapesThroughThinWalls(t *testing.T) {
	norace.Only(t)
	n := 600
	if *long {
		n = 10_000
	}
	r := rand.New(rand.NewPCG(7, 7))
	y := yards(t)["soft"]
	y.SetGravity(box2d.B2Vec2{})
	const half = 3.0
	edges := y.body(0, 0, 0)
	for i := range 4 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 2)
		const long = half + 0.5 // the walls cross in the corners
		a, b := box2d.B2Vec2{X: half*cos - long*sin, Y: half*sin + long*cos}, box2d.B2Vec2{X: half*cos + long*sin, Y: half*sin - long*cos}
		if i%2 == 0 {
			e := box2d.MakeB2EdgeShape()
			e.Set(a, b)
			fix(edges, &e, 0)
			continue
		}
		y.box(0, (a.X+b.X)/2, (a.Y+b.Y)/2, long, 0.01, 0)
	}
	escaped := 0
	for range n / 20 {
		var shots []*box2d.B2Body
		for range 20 {
			size := 0.025 + 0.075*r.Float64()
			var b *box2d.B2Body
			if r.IntN(2) == 0 {
				b = y.disc(r.Float64()-.5, r.Float64()-.5, size, 1)
			} else {
				b = y.box(2, r.Float64()-.5, r.Float64()-.5, size, size*(.3+.7*r.Float64()), 1)
			}
			sin, cos := math.Sincos(r.Float64() * 2 * math.Pi)
			speed := 120 * r.Float64()
			b.SetLinearVelocity(box2d.B2Vec2{X: speed * cos, Y: speed * sin})
			b.SetAngularVelocity(30 * r.NormFloat64())
			b.GetFixtureList().SetFilterData(box2d.B2Filter{CategoryBits: 2, MaskBits: 1})
			shots = append(shots, b)
		}
		y.run(0.5)
		for _, b := range shots {
			if p := b.GetPosition(); !(math.Abs(p.X) < half+.01 && math.Abs(p.Y) < half+.01) {
				escaped++
			}
			y.DestroyBody(b)
		}
	}
	t.Logf("%d shots, %d escaped", n, escaped)
	if escaped > 0 {
		t.Errorf("%d of %d shots escaped", escaped, n)
	}
}

func TestABulletHitsAThinMovingBox(t *testing.T) {
	y := yards(t)["soft"]
	y.SetGravity(box2d.B2Vec2{})
	target := y.box(2, 0, 0, 0.02, 1, 1)
	for _, bullet := range []bool{false, true} {
		shot := y.disc(-5.3, 0, 0.05, 1)
		shot.SetBullet(bullet)
		shot.SetLinearVelocity(box2d.B2Vec2{X: 100})
		y.run(0.5)
		if passed := shot.GetPosition().X > target.GetPosition().X; passed == bullet {
			t.Errorf("bullet %v: passed %v", bullet, passed)
		}
		y.DestroyBody(shot)
	}
}

func TestRestitutionGivesTheSpeedBack(t *testing.T) {
	y := yards(t)["soft"]
	y.ground()
	b := y.disc(0, 2.5, 0.5, 1)
	b.GetFixtureList().SetRestitution(1)
	highest := 0.0
	for i := range 240 {
		y.run(1.0 / 60)
		if i > 60 {
			highest = max(highest, b.GetPosition().Y)
		}
	}
	if highest < 2.3 || highest > 2.6 {
		t.Errorf("it bounces to %v m from 2.5 m", highest)
	}
}

// The points of a contact are stored relative to the centres of mass (box3d
// issue 155).
func TestABoxWhoseCentreOfMassMovesStaysWhereItIs(t *testing.T) {
	y, set := edited(t)
	y.ground()
	b := y.body(2, 0, .5)
	b.SetSleepingAllowed(false)
	low, high := box2d.MakeB2PolygonShape(), box2d.MakeB2PolygonShape()
	low.SetAsBoxFromCenterAndAngle(.5, .25, box2d.B2Vec2{Y: -.25}, 0)
	high.SetAsBoxFromCenterAndAngle(.5, .25, box2d.B2Vec2{Y: .25}, 0)
	f := fix(b, &low, 1)
	fix(b, &high, 1)
	set.Edit(b)
	y.run(2)
	before := b.GetPosition()
	for k := range 300 { // the mass changes as in a tank that empties
		f.SetDensity(1 - float64(k)/320)
		set.SumMass(b, nil)
		y.run(1. / 60)
	}
	if way := box2d.B2Vec2Distance(before, b.GetPosition()); way > .003 {
		t.Errorf("it moved by %.4f m", way)
	}
}

// A rod lies on a post. When one of its ends becomes heavier, it falls.
func TestABoxWhoseCentreOfMassLeavesItsPostFalls(t *testing.T) {
	y, set := edited(t)
	y.ground()
	y.box(0, 0, 1, .02, 1, 0)
	b := y.body(2, 0, 2.1)
	left, right := box2d.MakeB2PolygonShape(), box2d.MakeB2PolygonShape()
	left.SetAsBoxFromCenterAndAngle(.1, .1, box2d.B2Vec2{X: -.1}, 0)
	right.SetAsBoxFromCenterAndAngle(.1, .1, box2d.B2Vec2{X: .1}, 0)
	fix(b, &left, 1)
	f := fix(b, &right, 1)
	b.SetSleepingAllowed(false)
	set.Edit(b)
	y.run(1)
	if b.GetPosition().Y < 2.09 {
		t.Fatalf("it did not rest: it is at a height of %v m", b.GetPosition().Y)
	}
	f.SetDensity(2)
	set.SumMass(b, nil)
	if y.run(3); b.GetPosition().Y > 1 {
		t.Errorf("it still stands, at a height of %v m", b.GetPosition().Y)
	}
}

// edited returns a yard whose edits are reported to the second result.
func edited(t testing.TB) (*yard, *box.World) {
	w := box2d.MakeB2World(box2d.B2Vec2{Y: -10})
	w.SetContactFilter(&box2d.B2ContactFilter{})
	set := box.New(&w, true)
	s := soft.New(&w, soft.Options{Workers: 1, Active: set})
	t.Cleanup(s.Close)
	return &yard{&w, s.Step}, set
}

// A small ball moves by more than half its size in a step (Jondolf/avian issue
// 594).
func TestABallThatBouncesWithoutLossKeepsItsHeight(t *testing.T) {
	for _, r := range []float64{.05, .1, .2, .5} {
		y := yards(t)["soft"]
		y.ground()
		b := y.disc(0, 4+r, r, 1)
		b.M_fixtureList.M_restitution = 1
		top, rises := 0., 0
		for before := 0.; rises < 10; {
			y.run(1. / 60)
			v := b.GetLinearVelocity().Y
			if before > 0 && v <= 0 {
				rises, top = rises+1, b.GetPosition().Y-r
			}
			before = v
		}
		if math.Abs(top-4) > .25 {
			t.Errorf("a ball of %v m that fell from 4 m: its tenth top is at %.2f m", r, top)
		}
	}
}

func TestABodyWithoutShapesThatSpinsStaysAwake(t *testing.T) {
	y, _ := space(t, 1)
	b := y.body(2, 0, 0)
	b.SetMassData(&box2d.B2MassData{Mass: 1, I: 1})
	b.SetAngularVelocity(1)
	if y.run(3); !b.IsAwake() {
		t.Error("it sleeps")
	}
}
