package world

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"halfstep/internal/harness/norace"
)

var (
	notNumbers = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300}
	stale      = []uint64{12345, madeHere | 12345}
)

// damage replaces one of the numbers and handles that v leads to by what it may
// not be, and returns which. The first call with n = 0 does the first of them,
// and so on; after the last it returns "". Zeros are fields that do not count.
func damage(v reflect.Value, path string, n *int) string {
	hit := func(variants int, do func(i int)) string {
		if i := *n; i < variants {
			do(i)
			return fmt.Sprintf("%s = %v", path, v)
		}
		*n -= variants
		return ""
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

// badCommands returns what no world carries out, by what is wrong with it.
func (p *populated) badCommands(op opcode) map[string]Command {
	bad := map[string]Command{}
	for k, c := range p.valid(op) {
		for n := 0; ; n++ {
			c, left := c, n
			own(&c)
			made := [...]uint64{uint64(c.Body), uint64(c.Shape), uint64(c.Joint)} // a new handle is free
			path := damage(reflect.ValueOf(&c).Elem(), "", &left)
			if path == "" {
				break
			}
			if op == opCreateBody && uint64(c.Body) != made[0] || op == opCreateShape && uint64(c.Shape) != made[1] || op == opCreateJoint && uint64(c.Joint) != made[2] {
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
		for _, n := range []int32{-2, 4, 300} {
			add(fmt.Sprint("mode ", n), Command{Body: p.body, N: n})
		}
	case opSetFriction, opSetRestitution, opSetDensity:
		add("below zero", Command{Shape: p.shape, X: -1})
	case opSetDamping:
		add("linear below zero", Command{Body: p.body, X: -1})
		add("angular below zero", Command{Body: p.body, Y: -1})
	case opSetLimits:
		add("upside down", Command{Joint: p.joints[RevoluteJoint], X: 1, Y: -1})
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
	case opExplode:
		add("radius below zero", Command{X: -1, Y: 1})
		add("falloff below zero", Command{V: Vec{X: -1}, Y: 1})
		add("mask below zero", Command{X: 9, Y: 1, N: -1})
		add("mask too wide", Command{X: 9, Y: 1, N: 1 << 16})
	case opSnapshot, opRestore:
		add("number below zero", Command{N: -1})
		add("number too high", Command{N: MaxSnapshots})
		if op == opRestore {
			add("nothing under the number", Command{N: 4})
		}
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
		r.apply(Command{Op: opCreateBody, Body: 7, BodyDef: &BodyDef{}}) // a handle that is taken
	}
	before := p.everything()
	for op := opNone + 1; op <= opcodes; op++ { // the last is no operation
		if op == opInspect {
			continue // it has no input
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
		if p.everything() != before {
			t.Fatalf("%v: the world changed", op)
		}
	}
	// What cannot be read has not changed either.
	for range 60 {
		p.run(1)
		twin.run(1)
		if p.Hash() != twin.Hash() {
			t.Fatalf("tick %d differs", p.tick)
		}
	}
}

// badArguments are what methods of World may not be given, by type.
func badArguments(t reflect.Type) []any {
	switch t {
	case reflect.TypeFor[float64]():
		return []any{math.NaN(), math.Inf(1), math.Inf(-1)}
	case reflect.TypeFor[Vec]():
		return []any{Vec{math.NaN(), 0}, Vec{0, math.Inf(1)}}
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
	case reflect.TypeFor[Explosion]():
		return []any{Explosion{At: Vec{0, math.NaN()}}, Explosion{Radius: -1}, Explosion{Falloff: math.Inf(1)}, Explosion{ImpulsePerLength: math.NaN()}}
	}
	return nil
}

// goodArguments are what a method may be given, for one kind of joint where it
// takes a joint. Numbers and points grow from one to the next.
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
			v.Set(reflect.ValueOf(Vec{x, x}))
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
			v.Set(reflect.ValueOf(BodyDef{Position: Vec{9, 9}}))
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

// errorOf calls a method and returns its error, the last of its results.
func (p *populated) errorOf(method string, args []reflect.Value) error {
	out := reflect.ValueOf(p.World).MethodByName(method).Call(args)
	err, _ := out[len(out)-1].Interface().(error)
	return err
}

// jointKindsFor are the kinds of joint that a method is for, and the others. One
// that takes no joint is tried with one of them.
func jointKindsFor(name string, m reflect.Type) (right, wrong []JointKind) {
	takesJoint := false
	for i := range m.NumIn() {
		takesJoint = takesJoint || m.In(i) == reflect.TypeFor[Joint]()
	}
	if !takesJoint {
		return []JointKind{RevoluteJoint}, nil
	}
	op := opcode(max(0, slices.Index(opNames[:], name)))
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
		right, wrong := jointKindsFor(name, m)
		for _, kind := range right {
			if o := newPopulated(t); o.errorOf(name, o.goodArguments(m, kind)) != nil {
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
