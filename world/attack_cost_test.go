package world_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"halfstep/test/attack"
	"halfstep/test/cputime"
	"halfstep/world"
)

// crowd is a world with n objects of a kind, and their handles.
type crowd struct {
	*world.Simulation
	bodies []world.Body
	shapes []world.Shape
	joints []world.Joint
}

func newCrowd(way world.Stepper) *crowd {
	return &crowd{Simulation: world.NewSimulation(world.Config{Stepper: way, Workers: 1})}
}

func (c *crowd) add(d world.BodyDef) world.Body {
	b := must(c.World().CreateBody(d))
	c.bodies, c.shapes = append(c.bodies, b), append(c.shapes, must(c.World().Shapes(b))...)
	return b
}

func (c *crowd) join(d world.JointDef) world.Joint {
	j := must(c.World().CreateJoint(d))
	c.joints = append(c.joints, j)
	return j
}

func dynamic(x, y float64, shapes ...world.ShapeDef) world.BodyDef {
	return world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: x, Y: y}, Shapes: shapes}
}

const shapesOfOneBody = "shapes of one body"

type crowdKind struct {
	name string
	most int
	make func(c *crowd, n int)
}

// crowds are worlds, each of which has very many objects of one sort.
var crowds = []crowdKind{
	{"bodies far apart", 16000, func(c *crowd, n int) {
		for i := range n {
			c.add(dynamic(5*float64(i%100), 5*float64(i/100), world.Box(.5, .5)))
		}
	}},
	{"bodies on a ground of tiles", 8000, func(c *crowd, n int) {
		for i := range n {
			c.add(world.BodyDef{Position: world.Vec{X: 1.5 * float64(i)}, Shapes: []world.ShapeDef{world.Box(.75, .5)}})
			c.add(dynamic(1.5*float64(i), 1, world.Box(.5, .5)))
		}
	}},
	{"bodies on one ground", 8000, func(c *crowd, n int) {
		c.add(world.BodyDef{Shapes: []world.ShapeDef{world.Box(2*float64(n), .5)}})
		for i := range n {
			c.add(dynamic(1.5*float64(i), 1, world.Box(.5, .5)))
		}
	}},
	{shapesOfOneBody, 8000, func(c *crowd, n int) {
		var shapes []world.ShapeDef
		for i := range n {
			shapes = append(shapes, world.CircleAt(float64(i%100), float64(i/100), .4))
		}
		c.add(dynamic(0, 0, shapes...))
	}},
	{"joints of one body", 8000, func(c *crowd, n int) {
		hub := c.add(dynamic(0, 0, world.Box(.5, .5)))
		for i := range n {
			b := c.add(dynamic(3*float64(i%100)+5, 3*float64(i/100), world.Box(.5, .5)))
			c.join(world.JointDef{Kind: world.RopeJoint, A: hub, B: b, MaxLength: 1000})
		}
	}},
	{"breaking joints of one body", 8000, func(c *crowd, n int) {
		hub := c.add(world.BodyDef{Shapes: []world.ShapeDef{world.Box(.5, .5)}})
		for i := range n {
			b := c.add(dynamic(3*float64(i%100)+5, 3*float64(i/100), world.Box(.5, .5)))
			c.join(world.JointDef{Kind: world.WeldJoint, A: hub, B: b, BreakForce: 1e-9})
		}
	}},
	{"geared bodies", 8000, func(c *crowd, n int) {
		hub := c.add(world.BodyDef{Shapes: []world.ShapeDef{world.Box(.5, .5)}})
		for i := range n {
			var turns [2]world.Joint
			for k := range turns {
				b := c.add(dynamic(6*float64(i%100)+5+3*float64(k), 3*float64(i/100), world.Box(.5, .5)))
				turns[k] = c.join(world.JointDef{Kind: world.RevoluteJoint, A: hub, B: b, AnchorA: world.Vec{X: 6*float64(i%100) + 5 + 3*float64(k), Y: 3 * float64(i/100)}})
			}
			c.join(world.JointDef{Kind: world.GearJoint, Joint1: turns[0], Joint2: turns[1]})
		}
	}},
}

// calls has the names of all methods of World that change a body, a shape or a joint.
var calls = func() (names []string) {
	t := reflect.TypeFor[*world.World]()
	changes := reflect.TypeFor[error]()
	for i := range t.NumMethod() {
		m := t.Method(i).Type
		if m.NumIn() < 2 || m.NumOut() == 0 || m.Out(m.NumOut()-1) != changes {
			continue
		}
		switch m.In(1) {
		case reflect.TypeFor[world.Body](), reflect.TypeFor[world.Shape](), reflect.TypeFor[world.Joint]():
			names = append(names, t.Method(i).Name)
		}
	}
	return names
}()

// call calls a method for each body, shape or joint that the method accepts.
func (c *crowd) call(name string, seed uint64) {
	m := reflect.ValueOf(c.World()).MethodByName(name)
	var on reflect.Value
	for _, list := range []any{c.bodies, c.shapes, c.joints} {
		if v := reflect.ValueOf(list); v.Type().Elem() == m.Type().In(0) {
			on = v
		}
	}
	for i := range on.Len() {
		args := []reflect.Value{on.Index(i)}
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		for k := 1; k < m.Type().NumIn(); k++ {
			args = append(args, sane(r, m.Type().In(k)))
		}
		m.Call(args) // a call that returns an error must be fast, too
	}
}

// sane is an argument that most methods accept.
func sane(r *rand.Rand, t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch {
	case t == reflect.TypeFor[world.ShapeDef]():
		// The shapes are in different places. In one place each would overlap all others, and
		// overlapping pairs cost time.
		return reflect.ValueOf(world.CircleAt(100*r.Float64(), 100*r.Float64(), .3))
	case t == reflect.TypeFor[world.Filter]():
		return reflect.ValueOf(world.Filter{Category: 2, Mask: 0xffff, Group: int16(r.IntN(3) - 1)})
	case t.Kind() == reflect.Func:
		return reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value { return []reflect.Value{reflect.ValueOf(true)} })
	case t.Kind() == reflect.Float64:
		v.SetFloat(r.Float64())
	case t.Kind() == reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case t.Kind() == reflect.Int:
		v.SetInt(int64(r.IntN(3)))
	case t.Kind() == reflect.Uint8:
		v.SetUint(r.Uint64N(3))
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			if f := v.Field(i); f.CanSet() && f.Kind() == reflect.Float64 {
				f.SetFloat(1e4 * r.Float64())
			}
		}
	}
	return v
}

// After a change of one shape's mass the world adds up the masses of all shapes of the
// body, in the library's order, to get the library's bits. Changing all shapes of a body
// takes quadratic time, so it has its own limit: an addition took 2.5 ns. A fast rotation
// of a body makes the boxes of its shapes so large that all of them overlap, and the
// library's search visits each pair.
var weighs = []string{
	"SetDensity", "CreateShape", "DestroyShape", "ReplaceShape",
	"SetAngularVelocity", "AngularImpulse", "ImpulseAt", "Torque", "ForceAt",
}

const addition = 8 * time.Nanosecond // or a visit

// A call for each of n bodies, shapes or joints costs no more than n times one call, with
// the steps between. This holds for all pairs of calls, in worlds with very many objects
// of one sort.
func TestAttackCostOfCalls(t *testing.T) {
	a := attack.Start(t)
	check := func(of crowdKind, way world.Stepper, todo []string, seed uint64, before int) {
		cost := func(n int) time.Duration {
			c := newCrowd(way)
			defer c.Close()
			began := cputime.Used()
			of.make(c, n)
			if len(todo) > 0 {
				began = cputime.Used()
			}
			defer func() { // a crowded world that returns an error ends the test
				if err, ok := recover().(error); ok && !errors.Is(err, world.ErrCrowded) {
					panic(err)
				}
			}()
			steps(c.Simulation, before)
			for _, name := range todo {
				c.call(name, seed)
			}
			steps(c.Simulation, 1)
			sums := 0
			if of.name == shapesOfOneBody {
				for _, name := range todo {
					if slices.Contains(weighs, name) {
						sums += n * n
					}
				}
			}
			return cputime.Used() - began - time.Duration(sums)*addition
		}
		if n, few, many, steep := attack.Steep(500, of.most, cost); steep {
			t.Errorf("%v, %s, %d steps, %v, a step: with %d it takes %v, and with %d %v", way, of.name, before, todo, n, few, 4*n, many)
		}
		a.Count("slopes", 1)
	}
	for _, of := range crowds {
		if of.name == shapesOfOneBody {
			check(of, world.SoftStep, []string{"SetSensor"}, 1, 1) // it found something once
		}
	}
	for r := range a.Rounds() {
		of := crowds[r.IntN(len(crowds))]
		way := []world.Stepper{world.SoftStep, world.FastStep}[r.IntN(2)]
		var todo []string
		for range r.IntN(3) {
			todo = append(todo, calls[r.IntN(len(calls))])
		}
		check(of, way, todo, r.Uint64(), r.IntN(2))
	}
}

// The time of a step depends only on the moving bodies: a level around them costs nothing,
// and n bodies cost no more than n times one body.
func TestAttackCostOfSteps(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		way := []world.Stepper{world.SoftStep, world.FastStep}[r.IntN(2)]
		seed, kind := r.Uint64(), r.IntN(3)
		name := [...]string{"moving bodies of two shapes", "welded pairs that move", "tiles, and a ball shot in every step"}[kind]
		cost := func(n int) time.Duration {
			c := newCrowd(way)
			defer c.Close()
			must(0, c.World().SetGravity(world.Vec{}))
			r := rand.New(rand.NewPCG(seed, 2))
			if kind == 2 {
				return tiles(c, n)
			}
			side := 1.5 * math.Sqrt(float64(n))
			for i := range 4 {
				d := world.BodyDef{Shapes: []world.ShapeDef{world.Box(side+4, 2)}}
				d.Angle = math.Pi / 2 * float64(i)
				d.Position = world.Vec{X: (side + 2) * math.Sin(d.Angle), Y: (side + 2) * math.Cos(d.Angle)}
				c.add(d)
			}
			for range n {
				d := dynamic((2*r.Float64()-1)*side, (2*r.Float64()-1)*side, world.CircleAt(0, 0, .2))
				d.Velocity, d.NoSleep = world.Vec{X: 5 * r.NormFloat64(), Y: 5 * r.NormFloat64()}, true
				if kind == 0 {
					d.Shapes = append(d.Shapes, world.CircleAt(.3, 0, .2))
				}
				for i := range d.Shapes {
					d.Shapes[i].Restitution = 1
				}
				b := c.add(d)
				if kind == 1 {
					d.Position.X += .3
					c.join(world.JointDef{Kind: world.WeldJoint, A: b, B: c.add(d), AnchorA: world.Vec{X: .15}, AnchorB: world.Vec{X: -.15}})
				}
			}
			steps(c.Simulation, 90)
			began := cputime.Used()
			steps(c.Simulation, 15)
			return cputime.Used() - began
		}
		if n, few, many, steep := attack.Steep(500, 4000, cost); steep {
			t.Errorf("%v, %s: with %d some steps take %v, and with %d %v", way, name, n, few, 4*n, many)
		}
		a.Count("slopes", 1)
	}
}

// tiles returns the time of the shots in a level of n tiles.
func tiles(c *crowd, n int) time.Duration {
	var points []world.Vec
	for i := range 4*n + 1 {
		points = append(points, world.Vec{X: float64(i) * .5, Y: math.Sin(float64(i))})
	}
	c.add(world.BodyDef{Shapes: []world.ShapeDef{world.Chain(points...)}})
	for i := range n {
		c.add(world.BodyDef{Position: world.Vec{X: float64(i), Y: -5}, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
	}
	steps(c.Simulation, 2)
	began := cputime.Used()
	for i := range 60 {
		d := dynamic(10+float64(i%30), 20, world.Circle(.1))
		d.Velocity.X = 60
		c.add(d)
		steps(c.Simulation, 1)
		if i > 30 {
			must(0, c.World().DestroyBody(c.bodies[len(c.bodies)-20]))
		}
	}
	// The level itself costs nothing: n shots cost n times one shot.
	return (cputime.Used() - began) * time.Duration(n) / 500
}

// More workers than processors cost little more than one, even if GOMAXPROCS lets all of
// them run.
func TestAttackCostOfWorkers(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		way, workers, n := []world.Stepper{world.SoftStep, world.FastStep}[r.IntN(2)], 4+r.IntN(13), 100+r.IntN(900)
		cost := func(workers int) time.Duration {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(workers, 1)))
			s := world.NewSimulation(world.Config{Stepper: way, Workers: workers})
			defer s.Close()
			c := &crowd{Simulation: s}
			c.add(world.BodyDef{Shapes: []world.ShapeDef{world.Box(40, .5)}})
			for i := range n {
				c.add(dynamic(float64(i%40)-20, 1+float64(i/40), world.Box(.45, .45)))
			}
			steps(s, 10)
			began := cputime.Used()
			steps(s, 60)
			return cputime.Used() - began
		}
		one, many := cost(1), cost(workers)
		for range 2 {
			one, many = min(one, cost(1)), min(many, cost(workers))
		}
		if many > 4*one+50*time.Millisecond {
			t.Errorf("%v: 60 steps of %d bodies take %v of the processors with %d workers (%d processors), and %v with one",
				way, n, many, workers, runtime.NumCPU(), one)
		}
		a.Count("comparisons", 1)
	}
}

// Worlds of 100,000 bodies are built, stepped, saved, restored and stepped again.
func TestAttackLargeWorlds(t *testing.T) {
	a := attack.Start(t)
	const n = 100_000
	for r := range a.Rounds() {
		way := []world.Stepper{world.SoftStep, world.FastStep}[r.IntN(2)]
		c := &crowd{Simulation: world.NewSimulation(world.Config{Stepper: way, Workers: 1, NoContinuous: way == world.FastStep})}
		asleep := r.IntN(4) > 0
		for i := range n {
			if i%100 == 0 {
				c.add(world.BodyDef{Position: world.Vec{X: 75 + 300*float64(i/100%30), Y: 20 * float64(i/3000)}, Shapes: []world.ShapeDef{world.Box(80, .5)}})
			}
			d := dynamic(1.5*float64(i%100)+300*float64(i/100%30), 20*float64(i/3000)+1, world.Box(.5, .5))
			d.Asleep = asleep && r.IntN(50) > 0
			c.add(d)
		}
		steps(c.Simulation, 2)
		var s world.Snapshot
		must(0, c.World().Snapshot(&s))
		hashes := func() (h [3]uint64) {
			for i := range h {
				_ = c.World().Impulse(c.bodies[(int(s.Tick())+i)*997%n], world.Vec{Y: 3})
				_ = c.World().DestroyBody(c.bodies[(int(s.Tick())+i)*13%n])
				steps(c.Simulation, 1)
				h[i] = c.World().Hash()
			}
			return h
		}
		want := hashes()
		must(0, c.World().Restore(&s))
		if got := hashes(); got != want {
			t.Errorf("%v: the hashes are %x, and after going back %x", way, want, got)
		}
		if data, err := s.MarshalBinary(); err != nil {
			t.Error(err)
		} else if _, err := world.LoadSnapshot(data); err != nil {
			t.Error(err)
		}
		c.Close()
		a.Count("bodies stepped", 8*n)
	}
}
