package engine_test

import (
	"math/rand/v2"
	"reflect"
	"slices"

	"halfstep/buffer/body2d"
	"halfstep/world"
)

// notGiven are methods of Commands that do not change the world, or that Give calls in
// its own way.
var notGiven = []string{"At", "From", "Room", "Do", "DoNamed", "Inspect", "QueryBox", "QueryPoint", "RayCast"}

// commandKinds are all commands: methods of world.Commands.
var commandKinds = func() (list []int) {
	t := reflect.TypeFor[world.Commands]()
	for i := range t.NumMethod() {
		if !slices.Contains(notGiven, t.Method(i).Name) {
			list = append(list, i)
		}
	}
	return list
}()

// Give gives a command. The number n decides the kind of the command and its
// arguments, so that the same n gives the same command.
func (l *randomLevel) Give(c world.Commands, n uint64) {
	r := rand.New(rand.NewPCG(n, 9))
	switch {
	case len(l.Bodies) == 0 || r.IntN(12) == 0:
		c.DoNamed("mess", float64(r.IntN(60)), float64(r.IntN(8)))
		return
	case r.IntN(3) == 0: // these are the most frequent actions of players
		b := l.Bodies[r.IntN(len(l.Bodies))]
		switch r.IntN(4) {
		case 0:
			c.SetVelocity(b, world.Vec{X: 2 * r.NormFloat64(), Y: 2 * r.NormFloat64()})
		case 1:
			c.Impulse(b, world.Vec{X: r.NormFloat64(), Y: 1})
		case 2:
			c.DestroyBody(b)
		case 3:
			c.Force(b, world.Vec{X: 20 * r.NormFloat64()})
		}
		return
	}
	kind := commandKinds[r.IntN(len(commandKinds))]
	if !l.Restores && reflect.TypeFor[world.Commands]().Method(kind).Name == "RestoreSnapshot" {
		kind = commandKinds[0]
	}
	method := reflect.ValueOf(c).Method(kind)
	args := make([]reflect.Value, method.Type().NumIn())
	for i := range args {
		args[i] = l.argument(r, method.Type().In(i))
	}
	method.Call(args)
}

func one[T any](r *rand.Rand, from []T) (t T) {
	if len(from) > 0 {
		t = from[r.IntN(len(from))]
	}
	return t
}

func (l *randomLevel) argument(r *rand.Rand, t reflect.Type) reflect.Value {
	number := func() float64 { return []float64{1, 3, 10}[r.IntN(3)] * r.NormFloat64() }
	point := func() world.Vec { return world.Vec{X: 24*r.Float64() - 12, Y: 10 * r.Float64()} }
	maker := &randomLevel{r: r}
	var v any
	switch t {
	case reflect.TypeFor[world.Body]():
		v = one(r, l.Bodies)
	case reflect.TypeFor[world.Shape]():
		v = one(r, l.Shapes)
	case reflect.TypeFor[world.Joint]():
		v = one(r, l.Joints)
	case reflect.TypeFor[world.Vec]():
		v = world.Vec{X: number(), Y: number()}
		if r.IntN(3) == 0 {
			v = point()
		}
	case reflect.TypeFor[world.BodyKind]():
		v = world.BodyKind(r.IntN(3))
	case reflect.TypeFor[body2d.Smoothing]():
		v = body2d.Smoothing(r.IntN(4))
	case reflect.TypeFor[world.Filter]():
		v = world.Filter{Category: 1 << (30 * r.IntN(3)), Mask: world.AllCategories &^ (1 << (30 * r.IntN(3))), Group: int16(r.IntN(5) - 2)}
	case reflect.TypeFor[world.Surfaces]():
		v = world.Surfaces{
			Mixes:                []world.Mix{{A: 1, B: world.AnyMaterial, Friction: r.Float64(), RestitutionRule: world.MixRule(r.IntN(6))}},
			RestitutionThreshold: 2 * r.Float64(), HitSpeed: r.Float64(),
		}
	case reflect.TypeFor[world.Explosion]():
		v = world.Explosion{Centre: point(), Radius: 2, Falloff: 2, ImpulsePerLength: number()}
	case reflect.TypeFor[world.ShapeDef]():
		s := maker.shape()
		s.Sensor = r.IntN(6) == 0
		v = s
	case reflect.TypeFor[world.BodyDef]():
		d := world.BodyDef{Kind: world.BodyKind(r.IntN(3)), Position: point(), Angle: r.Float64(), Bullet: r.IntN(4) == 0}
		for range 1 + r.IntN(3) {
			d.Shapes = append(d.Shapes, maker.shape())
		}
		v = d
	case reflect.TypeFor[world.JointDef]():
		d := world.JointDef{
			Kind: world.JointKind(r.IntN(11)), A: one(r, l.Bodies), B: one(r, l.Bodies), MaxLength: 2, MaxForce: 100, MaxTorque: 10,
			Target: point(), GroundA: point(), GroundB: point(), Joint1: one(r, l.Joints), Joint2: one(r, l.Joints),
			CollideConnected: r.IntN(2) == 0, Damping: r.Float64(),
		}
		switch f := 4 * r.Float64(); d.Kind {
		case world.DistanceJoint, world.MouseJoint, world.WheelJoint, world.WeldJoint:
			d.Frequency = f
		}
		v = d
	default:
		x := reflect.New(t).Elem()
		switch t.Kind() {
		case reflect.Float64:
			x.SetFloat(number())
			if r.IntN(2) == 0 {
				x.SetFloat(r.Float64())
			}
		case reflect.Bool:
			x.SetBool(r.IntN(2) == 0)
		case reflect.Uint16: // a Material
			x.SetUint(uint64(r.IntN(4)))
		case reflect.Int:
			x.SetInt(int64(r.IntN(3)))
		}
		return x
	}
	return reflect.ValueOf(v)
}
