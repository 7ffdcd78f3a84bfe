package world

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"halfstep/test/norace"
)

var (
	nan, inf   = math.NaN(), math.Inf(1)
	notNumbers = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300}
	stale      = []uint64{12345, madeHere | 12345}
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
		"2 points":             Polygon(Vec{X: 0, Y: 0}, Vec{X: 1, Y: 0}),
		"9 points":             Polygon(make([]Vec, 9)...),
		"collinear":            Polygon(Vec{X: 0, Y: 0}, Vec{X: 1, Y: 1}, Vec{X: 2, Y: 2}),
		"nearly collinear":     Polygon(Vec{X: 0, Y: 0}, Vec{X: 1, Y: 1.0 / 3}, Vec{X: 3, Y: 1}, Vec{X: .3, Y: .1}),
		"points too close":     Polygon(Vec{X: 0, Y: 0}, Vec{X: .001, Y: 0}, Vec{X: 0, Y: .001}),
		"huge":                 Polygon(Vec{X: 0, Y: 0}, Vec{X: 1e200, Y: 0}, Vec{X: 0, Y: 1e200}),
		"edge of 1 point":      {Kind: EdgeShape, Points: []Vec{{}}},
		"edge without length":  Edge(Vec{X: 1, Y: 1}, Vec{X: 1, Y: 1}),
		"NaN edge":             Edge(Vec{X: 1, Y: nan}, Vec{X: 1, Y: 1}),
		"chain of 1 point":     Chain(Vec{}),
		"chain too close":      Chain(Vec{}, Vec{X: 1, Y: 0}, Vec{X: 1.001, Y: 0}),
		"loop of 2 points":     ClosedChain(Vec{}, Vec{X: 1, Y: 0}),
		"loop closes too near": ClosedChain(Vec{}, Vec{X: 1, Y: 0}, Vec{X: 0, Y: .001}),
		"NaN ghost":            with(Edge(Vec{}, Vec{X: 1, Y: 0}), func(s *ShapeDef) { s.Before = &Vec{X: nan, Y: 0} }),
		"negative density":     with(Box(1, 1), func(s *ShapeDef) { s.Density = -1 }),
		"infinite density":     with(Box(1, 1), func(s *ShapeDef) { s.Density = inf }),
		"NaN friction":         with(Box(1, 1), func(s *ShapeDef) { s.Friction = nan }),
		"negative rolling":     with(Box(1, 1), func(s *ShapeDef) { s.RollingResistance = -1 }),
		"NaN rolling":          with(Box(1, 1), func(s *ShapeDef) { s.RollingResistance = nan }),
		"materials of a box":   with(Box(1, 1), func(s *ShapeDef) { s.SegmentMaterials = []Material{1} }),
		"a material too many":  with(Chain(Vec{}, Vec{X: 1, Y: 0}), func(s *ShapeDef) { s.SegmentMaterials = []Material{1, 2} }),
		"NaN surface speed":    with(Box(1, 1), func(s *ShapeDef) { s.SurfaceSpeed = nan }),
		"NaN direction":        with(Box(1, 1), func(s *ShapeDef) { s.OneWay = Vec{X: nan, Y: 1} }),
		"negative restitution": with(Box(1, 1), func(s *ShapeDef) { s.Restitution = -1 }),
		"capsule of 1 point":   {Kind: CapsuleShape, Points: []Vec{{}}, Radius: 1},
		"flat capsule":         Capsule(Vec{}, Vec{X: 1, Y: 0}, 0),
		"NaN capsule":          Capsule(Vec{}, Vec{X: 1, Y: 0}, nan),
		"capsule too short":    Capsule(Vec{}, Vec{X: .001, Y: 0}, 1),
		"hollow corners":       with(Box(1, 1), func(s *ShapeDef) { s.Radius = -.1 }),
		"NaN corners":          with(Box(1, 1), func(s *ShapeDef) { s.Radius = nan }),
		"no such kind":         {Kind: 77},
	}
}

func badBodies() map[string]BodyDef {
	return map[string]BodyDef{
		"NaN position":         {Position: Vec{X: nan, Y: 0}},
		"far position":         {Position: Vec{X: 1e12, Y: 0}},
		"NaN angle":            {Angle: nan},
		"infinite velocity":    {Velocity: Vec{X: 0, Y: inf}},
		"NaN spin":             {AngularVelocity: nan},
		"negative damping":     {LinearDamping: -1},
		"NaN damping":          {AngularDamping: nan},
		"NaN gravity scale":    {GravityScale: nan},
		"no such kind":         {Kind: 9},
		"no mass":              {Mass: &Mass{}},
		"NaN mass":             {Mass: &Mass{Mass: nan}},
		"inertia too small":    {Mass: &Mass{Mass: 1, Centre: Vec{X: 2, Y: 0}, Inertia: 3}},
		"NaN centre of mass":   {Mass: &Mass{Mass: 1, Centre: Vec{X: nan, Y: 0}}},
		"negative inertia":     {Mass: &Mass{Mass: 1, Inertia: -1}},
		"dense far-away shape": {Kind: Dynamic, Shapes: []ShapeDef{CircleAt(5e7, 0, .01)}},
	}
}

// damage replaces one of the numbers and handles in v by an invalid one, and
// returns its path. The call with n = 0 replaces the first, the call with n = 1
// the second, and so on; after the last, damage returns "". It skips zeros,
// which are unused fields.
func damage(v reflect.Value, path string, n *int) string {
	hit := func(variants int, do func(i int)) string {
		if i := *n; i < variants {
			do(i)
			return fmt.Sprintf("%s = %v", path, v)
		}
		*n -= variants
		return ""
	}
	if v.Type() == reflect.TypeFor[Filter]() {
		return "" // every Filter is valid
	}
	switch v.Kind() {
	case reflect.Float64:
		if v.Float() != 0 {
			return hit(len(notNumbers), func(i int) { v.SetFloat(notNumbers[i]) })
		}
	case reflect.Uint64: // a handle
		if v.Uint() != 0 {
			return hit(len(stale), func(i int) { v.SetUint(stale[i]) })
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return damage(v.Elem(), path, n)
		}
	case reflect.Slice:
		for i := range v.Len() {
			if got := damage(v.Index(i), fmt.Sprint(path, "[", i, "]"), n); got != "" {
				return got
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if got := damage(v.Field(i), path+" "+v.Type().Field(i).Name, n); got != "" {
				return got
			}
		}
	}
	return ""
}

// badCommands returns commands that every world rejects. The keys say what is
// wrong with each.
func (p *populated) badCommands(op opcode) map[string]Command {
	bad := map[string]Command{}
	for k, c := range p.valid(op) {
		for n := 0; ; n++ {
			c, left := c, n
			detach(&c)
			made := [...]uint64{uint64(c.Body), uint64(c.Shape), uint64(c.Joint)} // a new handle that is still free
			path := damage(reflect.ValueOf(&c).Elem(), "", &left)
			if path == "" {
				break
			}
			if op == opCreateBody && uint64(c.Body) != made[0] || (op == opCreateBody || op == opCreateShape) && uint64(c.Shape) != made[1] || op == opCreateJoint && uint64(c.Joint) != made[2] {
				continue
			}
			bad[fmt.Sprint(k, path)] = c
		}
	}
	add := func(what string, c Command) {
		c.Op = op
		bad[what] = c
	}
	switch op {
	case opCreateBody:
		add("no definition", Command{Body: 901})
		add("handle zero", Command{BodyDef: &BodyDef{}})
		add("a handle of the world's", Command{Body: madeHere | 99, BodyDef: &BodyDef{}})
		add("a handle that is taken", Command{Body: 7, BodyDef: &BodyDef{}})
		bodies := badBodies()
		for what, s := range badShapes() {
			bodies["shape: "+what] = BodyDef{Kind: Dynamic, Shapes: []ShapeDef{Box(1, 1), s}}
		}
		for what, def := range bodies {
			add(what, Command{Body: 901, Shape: 910, BodyDef: &def})
		}
	case opCreateShape, opReplaceShape:
		if op == opCreateShape {
			add("handle zero", Command{Body: p.body, ShapeDef: &ShapeDef{}})
		}
		add("no definition", Command{Body: p.body, Shape: p.shape})
		for what, def := range badShapes() {
			c := p.valid(op)[0]
			c.ShapeDef = &def
			add(what, c)
		}
	case opCreateJoint:
		add("no definition", Command{Joint: 903})
		add("handle zero", Command{JointDef: &JointDef{}})
		add("no bodies", Command{Joint: 903, JointDef: &JointDef{}})
	case opSetKind:
		for _, n := range []int32{-1, 3, 258} {
			add(fmt.Sprint("kind ", n), Command{Body: p.body, N: n})
		}
	case opSetSmoothing:
		for _, n := range []int32{-1, 4, 300, 511} {
			add(fmt.Sprint("mode ", n), Command{Body: p.body, N: n})
		}
	case opSetFriction, opSetRestitution, opSetDensity:
		add("below zero", Command{Shape: p.shape, X: -1})
	case opSetDamping:
		add("linear below zero", Command{Body: p.body, X: -1})
		add("angular below zero", Command{Body: p.body, Y: -1})
	case opSetLimits:
		add("upside down", Command{Joint: p.joints[RevoluteJoint], X: 1, Y: -1})
		add("of a length below zero", Command{Joint: p.joints[DistanceJoint], On: true, X: -2, Y: -1})
	case opSetMotor:
		add("maximum below zero", Command{Joint: p.joints[RevoluteJoint], Y: -1})
	case opSetSpring:
		add("frequency below zero", Command{Joint: p.joints[WeldJoint], X: -1})
		add("damping below zero", Command{Joint: p.joints[WeldJoint], Y: -1})
		add("a mouse joint without a spring", Command{Joint: p.joints[MouseJoint]})
	case opSetLength:
		add("below zero", Command{Joint: p.joints[DistanceJoint], X: -1})
		add("a rope without length", Command{Joint: p.joints[RopeJoint]})
	case opSetMaxForce, opSetMaxTorque:
		add("below zero", Command{Joint: p.joints[MotorJoint], X: -1})
	case opSetBreakLimits:
		add("force below zero", Command{Joint: p.joints[WeldJoint], X: -1})
		add("torque below zero", Command{Joint: p.joints[WeldJoint], Y: -1})
	case opSetSurfaces:
		add("none", Command{})
		add("a rule that does not exist", Command{Surfaces: &Surfaces{Mixes: []Mix{{FrictionRule: MixProduct + 1}}}})
		add("friction below zero", Command{Surfaces: &Surfaces{Mixes: []Mix{{Friction: -1}}}})
		add("threshold below zero", Command{Surfaces: &Surfaces{RestitutionThreshold: -1}})
		add("hit speed below zero", Command{Surfaces: &Surfaces{HitSpeed: -1}})
		add("too many mixes", Command{Surfaces: &Surfaces{Mixes: make([]Mix, maxMixes+1)}})
	case opSetMaterial:
		add("below zero", Command{Shape: p.shape, N: -1})
		add("too high", Command{Shape: p.shape, N: 1 << 16})
	case opSetSegmentMaterial:
		add("below zero", Command{Shape: p.chain, N: -1})
		add("a segment below zero", Command{Shape: p.chain, X: -1})
		add("a segment too many", Command{Shape: p.chain, X: 99})
		add("of no chain", Command{Shape: p.shape})
	case opSetRollingResistance:
		add("below zero", Command{Shape: p.shape, X: -1})
	case opSetSleepSpeeds:
		add("speed below zero", Command{Body: p.body, X: -1})
		add("spin below zero", Command{Body: p.body, Y: -1})
	case opExplode:
		add("radius below zero", Command{X: -1, Y: 1})
		add("falloff below zero", Command{V: Vec{X: -1}, Y: 1})
	case opSnapshot, opRestore:
		add("without a history", Command{N: 3})
	case opDo:
		add("nobody's name", Command{Name: "test: nobody"})
	}
	for k, j := range p.joints {
		if allows(op, JointKind(k)) {
			continue
		}
		c := p.valid(op)[0]
		c.Joint = j
		add(fmt.Sprintf("of a %v joint", JointKind(k)), c)
	}
	return bad
}

func TestABadCommandIsOneRejectionAndChangesNothing(t *testing.T) {
	p, twin := newPopulated(t), newPopulated(t)
	for _, r := range []*populated{p, twin} {
		r.apply(Command{Op: opCreateBody, Body: 7, BodyDef: &BodyDef{}}) // a handle in use
	}
	before, bodies := p.everything(), p.Box2D().GetBodyCount()
	for op := opNone + 1; op <= opcodes; op++ { // opcodes itself is no operation
		if op == opInspect {
			continue // the operation has no input
		}
		all := p.badCommands(op)
		if op == opcodes {
			all = map[string]Command{"no such operation": {Op: op}}
		}
		if len(all) == 0 {
			t.Errorf("%v: the table has no bad input for it", op)
		}
		for what, c := range all {
			p.events()
			p.apply(c)
			got := p.events()
			if len(got) != 1 || got[0].Kind != CommandRejected || !oneLine(got[0].Err) {
				t.Errorf("%v, %s: %+v", op, what, got)
			}
		}
		if p.everything() != before || p.Box2D().GetBodyCount() != bodies {
			t.Fatalf("%v: the world changed", op)
		}
	}
	// A value that no method returns has not changed either.
	for range 60 {
		p.run(1)
		twin.run(1)
		if p.Hash() != twin.Hash() {
			t.Fatalf("tick %d differs", p.tick)
		}
	}
}

// badArguments are invalid arguments for methods of World, by type.
func badArguments(t reflect.Type) []any {
	switch t {
	case reflect.TypeFor[float64]():
		return []any{math.NaN(), math.Inf(1), math.Inf(-1)}
	case reflect.TypeFor[Vec]():
		return []any{Vec{X: math.NaN(), Y: 0}, Vec{X: 0, Y: math.Inf(1)}}
	case reflect.TypeFor[Body]():
		return []any{Body(0), Body(stale[0]), Body(stale[1])}
	case reflect.TypeFor[Shape]():
		return []any{Shape(0), Shape(stale[0]), Shape(stale[1])}
	case reflect.TypeFor[Joint]():
		return []any{Joint(0), Joint(stale[0]), Joint(stale[1])}
	case reflect.TypeFor[BodyKind]():
		return []any{BodyKind(9)}
	case reflect.TypeFor[int]():
		return []any{-7, 99}
	case reflect.TypeFor[BodyDef]():
		return []any{BodyDef{Angle: math.NaN()}, BodyDef{Kind: 9}}
	case reflect.TypeFor[ShapeDef]():
		return []any{ShapeDef{}, Circle(math.NaN())}
	case reflect.TypeFor[JointDef]():
		return []any{JointDef{}, JointDef{Kind: 77}}
	case reflect.TypeFor[*Snapshot]():
		return []any{(*Snapshot)(nil)}
	case reflect.TypeFor[Surfaces]():
		return []any{
			Surfaces{RestitutionThreshold: -1}, Surfaces{HitSpeed: math.NaN()}, Surfaces{Mixes: make([]Mix, maxMixes+1)},
			Surfaces{Mixes: []Mix{{RestitutionRule: 77}}}, Surfaces{Mixes: []Mix{{Friction: math.Inf(1)}}},
		}
	case reflect.TypeFor[Explosion]():
		return []any{Explosion{Centre: Vec{X: 0, Y: math.NaN()}}, Explosion{Radius: -1}, Explosion{Falloff: math.Inf(1)}, Explosion{ImpulsePerLength: math.NaN()}}
	}
	return nil
}

// goodArguments are valid arguments of a method. If the method takes a joint,
// they are for a joint of the given kind. Numbers and points grow from one
// argument to the next.
func (p *populated) goodArguments(m reflect.Type, kind JointKind) (args []reflect.Value) {
	x := 1.
	for i := range m.NumIn() {
		t := m.In(i)
		v := reflect.New(t).Elem()
		switch t {
		case reflect.TypeFor[float64]():
			v.SetFloat(x)
			x++
		case reflect.TypeFor[Vec]():
			v.Set(reflect.ValueOf(Vec{X: x, Y: x}))
			x++
		case reflect.TypeFor[int]():
			v.SetInt(1)
		case reflect.TypeFor[Body]():
			v.Set(reflect.ValueOf(p.body))
		case reflect.TypeFor[Shape]():
			v.Set(reflect.ValueOf(p.shape))
		case reflect.TypeFor[Joint]():
			v.Set(reflect.ValueOf(p.joints[kind]))
		case reflect.TypeFor[BodyDef]():
			v.Set(reflect.ValueOf(BodyDef{Position: Vec{X: 9, Y: 9}}))
		case reflect.TypeFor[ShapeDef]():
			v.Set(reflect.ValueOf(Box(1, 1)))
		case reflect.TypeFor[JointDef]():
			v.Set(reflect.ValueOf(p.fullJoint(RevoluteJoint)))
		case reflect.TypeFor[*Snapshot]():
			s := new(Snapshot)
			check(p.t, p.Snapshot(s))
			v.Set(reflect.ValueOf(s))
		default:
			if t.Kind() == reflect.Func {
				v = reflect.MakeFunc(t, func([]reflect.Value) (out []reflect.Value) {
					for i := range t.NumOut() {
						out = append(out, reflect.Zero(t.Out(i)))
					}
					return out
				})
			}
		}
		args = append(args, v)
	}
	return args
}

// errorOf calls a method and returns its error, which is the last of its
// results.
func (p *populated) errorOf(method string, args []reflect.Value) error {
	out := reflect.ValueOf(p.World).MethodByName(method).Call(args)
	err, _ := out[len(out)-1].Interface().(error)
	return err
}

// jointKindsFor returns the kinds of joint that a method accepts, and the kinds
// that it rejects. A method without a joint counts as one that accepts a single
// kind.
func jointKindsFor(name string, m reflect.Type) (right, wrong []JointKind) {
	takesJoint := false
	for i := range m.NumIn() {
		takesJoint = takesJoint || m.In(i) == reflect.TypeFor[Joint]()
	}
	if !takesJoint {
		return []JointKind{RevoluteJoint}, nil
	}
	op := opcodes - 1
	for op > opNone && op.String() != name {
		op--
	}
	for k := RevoluteJoint; k <= MotorJoint; k++ {
		if allows(op, k) {
			right = append(right, k)
		} else {
			wrong = append(wrong, k)
		}
	}
	return right, wrong
}

func TestABadCallIsOneErrorAndChangesNothing(t *testing.T) {
	norace.Only(t)
	p := newPopulated(t)
	before := p.everything()
	all := reflect.TypeFor[*World]()
	for i := range all.NumMethod() {
		name := all.Method(i).Name
		m := reflect.ValueOf(p.World).Method(i).Type()
		if n := m.NumOut(); n == 0 || m.Out(n-1) != reflect.TypeFor[error]() {
			continue
		}
		if name == "SetSoftness" && p.soft == nil {
			continue // the joints of this stepper are rigid
		}
		right, wrong := jointKindsFor(name, m)
		for _, kind := range right {
			o := newPopulated(t)
			if name == "MoveTo" { // MoveTo accepts only kinematic bodies
				o.body = o.lift
			}
			if name == "SetSegmentMaterial" {
				o.shape = o.chain
			}
			if o.errorOf(name, o.goodArguments(m, kind)) != nil {
				t.Errorf("%s takes nothing that the test knows (a %v joint)", name, kind)
			}
		}
		tried := 0
		try := func(what string, args []reflect.Value) {
			tried++
			p.events()
			if err := p.errorOf(name, args); !oneLine(err) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
			if got := p.events(); len(got) > 0 {
				t.Errorf("%s, %s: it is an event too: %v", name, what, got)
			}
			if p.everything() != before {
				t.Fatalf("%s, %s: the world changed", name, what)
			}
		}
		for _, kind := range right {
			for k := range m.NumIn() {
				for _, v := range badArguments(m.In(k)) {
					args := p.goodArguments(m, kind)
					args[k] = reflect.ValueOf(v)
					try(fmt.Sprintf("argument %d = %v", k, v), args)
				}
			}
		}
		for _, kind := range wrong {
			try(fmt.Sprintf("of a %v joint", kind), p.goodArguments(m, kind))
		}
		if tried == 0 {
			t.Errorf("%s: nothing bad is known for it", name)
		}
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
		{BodyDef{Shapes: []ShapeDef{Box(-1, 1)}}, `world: a box needs half sizes above 0, not -1 and 1 (shape 0)`},
		{BodyDef{Shapes: []ShapeDef{Box(-1, -2)}}, `world: a box needs half sizes above 0, not -1 and -2 (shape 0)`},
		{BodyDef{Shapes: []ShapeDef{BoxAt(Vec{X: 5, Y: 5}, 1, -2, 1)}}, `world: a box needs half sizes above 0, not 1 and -2 (shape 0)`},
		{BodyDef{Shapes: []ShapeDef{Polygon(Vec{X: 1, Y: 1}, Vec{X: 2, Y: 2})}}, `world: a polygon has 3 to 8 points, not 2 (shape 0)`},
		{BodyDef{Shapes: []ShapeDef{Box(.001, .001)}}, `world: the polygon's points are closer than 0.0025 m (shape 0)`},
	} {
		if _, err := w.CreateBody(c.def); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func oneLine(err error) bool {
	return err != nil && strings.HasPrefix(err.Error(), "world: ") && !strings.Contains(err.Error(), "\n")
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
	n := len(w.registry.joints)
	for name, d := range map[string]JointDef{
		"no bodies":                {},
		"no body A":                {B: b},
		"no body B":                {A: a},
		"stale body":               {A: a, B: 123},
		"equal bodies":             {A: a, B: a},
		"no such kind":             {Kind: 50, A: a, B: b},
		"NaN anchor":               {A: a, B: b, AnchorA: Vec{X: nan, Y: 0}},
		"NaN axis":                 {Kind: PrismaticJoint, A: a, B: b, AxisA: Vec{X: nan, Y: 0}},
		"NaN reference angle":      {A: a, B: b, ReferenceAngle: nan},
		"limits upside down":       {A: a, B: b, EnableLimit: true, Lower: 1, Upper: -1},
		"negative motor force":     {A: a, B: b, MaxMotorForce: -1},
		"NaN length":               {Kind: DistanceJoint, A: a, B: b, Length: nan},
		"negative frequency":       {Kind: DistanceJoint, A: a, B: b, Frequency: -1},
		"negative ratio":           {Kind: PulleyJoint, A: a, B: b, Ratio: -1},
		"NaN ground":               {Kind: PulleyJoint, A: a, B: b, GroundA: Vec{X: nan, Y: 0}},
		"mouse on static":          {Kind: MouseJoint, B: ground},
		"mouse without body":       {Kind: MouseJoint, A: ground},
		"NaN target":               {Kind: MouseJoint, B: b, Target: Vec{X: nan, Y: 0}},
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
	if len(w.registry.joints) != n || w.Box2D().GetJointCount() != n {
		t.Error("one of them was made")
	}
	w.Step(1, dt)
}

func TestAShapeThatHoldsTheMassTogetherStays(t *testing.T) {
	// the sum with the big shape leaves only a rounding error of the speck's
	// inertia
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
	for _, c := range []Config{{Gravity: Vec{X: nan, Y: 0}}, {Gravity: Vec{X: 0, Y: inf}}, {VelocityIterations: -1}} {
		if err := c.Validate(); !oneLine(err) {
			t.Errorf("%+v: %v", c, err)
		}
		newDriven(c).Step(1, dt)
	}
	if err := gravity().Validate(); err != nil {
		t.Error(err)
	}
	if c := newDriven(Config{NoGravity: true}).World.Config(); c.VelocityIterations != 8 || c.PositionIterations != 3 {
		t.Errorf("defaults %+v", c)
	}
}
