package engine_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"halfstep/world"
)

// randomLevel is a level that is built through the public API alone, as games build
// levels. It has terrain, piles, compound bodies, ragdolls, kinematic movers, hooks of
// every kind, and objects that commands can name. It was written from the pages and the
// API, and not from the code that steps worlds. Levels with the same seed are equal, and
// have the same handles.
//
// Package worldgen makes Box2D worlds instead, and calls the library's own methods, to
// compare two steppers call by call. Its README lists its limits.
type randomLevel struct {
	Bodies []world.Body
	Shapes []world.Shape
	Joints []world.Joint
	// Restores says that Restore is among the commands. A Restore also resets World.Tick.
	Restores bool

	seed   uint64
	r      *rand.Rand
	w      *world.World
	err    error
	pairs  []shifting // kinematic bodies
	hidden map[world.Shape]bool

	kept struct { // kept is the state of hooks and controllers.
		Landed, Spawned, Turns int
		Random                 uint64
	}
}

type shifting struct {
	body   world.Body
	speed  world.Vec
	spin   float64
	period uint64 // ticks
}

// newLevel returns the level with a seed. The method Setup builds the level.
func newLevel(seed uint64) *randomLevel { return &randomLevel{seed: seed} }

// Setup builds the level in a new world. It may be called again for another world.
func (l *randomLevel) Setup(w *world.World) error {
	*l = randomLevel{seed: l.seed, Restores: l.seed%5 == 0, r: rand.New(rand.NewPCG(l.seed, 77)), w: w, hidden: map[world.Shape]bool{}}
	l.kept.Random = l.seed
	l.terrain()
	for n := 1 + l.r.IntN(3); n > 0; n-- {
		x := l.span(-12, 12)
		switch l.r.IntN(6) {
		case 0:
			l.pile(x)
		case 1:
			l.compounds(x)
		case 2:
			l.ragdoll(x)
		case 3:
			l.mover(x)
		case 4:
			l.neighbours(x)
		case 5:
			l.bridge(x)
		}
	}
	l.hooks()
	w.Register("mess", l.mess)
	w.Keep(&l.kept)
	return l.err
}

func (l *randomLevel) span(from, to float64) float64 { return from + (to-from)*l.r.Float64() }

func (l *randomLevel) chance(p float64) bool { return l.r.Float64() < p }

// add makes a body that commands can name.
func (l *randomLevel) add(def world.BodyDef) world.Body {
	b, err := l.w.CreateBody(def)
	if err != nil {
		l.err = errors.Join(l.err, err)
		return 0
	}
	shapes, err := l.w.Shapes(b)
	l.err = errors.Join(l.err, err)
	l.Bodies, l.Shapes = append(l.Bodies, b), append(l.Shapes, shapes...)
	return b
}

func (l *randomLevel) join(def world.JointDef) {
	j, err := l.w.CreateJoint(def)
	l.err = errors.Join(l.err, err)
	l.Joints = append(l.Joints, j)
}

// terrain makes a ground of some kind between two walls.
func (l *randomLevel) terrain() {
	var shapes []world.ShapeDef
	switch l.r.IntN(5) {
	case 0, 1:
		shapes = append(shapes, world.Box(20, .5))
	case 2:
		var points []world.Vec
		for i := range 20 + l.r.IntN(100) {
			points = append(points, world.Vec{X: float64(i)*.4 - 20, Y: .5 + l.span(-.3, .1)})
		}
		shapes = append(shapes, world.Chain(points...))
	case 3:
		for i := range 20 {
			shapes = append(shapes, world.Edge(world.Vec{X: float64(2*i) - 20, Y: .5}, world.Vec{X: float64(2*i) - 18, Y: .5}))
		}
	case 4: // a large level made of tiles
		for i := range 200 + l.r.IntN(800) {
			l.must(l.w.CreateBody(world.BodyDef{
				Position: world.Vec{X: float64(i%100)*.4 - 20, Y: .3 - float64(i/100)*.4}, Shapes: []world.ShapeDef{world.Box(.2, .2)},
			}))
		}
	}
	if len(shapes) > 0 {
		l.add(world.BodyDef{Name: "ground", Shapes: shapes})
	}
	for _, x := range []float64{-20, 20} {
		l.must(l.w.CreateBody(world.BodyDef{Name: "wall", Position: world.Vec{X: x, Y: 10}, Shapes: []world.ShapeDef{world.Box(.5, 15)}}))
	}
}

func (l *randomLevel) must(_ world.Body, err error) { l.err = errors.Join(l.err, err) }

// shape returns a solid shape with a size of about half a metre.
func (l *randomLevel) shape() (s world.ShapeDef) {
	a := l.span(.15, .6)
	switch l.r.IntN(5) {
	case 0:
		s = world.Circle(a)
	case 1:
		s = world.Polygon(world.Vec{X: -a}, world.Vec{Y: -a}, world.Vec{X: a}, world.Vec{X: .5 * a, Y: a}, world.Vec{X: -.5 * a, Y: a})
	case 2:
		s = world.Polygon(world.Vec{X: -a, Y: -a}, world.Vec{X: a, Y: -a}, world.Vec{Y: a})
	default:
		if s = world.Box(a, l.span(.15, .6)); l.chance(.3) {
			s = world.Capsule(world.Vec{X: -a}, world.Vec{X: a}, l.span(.1, .3))
		}
	}
	if l.chance(.2) {
		s.Restitution = l.span(0, .7)
	}
	if l.chance(.2) {
		s.Friction = l.span(0, 1)
	}
	if l.chance(.2) {
		s.Material, s.RollingResistance = world.Material(l.r.IntN(3)), l.span(0, .2)
	}
	return s
}

func (l *randomLevel) pile(x float64) {
	for i := range 2 + l.r.IntN(8) {
		l.add(world.BodyDef{
			Kind: world.Dynamic, Position: world.Vec{X: x + l.span(-.2, .2), Y: 1.2 + 1.2*float64(i)}, Bullet: l.chance(.2),
			Shapes: []world.ShapeDef{l.shape()},
		})
	}
}

// neighbours makes bodies that stand beside each other, and touch or almost touch.
func (l *randomLevel) neighbours(x float64) {
	for i := range 2 + l.r.IntN(3) {
		l.add(world.BodyDef{
			Kind: world.Dynamic, Position: world.Vec{X: x + float64(i)*l.span(1, 1.04), Y: 1}, Shapes: []world.ShapeDef{world.Box(.5, .5)},
		})
	}
}

// compounds makes bodies that have several shapes, or pairs of bodies that are welded
// together.
func (l *randomLevel) compounds(x float64) {
	for i := range 1 + l.r.IntN(4) {
		at := world.Vec{X: x + l.span(-1, 1), Y: 2 + 2*float64(i)}
		if l.chance(.3) {
			a := l.add(world.BodyDef{Kind: world.Dynamic, Position: at, Shapes: []world.ShapeDef{l.shape()}})
			at.X += .8
			b := l.add(world.BodyDef{Kind: world.Dynamic, Position: at, Shapes: []world.ShapeDef{l.shape()}})
			l.join(world.JointDef{Kind: world.WeldJoint, A: a, B: b, AnchorA: world.Vec{X: .4}, AnchorB: world.Vec{X: -.4}, BreakForce: l.span(0, 4000)})
			continue
		}
		shapes := []world.ShapeDef{l.shape()}
		for k := range 1 + l.r.IntN(4) {
			shapes = append(shapes, world.CircleAt(.3*float64(k+1), l.span(-.3, .3), .2))
		}
		l.add(world.BodyDef{Kind: world.Dynamic, Position: at, Velocity: world.Vec{X: l.span(-3, 3)}, Shapes: shapes})
	}
}

// ragdoll makes a trunk with limbs. Each limb has two parts, and joints with limits.
func (l *randomLevel) ragdoll(x float64) {
	y := l.span(3, 7)
	trunk := l.add(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: x, Y: y}, Angle: l.span(-1, 1), Shapes: []world.ShapeDef{
		world.Box(.2, .5), world.CircleAt(0, .7, .2)}})
	for i := range 4 {
		from, at := trunk, world.Vec{X: []float64{-.2, .2}[i%2], Y: []float64{.4, -.4}[i/2]}
		for range 2 {
			limb := world.Polygon(world.Vec{X: -.1}, world.Vec{X: -.1, Y: -.5}, world.Vec{X: .1, Y: -.5}, world.Vec{X: .1})
			limb.Filter.Group = -int16(1 + l.seed%30)
			b := l.add(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: x + at.X, Y: y + at.Y}, Shapes: []world.ShapeDef{limb}})
			l.join(world.JointDef{Kind: world.RevoluteJoint, A: from, B: b, AnchorA: at, EnableLimit: true, Lower: -1, Upper: 1, BreakForce: l.span(0, 3000)})
			from, at = b, world.Vec{Y: -.5}
		}
	}
}

// mover makes a lift, a door or a spinner, with a body on it.
func (l *randomLevel) mover(x float64) {
	m := shifting{period: uint64(20 + l.r.IntN(100))}
	switch l.r.IntN(3) {
	case 0:
		m.speed.Y = l.span(.5, 4)
	case 1:
		m.speed.X = l.span(.5, 4)
	case 2:
		m.spin = l.span(-3, 3)
	}
	m.body = l.add(world.BodyDef{Kind: world.Kinematic, Position: world.Vec{X: x, Y: 2}, Shapes: []world.ShapeDef{world.Box(1.5, .1)}})
	l.pairs = append(l.pairs, m)
	l.add(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: x, Y: 2.6}, Shapes: []world.ShapeDef{l.shape()}})
	l.add(world.BodyDef{
		Kind: world.Dynamic, Bullet: l.chance(.5), Position: world.Vec{X: x, Y: 9}, Velocity: world.Vec{X: l.span(-9, 9), Y: -l.span(10, 90)},
		Shapes: []world.ShapeDef{world.Circle(.2)},
	})
}

// bridge makes a bridge that hangs on joints of several kinds.
func (l *randomLevel) bridge(x float64) {
	ends := l.add(world.BodyDef{Position: world.Vec{X: x, Y: 4}})
	from := ends
	for i := range 3 + l.r.IntN(5) {
		b := l.add(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: x + float64(i), Y: 4}, Shapes: []world.ShapeDef{world.Box(.45, .1)}})
		d := world.JointDef{A: from, B: b, AnchorA: world.Vec{X: .5}, AnchorB: world.Vec{X: -.5}}
		switch l.r.IntN(4) {
		case 0:
			d.Kind, d.Length, d.Frequency, d.Damping = world.DistanceJoint, .1, 4, .5
		case 1:
			d.Kind, d.MaxLength = world.RopeJoint, .3
		default:
			d.Kind = world.RevoluteJoint
		}
		l.join(d)
		from = b
	}
}

// random returns a random number. The state of the generator is restored with the world.
func (l *randomLevel) random(n uint64) uint64 {
	l.kept.Random = l.kept.Random*6364136223846793005 + 1442695040888963407
	return l.kept.Random >> 33 % n
}

func (l *randomLevel) hooks() {
	w := l.w
	w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
		for _, m := range l.pairs {
			sign := 1 - 2*float64(w.Tick()/m.period%2)
			_ = w.SetVelocity(m.body, world.Vec{X: sign * m.speed.X, Y: sign * m.speed.Y})
			_ = w.SetAngularVelocity(m.body, m.spin)
		}
	}))
	if l.chance(.3) {
		w.AddControllerEvery(1+l.r.IntN(40), world.ControllerFunc(l.spawn))
	}
	if l.chance(.4) {
		w.AddContactHook(func(w *world.World, events []world.Event) {
			l.kept.Landed += len(events)
			if len(events) == 0 || l.random(12) > 0 {
				return
			}
			e := events[l.random(uint64(len(events)))]
			if i, err := w.Body(e.B); err == nil && i.Kind == world.Dynamic {
				switch l.random(4) {
				case 0:
					_ = w.DestroyBody(e.B)
				case 1:
					_ = w.SetFilter(e.ShapeB, world.Filter{Category: 2, Mask: 0xfffd})
				case 2:
					_ = w.Impulse(e.B, world.Vec{Y: 2})
				case 3:
					_, _ = w.CreateShape(e.B, world.CircleAt(0, .5, .15))
				}
			}
		})
	}
	if l.chance(.3) {
		w.SetPreSolve(func(w *world.World, c *world.PreSolveContact) {
			switch l.random(40) {
			case 0:
				c.Solid = false
			case 1:
				c.Friction = 0
			case 2:
				c.TangentSpeed = 1
			}
		})
	}
	if l.chance(.3) {
		for _, s := range l.Shapes {
			l.hidden[s] = l.chance(.2)
		}
		w.SetShouldCollide(func(_ *world.World, a, b world.Shape) bool { return !l.hidden[a] || !l.hidden[b] })
	}
}

// spawn creates bodies up to some number, and destroys them again.
func (l *randomLevel) spawn(w *world.World, _ float64) {
	name := fmt.Sprint("spawned ", l.kept.Spawned%10)
	if b, ok := w.Find(name); ok {
		_ = w.DestroyBody(b)
	}
	l.kept.Spawned++
	x := float64(l.random(200))/10 - 10
	_, _ = w.CreateBody(world.BodyDef{
		Name: name, Kind: world.Dynamic, Position: world.Vec{X: x, Y: 8}, Velocity: world.Vec{Y: -float64(l.random(60))},
		Shapes: []world.ShapeDef{world.Box(.3, .2), world.CircleAt(.4, 0, .2)},
	})
}

// mess changes the world on the physics goroutine. The arguments are the number of a body
// and the kind of change.
func (l *randomLevel) mess(w *world.World, args []float64) {
	var b world.Body
	n := int(args[0]) % max(1, int(w.Counts().Bodies))
	for at := range w.Bodies() {
		if n--; n < 0 {
			b = at
			break
		}
	}
	info, err := w.Body(b)
	if err != nil || info.Kind != world.Dynamic {
		return
	}
	switch int(args[1]) % 4 {
	case 0:
		_ = w.DestroyBody(b)
	case 1:
		_ = w.SetVelocity(b, world.Vec{X: -info.Velocity.X, Y: 3})
	case 2:
		c, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: info.Position.X, Y: info.Position.Y + 1}, Shapes: []world.ShapeDef{world.Box(.3, .3)}})
		if err == nil {
			_, _ = w.CreateJoint(world.JointDef{Kind: world.RevoluteJoint, A: b, B: c, AnchorA: world.Vec{Y: .5}, AnchorB: world.Vec{Y: -.5}})
		}
	case 3:
		_ = w.Teleport(b, world.Vec{X: info.Position.X + .3, Y: info.Position.Y + 1}, info.Angle)
	}
}

// levelDigest returns a hash of the world's state as the API shows it: the positions of
// bodies, which bodies sleep, and the touching pairs with their impulses.
func levelDigest(w *world.World) uint64 {
	h := w.StateHash()
	mix := func(x uint64) { h = (h ^ x) * 0x9e3779b97f4a7c15; h ^= h >> 29 }
	float := func(x float64) { mix(math.Float64bits(x)) }
	for b := range w.Bodies() {
		i, _ := w.Body(b)
		float(i.Mass)
		if i.Awake {
			mix(1)
		}
		mix(uint64(i.Kind))
	}
	for c := range w.Contacts() {
		float(c.Impulse)
		float(c.Point.X)
		float(c.Normal.Y)
	}
	n := w.Counts()
	mix(uint64(n.Joints)<<32 | uint64(n.Contacts))
	return h
}
