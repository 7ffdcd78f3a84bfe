package world

import (
	"math"
	"strings"
	"testing"
)

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

func badShapes() map[string]ShapeDef {
	with := func(s ShapeDef, f func(*ShapeDef)) ShapeDef { f(&s); return s }
	return map[string]ShapeDef{
		"no radius":            Circle(0),
		"negative radius":      Circle(-1),
		"NaN radius":           Circle(nan),
		"infinite radius":      Circle(inf),
		"NaN centre":           CircleAt(nan, 0, 1),
		"circle without point": {Kind: CircleShape, Radius: 1},
		"flat box":             Box(0, 1),
		"NaN box":              Box(nan, 1),
		"no points":            Polygon(),
		"2 points":             Polygon(Vec{0, 0}, Vec{1, 0}),
		"9 points":             Polygon(make([]Vec, 9)...),
		"collinear":            Polygon(Vec{0, 0}, Vec{1, 1}, Vec{2, 2}),
		"nearly collinear":     Polygon(Vec{0, 0}, Vec{1, 1.0 / 3}, Vec{3, 1}, Vec{.3, .1}),
		"points too close":     Polygon(Vec{0, 0}, Vec{.001, 0}, Vec{0, .001}),
		"huge":                 Polygon(Vec{0, 0}, Vec{1e200, 0}, Vec{0, 1e200}),
		"edge of 1 point":      {Kind: EdgeShape, Points: []Vec{{}}},
		"edge without length":  Edge(Vec{1, 1}, Vec{1, 1}),
		"NaN edge":             Edge(Vec{1, nan}, Vec{1, 1}),
		"chain of 1 point":     Chain(Vec{}),
		"chain too close":      Chain(Vec{}, Vec{1, 0}, Vec{1.001, 0}),
		"loop of 2 points":     ClosedChain(Vec{}, Vec{1, 0}),
		"loop closes too near": ClosedChain(Vec{}, Vec{1, 0}, Vec{0, .001}),
		"NaN ghost":            with(Edge(Vec{}, Vec{1, 0}), func(s *ShapeDef) { s.Before = &Vec{nan, 0} }),
		"negative density":     with(Box(1, 1), func(s *ShapeDef) { s.Density = -1 }),
		"infinite density":     with(Box(1, 1), func(s *ShapeDef) { s.Density = inf }),
		"NaN friction":         with(Box(1, 1), func(s *ShapeDef) { s.Friction = nan }),
		"NaN surface speed":    with(Box(1, 1), func(s *ShapeDef) { s.SurfaceSpeed = nan }),
		"NaN direction":        with(Box(1, 1), func(s *ShapeDef) { s.OneWay = Vec{nan, 1} }),
		"negative restitution": with(Box(1, 1), func(s *ShapeDef) { s.Restitution = -1 }),
		"capsule":              Capsule(Vec{}, Vec{1, 0}, 1),
		"no such kind":         {Kind: 77},
	}
}

func TestAnErrorOfAShapeNamesTheBodyAndSaysWhatItNeeds(t *testing.T) {
	w := newDriven(Config{})
	for _, c := range []struct {
		def  BodyDef
		want string
	}{
		{BodyDef{Name: "x", Shapes: []ShapeDef{Box(-1, 0)}}, `world: a box needs half sizes above 0, not -1 and 0 (shape 0 of "x")`},
		{BodyDef{Shapes: []ShapeDef{Circle(1), Box(0, 2)}}, `world: a box needs half sizes above 0, not 0 and 2 (shape 1)`},
		{BodyDef{Shapes: []ShapeDef{Box(.001, .001)}}, `world: the polygon's points are closer than 0.0025 m (shape 0)`},
	} {
		if _, err := w.CreateBody(c.def); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestBadShapesAreErrors(t *testing.T) {
	for name, s := range badShapes() {
		w := newDriven(Config{NoGravity: true})
		if _, err := w.CreateBody(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{Box(1, 1), s}}); !oneLine(err) {
			t.Errorf("%s: body: %v", name, err)
		}
		if w.Counts().Bodies != 0 || w.Box2D().GetBodyCount() != 0 {
			t.Errorf("%s: half a body was made", name)
		}
		b, _ := w.CreateBody(BodyDef{Kind: Dynamic})
		if _, err := w.CreateShape(b, s); !oneLine(err) {
			t.Errorf("%s: shape: %v", name, err)
		}
		w.Step(1, dt)
	}
}

func oneLine(err error) bool {
	return err != nil && strings.HasPrefix(err.Error(), "world: ") && !strings.Contains(err.Error(), "\n")
}

func TestBadBodiesAreErrors(t *testing.T) {
	for name, d := range map[string]BodyDef{
		"NaN position":         {Position: Vec{nan, 0}},
		"far position":         {Position: Vec{1e12, 0}},
		"NaN angle":            {Angle: nan},
		"infinite velocity":    {Velocity: Vec{0, inf}},
		"NaN spin":             {AngularVelocity: nan},
		"negative damping":     {LinearDamping: -1},
		"NaN damping":          {AngularDamping: nan},
		"NaN gravity scale":    {GravityScale: nan},
		"no such kind":         {Kind: 9},
		"no mass":              {Mass: &Mass{}},
		"NaN mass":             {Mass: &Mass{Mass: nan}},
		"inertia too small":    {Mass: &Mass{Mass: 1, Centre: Vec{2, 0}, Inertia: 3}},
		"NaN centre of mass":   {Mass: &Mass{Mass: 1, Centre: Vec{nan, 0}}},
		"negative inertia":     {Mass: &Mass{Mass: 1, Inertia: -1}},
		"dense far-away shape": {Kind: Dynamic, Shapes: []ShapeDef{CircleAt(5e7, 0, .01)}},
	} {
		w := newDriven(Config{NoGravity: true})
		if _, err := w.CreateBody(d); !oneLine(err) {
			t.Errorf("%s: %v", name, err)
		}
		if w.Box2D().GetBodyCount() != 0 {
			t.Errorf("%s: it was made", name)
		}
	}
}

func TestBadJointsAreErrors(t *testing.T) {
	w := newDriven(Config{NoGravity: true})
	ground, _ := w.CreateBody(BodyDef{})
	a, _ := w.CreateBody(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{Box(1, 1)}})
	b, _ := w.CreateBody(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{Box(1, 1)}})
	off, _ := w.CreateBody(BodyDef{Kind: Dynamic, Disabled: true})
	join := func(d JointDef) Joint {
		j, err := w.CreateJoint(d)
		check(t, err)
		return j
	}
	hinge := join(JointDef{Kind: RevoluteJoint, A: ground, B: a})
	hinge2 := join(JointDef{Kind: RevoluteJoint, A: ground, B: b})
	same := join(JointDef{Kind: PrismaticJoint, A: b, B: a})
	onGround := join(JointDef{Kind: RevoluteJoint, A: a, B: ground})
	onOff := join(JointDef{Kind: RevoluteJoint, A: off, B: b})
	weld := join(JointDef{Kind: WeldJoint, A: ground, B: b})
	n := len(w.joints)
	for name, d := range map[string]JointDef{
		"no bodies":                {},
		"no body A":                {B: b},
		"no body B":                {A: a},
		"stale body":               {A: a, B: 123},
		"equal bodies":             {A: a, B: a},
		"no such kind":             {Kind: 50, A: a, B: b},
		"NaN anchor":               {A: a, B: b, AnchorA: Vec{nan, 0}},
		"NaN axis":                 {Kind: PrismaticJoint, A: a, B: b, AxisA: Vec{nan, 0}},
		"NaN reference angle":      {A: a, B: b, ReferenceAngle: nan},
		"limits upside down":       {A: a, B: b, EnableLimit: true, Lower: 1, Upper: -1},
		"negative motor force":     {A: a, B: b, MaxMotorForce: -1},
		"NaN length":               {Kind: DistanceJoint, A: a, B: b, Length: nan},
		"negative frequency":       {Kind: DistanceJoint, A: a, B: b, Frequency: -1},
		"negative ratio":           {Kind: PulleyJoint, A: a, B: b, Ratio: -1},
		"NaN ground":               {Kind: PulleyJoint, A: a, B: b, GroundA: Vec{nan, 0}},
		"mouse on static":          {Kind: MouseJoint, B: ground},
		"mouse without body":       {Kind: MouseJoint, A: ground},
		"NaN target":               {Kind: MouseJoint, B: b, Target: Vec{nan, 0}},
		"frequency all but 0":      {Kind: MouseJoint, B: b, Frequency: 1e-200},
		"rope without length":      {Kind: RopeJoint, A: a, B: b},
		"negative force":           {Kind: FrictionJoint, A: a, B: b, MaxForce: -1},
		"correction 2":             {Kind: MotorJoint, A: a, B: b, Correction: 2},
		"NaN correction":           {Kind: MotorJoint, A: a, B: b, Correction: nan},
		"gear without joints":      {Kind: GearJoint},
		"gear of one":              {Kind: GearJoint, Joint1: hinge, Joint2: hinge},
		"gear of a weld":           {Kind: GearJoint, Joint1: hinge, Joint2: weld},
		"gear of one second body":  {Kind: GearJoint, Joint1: hinge, Joint2: same},
		"gear of a static body":    {Kind: GearJoint, Joint1: hinge2, Joint2: onGround},
		"gear of a disabled body":  {Kind: GearJoint, Joint1: hinge, Joint2: onOff},
		"gear of another's bodies": {Kind: GearJoint, Joint1: hinge, Joint2: hinge2, A: b, B: a},
		"NaN ratio":                {Kind: GearJoint, Joint1: hinge, Joint2: hinge2, Ratio: nan},
	} {
		if _, err := w.CreateJoint(d); !oneLine(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(w.joints) != n || w.Box2D().GetJointCount() != n {
		t.Error("one of them was made")
	}
	w.Step(1, dt)
}

func TestAShapeThatHoldsTheMassTogetherStays(t *testing.T) {
	// Without the big shape, the speck's inertia is all rounding.
	w := newDriven(Config{NoGravity: true})
	b, err := w.CreateBody(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{Box(100, 100), CircleAt(1e5, 0, .01)}})
	check(t, err)
	shapes, _ := w.Shapes(b)
	for name, err := range map[string]error{
		"destroyed": w.DestroyShape(shapes[0]), "weightless": w.SetDensity(shapes[0], 0),
		"replaced": w.ReplaceShape(shapes[0], CircleAt(1e5, 0, .01)),
	} {
		if !oneLine(err) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	check(t, w.DestroyShape(shapes[1]))
}

// A step divides by mass and inertia.
func TestAMassWhoseInverseIsInfiniteIsRefused(t *testing.T) {
	for size, density := range map[float64]float64{10: 1e-311, .1: 1e-306} { // mass, inertia
		speck := Box(size, size)
		speck.Density = density
		w := newDriven(Config{NoGravity: true})
		if _, err := w.CreateBody(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{speck}}); !oneLine(err) {
			t.Errorf("a body: error %v", err)
		}
		b, err := w.CreateBody(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{Box(1, 1), speck}})
		check(t, err)
		shapes, _ := w.Shapes(b)
		if err := w.DestroyShape(shapes[0]); !oneLine(err) {
			t.Errorf("what is left of a body: error %v", err)
		}
	}
}

func TestConfigIsChecked(t *testing.T) {
	for _, c := range []Config{{Gravity: Vec{nan, 0}}, {Gravity: Vec{0, inf}}, {VelocityIterations: -1}} {
		if err := c.Validate(); !oneLine(err) {
			t.Errorf("%+v: %v", c, err)
		}
		newDriven(c).Step(1, dt)
	}
	if err := gravity().Validate(); err != nil {
		t.Error(err)
	}
	if c := newDriven(Config{NoGravity: true}).Config(); c.VelocityIterations != 8 || c.PositionIterations != 3 {
		t.Errorf("defaults %+v", c)
	}
}
