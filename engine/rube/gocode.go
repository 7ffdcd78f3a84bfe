package rube

import (
	"bytes"
	"fmt"
	"go/format"
	"maps"
	"math"
	"path"
	"reflect"
	"slices"
	"strconv"

	"halfstep/internal/binenc"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// Go writes the scene as the one file of a Go package with that name. Its Setup builds the
// scene in a world, to the bit as Build does, and its Config is for an engine with the scene.
// The file lacks User values.
func (s *Scene) Go(name string) ([]byte, error) {
	rate := clock.Hz(60)
	if s.StepsPerSecond > 0 {
		var err error
		if rate, err = clock.RateOf(s.StepsPerSecond); err != nil {
			return nil, err
		}
	}
	g := goCode{imports: map[string]bool{"halfstep/engine": true, "halfstep/world": true}}
	g.WriteString("// Config is the configuration of an engine that runs the scene.\nfunc Config() engine.Config {\n\treturn engine.Config{World: ")
	g.value(reflect.ValueOf(s.World), true)
	g.WriteString(", Time: engine.Time{Rate: ")
	g.value(reflect.ValueOf(rate), true)
	g.WriteString("}, Setup: Setup}\n}\n" + goSetup + "\nvar bodies = []world.BodyDef{\n")
	for i := range s.Bodies {
		g.value(reflect.ValueOf(s.Bodies[i]), false)
		g.WriteString(",\n")
	}
	g.WriteString("}\n" + goJoints)
	order := s.order()
	for _, i := range order {
		j := &s.Joints[i]
		one, two := 0, 0
		if j.Def.Kind == world.GearJoint {
			one, two = slices.Index(order, j.Joint1), slices.Index(order, j.Joint2)
		}
		fmt.Fprintf(&g, "{%d, %d, %d, %d, ", j.BodyA, j.BodyB, one, two)
		g.value(reflect.ValueOf(j.Def), true)
		g.WriteString("},\n")
	}
	g.WriteString("}\n")
	if g.infinite {
		return nil, errInfinite
	}

	file := fmt.Appendf(nil, "// Package %s is a scene that was saved.\npackage %[1]s\n\nimport (\n", name)
	for _, path := range slices.Sorted(maps.Keys(g.imports)) {
		file = fmt.Appendf(file, "%q\n", path)
	}
	file = append(file, ")\n\n"...)
	if g.imports["math"] {
		file = append(file, "var minusZero = math.Copysign(0, -1)\n\n"...)
	}
	return format.Source(append(file, g.Bytes()...))
}

const goSetup = `
// Setup builds the scene.
func Setup(w *world.World) error {
	made, joined := make([]world.Body, len(bodies)), make([]world.Joint, len(joints))
	for i, d := range bodies {
		var err error
		if made[i], err = w.CreateBody(d); err != nil {
			return err
		}
	}
	for i, j := range joints {
		d := j.def
		if d.Kind == world.GearJoint {
			d.Joint1, d.Joint2 = joined[j.joint1], joined[j.joint2]
		} else if d.B = made[j.b]; j.a >= 0 {
			d.A = made[j.a]
		}
		var err error
		if joined[i], err = w.CreateJoint(d); err != nil {
			return err
		}
	}
	return nil
}
`

const goJoints = `
// a and b are places in bodies; joint1 and joint2, of a gear, are places in joints.
var joints = []struct {
	a, b, joint1, joint2 int
	def                  world.JointDef
}{
`

// goNames are the names of the constants of enumerations, by value.
var goNames = map[reflect.Type][]string{
	reflect.TypeFor[world.BodyKind]():  {"Static", "Kinematic", "Dynamic"},
	reflect.TypeFor[world.ShapeKind](): {"CircleShape", "PolygonShape", "EdgeShape", "ChainShape", "ClosedChainShape", "CapsuleShape"},
	reflect.TypeFor[world.JointKind](): {
		"RevoluteJoint", "PrismaticJoint", "DistanceJoint", "PulleyJoint", "MouseJoint", "GearJoint", "WheelJoint", "WeldJoint",
		"FrictionJoint", "RopeJoint", "MotorJoint",
	},
	reflect.TypeFor[world.Stepper](): {"FastStep", "SoftStep"},
	reflect.TypeFor[world.MixRule](): {"MixGiven", "MixGeometric", "MixAverage", "MixMinimum", "MixMaximum", "MixProduct"},
}

// goCode collects the Go source of a scene.
type goCode struct {
	bytes.Buffer
	imports  map[string]bool // paths of packages; "math" is among them if minusZero is used
	infinite bool            // some number is not finite
}

// typed returns the name of a type in the file.
func (g *goCode) typed(t reflect.Type) string {
	if t.Kind() == reflect.Slice {
		return "[]" + g.typed(t.Elem())
	}
	g.imports[t.PkgPath()] = true
	return path.Base(t.PkgPath()) + "." + t.Name()
}

// value writes a value as an expression: a composite literal without fields that are zero. The
// type is left out unless typed is true, because the outer literal implies it.
func (g *goCode) value(v reflect.Value, typed bool) {
	t := v.Type()
	if names := goNames[t]; names != nil && v.Uint() < uint64(len(names)) {
		g.imports[t.PkgPath()] = true
		g.WriteString(path.Base(t.PkgPath()) + "." + names[v.Uint()])
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		g.WriteByte('&')
		g.value(v.Elem(), true)
	case reflect.Float64:
		if x := v.Float(); x == 0 && math.Signbit(x) {
			g.imports["math"] = true
			g.WriteString("minusZero")
		} else {
			g.infinite = g.infinite || math.IsNaN(x) || math.IsInf(x, 0)
			g.Write(appendNumber(nil, x))
		}
	case reflect.String:
		g.WriteString(strconv.Quote(v.String()))
	case reflect.Uint64:
		fmt.Fprintf(g, "%#x", v.Uint())
	case reflect.Struct:
		g.open(t, typed)
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() != reflect.Interface && !binenc.IsZero(f) {
				g.WriteString(t.Field(i).Name + ": ")
				g.value(f, true)
				g.WriteByte(',')
			}
		}
		g.WriteByte('}')
	case reflect.Slice, reflect.Array:
		g.open(t, typed)
		for i := range v.Len() {
			g.value(v.Index(i), false)
			g.WriteByte(',')
		}
		g.WriteByte('}')
	default:
		fmt.Fprint(g, v.Interface())
	}
}

// open begins a composite literal.
func (g *goCode) open(t reflect.Type, typed bool) {
	if typed {
		g.WriteString(g.typed(t))
	}
	g.WriteByte('{')
}
