package world_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/test/attack"
	"halfstep/world"
)

// Random edits in a world of solids, sensors and sleepers. After each step the contacts are
// those of shapes that overlap and may collide, each has its events, bodies of fixed
// rotation have not turned, and kinematic bodies have moved on.
func TestAttackContactPairs(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		p := newPairs(t, r, steppers[r.IntN(len(steppers))])
		p.run(20 + r.IntN(100))
		a.Count("pairs that overlap", uint64(p.found))
		a.Count("of these, with a sleeper", uint64(p.sleeping))
	}
}

func TestContactsAreThoseOfShapesThatOverlap(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		found, sleeping := 0, 0
		for seed := range uint64(5) {
			p := newPairs(t, rand.New(rand.NewPCG(seed, 51)), s)
			p.run(40)
			found, sleeping = found+p.found, sleeping+p.sleeping
		}
		if found < 500 || sleeping < 50 {
			t.Errorf("a dull run: %d pairs overlap, %d with a sleeper", found, sleeping)
		}
	})
}

// pairs is a world that is edited at random, with what the test itself knows about it.
type pairs struct {
	*situation
	*rand.Rand
	way      world.Stepper
	bodies   []*paired
	held     []world.Joint
	open     map[[2]world.Shape]bool // pairs whose events say that they have begun and not ended
	found    int
	sleeping int
	last     string // edit
}

type paired struct {
	world.Body
	kind            world.BodyKind
	fixed, disabled bool
	shapes          map[world.Shape]*world.ShapeDef
	was             world.BodyInfo // before the step
}

// Continuous collision is off: with it the library computes contacts at the place of a time
// of impact, which is not the body's last place.
func newPairs(t testing.TB, r *rand.Rand, s world.Stepper) *pairs {
	p := &pairs{situation: newSituation(t, world.Config{Stepper: s, NoGravity: r.IntN(2) == 0, NoContinuous: true}), Rand: r, way: s, open: map[[2]world.Shape]bool{}}
	ground := world.Box(20, 1)
	p.add(world.BodyDef{Position: world.Vec{Y: -4}, Shapes: []world.ShapeDef{ground}})
	for range 6 + r.IntN(8) {
		p.add(p.randomBody())
	}
	return p
}

func (p *pairs) place() world.Vec { return world.Vec{X: 6 * (p.Float64() - .5), Y: 5*p.Float64() - 3} }

func (p *pairs) randomShape() world.ShapeDef {
	d := world.Circle(.3 + .5*p.Float64())
	switch p.IntN(4) {
	case 0, 1:
		d = world.Box(.3+.7*p.Float64(), .3+.7*p.Float64())
	case 2:
		d = world.Capsule(world.Vec{X: -.6 * p.Float64()}, world.Vec{X: .1}, .2+.3*p.Float64())
	}
	d.Sensor = p.IntN(3) == 0
	d.Filter = p.filter()
	return d
}

func (p *pairs) filter() world.Filter {
	if p.IntN(3) > 0 {
		return world.Filter{}
	}
	return world.Filter{Category: 1 << (40 + p.IntN(2)), Mask: uint64(1+p.IntN(3)) << 40}
}

func (p *pairs) randomBody() world.BodyDef {
	d := world.BodyDef{
		Kind: world.BodyKind(p.IntN(3)), Position: p.place(), Angle: p.NormFloat64(), FixedRotation: p.IntN(4) == 0, AngularVelocity: p.NormFloat64(),
		Asleep: p.IntN(3) == 0, Disabled: p.IntN(6) == 0, LinearDamping: 2, AngularDamping: 2,
	}
	for range 1 + p.IntN(2) {
		d.Shapes = append(d.Shapes, p.randomShape())
	}
	return d
}

func (p *pairs) add(d world.BodyDef) {
	b := &paired{Body: p.made(d), kind: d.Kind, fixed: d.FixedRotation, disabled: d.Disabled, shapes: map[world.Shape]*world.ShapeDef{}}
	for i, s := range must(p.Shapes(b.Body)) {
		b.shapes[s] = &d.Shapes[i]
	}
	p.bodies = append(p.bodies, b)
}

// edit makes one random change.
func (p *pairs) edit() {
	b := p.bodies[p.IntN(len(p.bodies))]
	handles := must(p.Shapes(b.Body))
	s := handles[p.IntN(len(handles))]
	switch k := p.IntN(17); k {
	case 0:
		at, angle := p.place(), p.info(b.Body).Angle
		if !b.fixed {
			angle = p.NormFloat64()
		}
		p.last = "Teleport"
		p.worked(p.Teleport(b.Body, at, angle))
	case 1:
		p.last = "SetFilter"
		b.shapes[s].Filter = p.filter()
		p.worked(p.SetFilter(s, b.shapes[s].Filter))
	case 2:
		p.last = "SetSensor"
		b.shapes[s].Sensor = !b.shapes[s].Sensor
		p.worked(p.SetSensor(s, b.shapes[s].Sensor))
	case 3:
		p.last = "SetEnabled"
		b.disabled = !b.disabled
		p.worked(p.SetEnabled(b.Body, !b.disabled))
	case 4:
		p.last = "SetKind"
		b.kind = world.BodyKind(p.IntN(3))
		p.worked(p.SetKind(b.Body, b.kind))
	case 5:
		d := p.randomShape()
		p.last = "ReplaceShape"
		p.worked(p.ReplaceShape(s, d))
		b.shapes[s] = &d
	case 6:
		d := p.randomShape()
		p.last = "CreateShape"
		b.shapes[must(p.CreateShape(b.Body, d))] = &d
	case 7:
		if len(handles) > 1 {
			p.last = "DestroyShape"
			p.worked(p.DestroyShape(s))
			delete(b.shapes, s)
		}
	case 8, 9:
		if o := p.bodies[p.IntN(len(p.bodies))]; o != b {
			p.last = "CreateJoint"
			p.held = append(p.held, p.joint(world.JointDef{Kind: world.RopeJoint, A: b.Body, B: o.Body, MaxLength: 50, CollideConnected: p.IntN(4) == 0}))
		}
	case 10:
		if n := len(p.held); n > 0 {
			p.last = "DestroyJoint"
			p.DestroyJoint(p.held[n-1]) // the joint may have been destroyed with a body
			p.held = p.held[:n-1]
		}
	case 11:
		p.last = "CreateBody"
		p.add(p.randomBody())
	case 12:
		if len(p.bodies) > 8 {
			p.last = "DestroyBody"
			i := 1 + p.IntN(len(p.bodies)-1)
			p.worked(p.DestroyBody(p.bodies[i].Body))
			p.bodies = append(p.bodies[:i], p.bodies[i+1:]...)
		}
	case 13:
		p.last = "SetVelocity"
		p.worked(p.SetVelocity(b.Body, world.Vec{X: .01 * p.NormFloat64()}))
		p.worked(p.SetAngularVelocity(b.Body, .01*p.NormFloat64()))
	case 14:
		p.last = "SetAwake"
		p.worked(p.SetAwake(b.Body, false))
	case 15:
		p.last = "SetFixedRotation"
		b.fixed = !b.fixed
		p.worked(p.SetFixedRotation(b.Body, b.fixed))
	case 16:
		p.last = "Restore"
		var s world.Snapshot
		p.worked(p.Snapshot(&s))
		p.worked(p.Restore(&s))
	}
}

func (p *pairs) run(rounds int) {
	for range rounds {
		for range p.IntN(4) {
			p.edit()
		}
		for range []int{1, 1, 1, 2, 60}[p.IntN(5)] {
			for _, b := range p.bodies {
				b.was = p.info(b.Body)
			}
			p.events = p.events[:0]
			p.steps(1)
			p.look()
		}
	}
}

// pairOf is two shapes in the order of their handles.
func pairOf(k [2]world.Shape) [2]world.Shape {
	return [2]world.Shape{min(k[0], k[1]), max(k[0], k[1])}
}

// mayCollide reports whether the rules let two shapes collide.
func (p *pairs) mayCollide(a *paired, s world.Shape, b *paired, o world.Shape) bool {
	f, g := must(p.Shape(s)).Filter, must(p.Shape(o)).Filter
	if a.disabled || b.disabled || a.kind != world.Dynamic && b.kind != world.Dynamic || f.Mask&g.Category == 0 || g.Mask&f.Category == 0 {
		return false
	}
	for _, j := range p.held {
		if i, err := p.Joint(j); err == nil && !i.Def.CollideConnected && (i.A == a.Body && i.B == b.Body || i.A == b.Body && i.B == a.Body) {
			return false
		}
	}
	return true
}

func (p *pairs) look() {
	p.t.Helper()
	fail := func(format string, args ...any) {
		p.t.Helper()
		p.t.Fatalf("%v, tick %d, after %s: %s", p.way, p.Tick(), p.last, fmt.Sprintf(format, args...))
	}
	for _, e := range p.events {
		key := [2]world.Shape{e.Contact.ShapeA, e.Contact.ShapeB}
		if e.Kind == world.ContactBegin || e.Kind == world.ContactEnd {
			key = pairOf(key)
		}
		switch e.Kind {
		case world.ContactBegin, world.SensorBegin:
			if p.open[key] {
				fail("%v has begun already", e)
			}
			p.open[key] = true
		case world.ContactEnd, world.SensorEnd:
			if !p.open[key] {
				fail("%v has not begun", e)
			}
			delete(p.open, key)
		}
	}
	touching := map[[2]world.Shape]bool{}
	owner := map[world.Shape]*paired{}
	for _, b := range p.bodies {
		for s := range b.shapes {
			owner[s] = b
			p.worked(p.ShapeContacts(s, func(c world.Contact) bool {
				touching[[2]world.Shape{min(c.ShapeA, c.ShapeB), max(c.ShapeA, c.ShapeB)}] = true
				return true
			}))
		}
	}
	for k := range p.open {
		if !touching[pairOf(k)] {
			fail("%v and %v have begun, and do not touch", k[0], k[1])
		}
	}
	for k := range touching {
		back := [2]world.Shape{k[1], k[0]}
		if !p.open[k] && !p.open[back] {
			fail("%v and %v touch, and no event has told of it", k[0], k[1])
		}
		if both := must(p.Shape(k[0])).Sensor && must(p.Shape(k[1])).Sensor; p.open[k] && p.open[back] != both {
			fail("%v and %v: both are sensors: %v, both have events: %v", k[0], k[1], both, !both)
		}
		if a, b := owner[k[0]], owner[k[1]]; !p.mayCollide(a, k[0], b, k[1]) {
			fail("%v and %v touch, and may not collide", k[0], k[1])
		}
	}
	for _, b := range p.bodies {
		now := p.info(b.Body)
		if b.fixed && now.Angle != b.was.Angle {
			fail("%v is of fixed rotation, and has turned from %v to %v", b.Body, b.was.Angle, now.Angle)
		}
		if b.kind == world.Kinematic && !b.disabled && b.was.Awake {
			x := b.was.Position.X + b.was.Velocity.X/p.rate
			if math.Abs(now.Position.X-x) > 1e-6 || b.was.Velocity != (world.Vec{}) && !now.Awake {
				fail("%v is kinematic, moves at %v, and has gone from %v to %v, awake: %v", b.Body, b.was.Velocity, b.was.Position, now.Position, now.Awake)
			}
		}
		if b.disabled {
			continue
		}
		for s, d := range b.shapes {
			near := map[world.Shape]bool{}
			margin := .05 + p.goes(b, now)
			p.overlap(b, grown(d, margin+.1), now, func(o world.Shape) { near[o] = true })
			for k := range touching {
				if o := k[0] ^ k[1] ^ s; (k[0] == s || k[1] == s) && !near[o] && p.goes(owner[o], p.info(owner[o].Body)) < .05 {
					fail("%v and %v touch, and are far apart", s, o)
				}
			}
			p.overlap(b, grown(d, -margin), now, func(o world.Shape) {
				other := owner[o]
				polygons := d.Kind == world.PolygonShape && other.shapes[o].Kind == world.PolygonShape
				if polygons && p.way != world.SoftStep && !d.Sensor && !other.shapes[o].Sensor {
					return // the library finds no points for some shapes that overlap deeply
				}
				if woke := now.Awake && !b.was.Awake || p.info(other.Body).Awake && !other.was.Awake; woke && !d.Sensor && !other.shapes[o].Sensor {
					return // a step may have handled the two bodies before one of them woke
				}
				if p.way == world.SoftStep && !now.Awake && !p.info(other.Body).Awake && b.kind != world.Static && other.kind != world.Static && !d.Sensor && !other.shapes[o].Sensor {
					return // the contact of two sleepers begins when one of them wakes
				}
				if !p.mayCollide(b, s, other, o) || p.goes(other, p.info(other.Body)) > .05 {
					return
				}
				p.found++
				if !now.Awake || !p.info(other.Body).Awake {
					p.sleeping++
				}
				if key := [2]world.Shape{min(s, o), max(s, o)}; !touching[key] {
					fail("%v (%v, awake: %v, sensor: %v) and %v (%v, awake: %v, sensor: %v) overlap by more than %.3f m and may collide, and do not touch",
						s, b.kind, now.Awake, d.Sensor, o, other.kind, p.info(other.Body).Awake, other.shapes[o].Sensor, margin)
				}
			})
		}
	}
}

// goes is an upper limit on the distance that any point of a body moves in the step.
func (p *pairs) goes(b *paired, now world.BodyInfo) float64 {
	speed := func(i world.BodyInfo) float64 {
		return math.Hypot(i.Velocity.X, i.Velocity.Y) + 2*math.Abs(i.AngularVelocity)
	}
	return 2*max(speed(b.was), speed(now))/p.rate + math.Hypot(now.Position.X-b.was.Position.X, now.Position.Y-b.was.Position.Y) + 2*math.Abs(now.Angle-b.was.Angle)
}

func (p *pairs) overlap(b *paired, d world.ShapeDef, at world.BodyInfo, f func(world.Shape)) {
	if d.Points == nil {
		return
	}
	var all []world.Shape
	p.worked(p.Query(world.QueryFilter{Sensors: true, Ignore: b.Body}).Overlap(d, at.Position, at.Angle, func(_ world.Body, s world.Shape) bool {
		all = append(all, s)
		return true
	}))
	for _, s := range all {
		f(s)
	}
}

// grown is a circle, capsule or box that is larger by a margin on all sides, or nil.
func grown(d *world.ShapeDef, by float64) world.ShapeDef {
	if d.Kind == world.CircleShape {
		if d.Radius+by <= .01 {
			return world.ShapeDef{}
		}
		return world.CircleAt(d.Points[0].X, d.Points[0].Y, d.Radius+by)
	}
	if d.Kind == world.CapsuleShape {
		if d.Radius+by <= .01 {
			return world.ShapeDef{}
		}
		return world.Capsule(d.Points[0], d.Points[1], d.Radius+by)
	}
	h := d.Points[2]
	if min(h.X, h.Y)+by <= .01 {
		return world.ShapeDef{}
	}
	return world.Box(h.X+by, h.Y+by)
}
