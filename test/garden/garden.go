// Package garden makes random worlds with heaps of bodies that fall asleep, wake up
// and are edited. Tests use them to compare ways to step a world.
package garden

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/test/worldgen"
)

// Garden is a random world with heaps of bodies.
type Garden struct {
	*box2d.B2World
	Set *box.World // the owner of the world, to which edits are reported

	Extends bool // new joints get features that the library's joints do not have

	rng    *rand.Rand
	bodies []*box2d.B2Body
	joints []box2d.B2JointInterface
	log    []string // callbacks of this step
	made   int      // bodies made so far
	round  bool     // there are capsules, which the library does not have
}

// New makes the world for a seed. If told is true, edits are reported to the Set of
// the world.
func New(seed uint64, told bool) *Garden { return build(seed, told, false) }

// Alternating makes the world for a seed, like New, but with capsules if the seed is
// odd. The library has no capsules.
func Alternating(seed uint64, told bool) *Garden { return build(seed, told, seed%2 == 1) }

func build(seed uint64, told, round bool) *Garden {
	w := box2d.MakeB2World(box2d.B2Vec2{Y: -10})
	y := &Garden{B2World: &w, rng: rand.New(rand.NewPCG(seed, 25)), round: round}
	y.Set = box.New(&w, told)
	switch y.rng.IntN(3) {
	case 0:
		w.SetContactListener(listener{y})
	case 1:
		w.SetContactListener(quietListener{listener{y}})
	}
	w.SetContactFilter(&box2d.B2ContactFilter{})
	w.SetAutoClearForces(y.rng.IntN(2) == 0)
	for i := range 3 {
		y.Add(box2d.B2BodyType.B2_staticBody, box2d.B2Vec2{X: float64(i)*30 - 30}, 14, .5)
	}
	for range 50 + y.rng.IntN(100) {
		y.addAny()
	}
	for range y.rng.IntN(60) {
		y.join()
	}
	return y
}

// Empty returns a Garden without bodies.
func Empty() *Garden {
	w := box2d.MakeB2World(box2d.B2Vec2{Y: -10})
	return &Garden{B2World: &w, Set: box.New(&w, true), rng: rand.New(rand.NewPCG(1, 1))}
}

// Bodies are the bodies of the world, oldest first.
func (y *Garden) Bodies() []*box2d.B2Body { return y.bodies }

// Flip tosses a coin.
func (y *Garden) Flip() bool { return y.rng.IntN(2) == 0 }

func (y *Garden) span(from, to float64) float64 { return from + float64((to-from)*y.rng.Float64()) }

// place is a random point above one of the heaps.
func (y *Garden) place() box2d.B2Vec2 {
	return box2d.B2Vec2{X: float64(y.rng.IntN(18))*5 - 42 + y.span(-.5, .5), Y: y.span(1, 6)}
}

func (y *Garden) any() *box2d.B2Body { return y.bodies[y.rng.IntN(len(y.bodies))] }

// Add adds a body with a shape.
func (y *Garden) Add(kind uint8, at box2d.B2Vec2, hx, hy float64) {
	def := box2d.MakeB2BodyDef()
	def.Type, def.Position = kind, at
	def.Awake = kind != box2d.B2BodyType.B2_dynamicBody || y.rng.IntN(3) > 0
	b := y.CreateBody(&def)
	b.SetUserData(y.made)
	y.made++
	y.fixture(b, hx, hy)
	y.bodies = append(y.bodies, b)
	y.Set.Edit(b)
}

func (y *Garden) fixture(b *box2d.B2Body, hx, hy float64) {
	def := box2d.MakeB2FixtureDef()
	def.Filter = box2d.MakeB2Filter()
	def.Density, def.Friction, def.IsSensor = 1, .5, y.rng.IntN(12) == 0
	if y.round && y.rng.IntN(3) == 0 {
		def.Shape, _ = b2.NewRoundPolygon([]box2d.B2Vec2{{X: -hx}, {X: hx}}, hy)
	} else if y.rng.IntN(4) > 0 {
		s := box2d.MakeB2PolygonShape()
		s.SetAsBox(hx, hy)
		def.Shape = &s
	} else {
		s := box2d.MakeB2CircleShape()
		s.M_radius = hy
		def.Shape = &s
	}
	y.Set.CreateFixture(b, &def)
	b.ResetMassData()
}

func (y *Garden) addAny() {
	kind := uint8(2)
	if y.rng.IntN(15) == 0 {
		kind = uint8(y.rng.IntN(2))
	}
	y.Add(kind, y.place(), y.span(.3, .6), y.span(.3, .6))
}

func (y *Garden) join() {
	a, b := y.any(), y.any()
	if a == b || box2d.B2Vec2DistanceSquared(a.GetPosition(), b.GetPosition()) > 9 {
		return
	}
	var def box2d.B2JointDefInterface
	if y.rng.IntN(2) == 0 {
		d := box2d.MakeB2RevoluteJointDef()
		d.Initialize(a, b, a.GetPosition())
		d.CollideConnected = y.rng.IntN(2) == 0
		def = &d
	} else {
		d := box2d.MakeB2RopeJointDef()
		d.BodyA, d.BodyB, d.MaxLength = a, b, 3
		def = &d
	}
	j := y.CreateJoint(def)
	y.joints = append(y.joints, j)
	if y.Extends {
		worldgen.Extend(y.rng, j)
	}
	y.Set.JointMade(j)
	y.Set.Refilter(b)
}

func (y *Garden) part(j box2d.B2JointInterface) {
	y.joints = slices.DeleteFunc(y.joints, func(o box2d.B2JointInterface) bool { return o == j })
	y.Set.JointGoes(j)
	y.DestroyJoint(j)
	y.Set.Refilter(j.GetBodyB())
}

func (y *Garden) drop(b *box2d.B2Body) {
	for b.M_jointList != nil {
		y.part(b.M_jointList.Joint)
	}
	y.bodies = slices.DeleteFunc(y.bodies, func(o *box2d.B2Body) bool { return o == b })
	y.Set.DestroyBody(b)
}

// edit edits the world as a program does, and reports the edits to the Set.
func (y *Garden) edit() {
	b := y.any()
	f := b.M_fixtureList
	switch y.rng.IntN(17) {
	case 0, 1:
		y.addAny()
	case 2:
		if len(y.bodies) > 20 {
			y.drop(b)
		}
		return
	case 3:
		y.Set.SetTransform(b, y.place(), y.span(-3, 3))
	case 4:
		b.SetLinearVelocity(box2d.B2Vec2{X: y.span(-20, 20), Y: y.span(-5, 20)})
	case 5:
		b.ApplyForce(box2d.B2Vec2{X: y.span(-50, 50)}, b.GetPosition(), y.rng.IntN(2) == 0)
	case 6:
		b.SetAwake(y.rng.IntN(2) == 0)
	case 7:
		if kind := uint8(y.rng.IntN(3)); kind != b.M_type {
			y.Set.SetType(b, kind)
			b.ResetMassData()
		}
	case 8:
		y.Set.SetActive(b, !b.IsActive())
	case 9:
		y.fixture(b, .3, .3)
	case 10:
		if b.M_fixtureCount > 1 {
			y.Set.DestroyFixture(f, nil)
			b.ResetMassData()
		}
	case 11:
		y.Set.SetSensor(f, !f.M_isSensor)
	case 12:
		filter := box2d.MakeB2Filter()
		filter.GroupIndex = int16(-y.rng.IntN(2))
		f.M_filter = filter
		y.Set.RefilterShape(f)
	case 13:
		f.SetFriction(y.span(0, 1))
		for c := range y.Set.ContactsOf(b) {
			friction, restitution := b2.Mix(c.Shapes())
			y.Set.SetSurface(c, box.Surface{Friction: friction, Restitution: restitution, TangentSpeed: c.Surface().TangentSpeed})
		}
	case 14:
		y.join()
	case 15:
		if len(y.joints) > 0 {
			y.part(y.joints[y.rng.IntN(len(y.joints))])
		}
	case 16:
		b.SetBullet(!b.IsBullet())
	}
	y.Set.Edit(b)
}

// meddle edits the world after Set.Expose, as a program does that has the library's
// world.
func (y *Garden) meddle() {
	y.Set.Expose()
	for range 1 + y.rng.IntN(4) {
		y.edit()
	}
	if y.rng.IntN(4) == 0 {
		y.M_contactManager.FindNewContacts()
	}
	y.Set.TakeBack()
}

// Played is the record of a Play.
type Played struct {
	Digests []uint64 // hashes of the state after each step
	Logs    []string // Logs are the callbacks during the Play.
	Mixed   uint64   // the number of steps in which some contacts slept and others did not
}

// Play edits the world, advances it by step, and hashes its state by digest.
func (y *Garden) Play(steps int, step func(dt float64), digest func() uint64) (p Played) {
	for i := range steps {
		switch {
		case i%150 > 10: // time to fall asleep
			if i%10 == 0 && i%150 > 60 {
				y.edit()
			}
		case y.rng.IntN(3) == 0:
			for range 1 + y.rng.IntN(4) {
				y.edit()
			}
		case y.rng.IntN(20) == 0:
			y.meddle()
		}
		dt := 1. / 60
		if y.rng.IntN(30) == 0 {
			dt = 0
		}
		y.log = y.log[:0]
		step(dt)
		p.Digests = append(p.Digests, digest())
		p.Logs = append(p.Logs, strings.Join(y.log, "\n"))
		if i%10 == 0 && y.isMixed() {
			p.Mixed += 10
		}
	}
	return p
}

// FirstDifference describes the first step in which two runs differ. It is empty if
// they are the same.
func FirstDifference(want, got Played) string {
	for i := range want.Digests {
		if want.Logs[i] != got.Logs[i] {
			a, b := strings.Split(want.Logs[i], "\n"), strings.Split(got.Logs[i], "\n")
			k := 0
			for k < len(a) && k < len(b) && a[k] == b[k] {
				k++
			}
			return fmt.Sprintf("other callbacks in step %d\nwant: %q\ngot: %q", i+1, a[k:min(k+2, len(a))], b[k:min(k+2, len(b))])
		}
		if want.Digests[i] != got.Digests[i] {
			return fmt.Sprintf("other bits after step %d", i+1)
		}
	}
	return ""
}

func (y *Garden) isMixed() bool {
	n, asleep := 0, 0
	for c := range y.Set.EachContact() {
		n++
		a, b := c.Shapes()
		resting := func(b *box2d.B2Body) bool { return b.M_type == box2d.B2BodyType.B2_staticBody || !b.IsAwake() }
		if resting(a.M_body) && resting(b.M_body) {
			asleep++
		}
	}
	return asleep > 9 && n-asleep > 9
}

type listener struct{ y *Garden }

func (l listener) note(what string, c box2d.B2ContactInterface, more ...any) {
	l.y.log = append(l.y.log, fmt.Sprint(what, c.GetFixtureA().M_body.M_userData, c.GetFixtureB().M_body.M_userData, c.GetManifold().PointCount, more))
}

func (l listener) BeginContact(c box2d.B2ContactInterface) { l.note("begin ", c) }
func (l listener) EndContact(c box2d.B2ContactInterface)   { l.note("end ", c) }
func (l listener) PreSolve(c box2d.B2ContactInterface, _ box2d.B2Manifold) {
	l.note("pre ", c)
}
func (l listener) PostSolve(c box2d.B2ContactInterface, i *box2d.B2ContactImpulse) {
	l.note("post ", c, *i)
}

// quietListener needs no callbacks, like the listener of package world in a world
// without hooks.
type quietListener struct{ listener }

func (quietListener) WantsPreSolve() bool                              { return false }
func (quietListener) WantsPostSolve() bool                             { return false }
func (quietListener) Stops(_, _ *box2d.B2Fixture, _ box2d.B2Vec2) bool { return true }
