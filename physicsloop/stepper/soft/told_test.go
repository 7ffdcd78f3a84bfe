package soft_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/internal/attack"
	"halfstep/internal/worldhash"
	"halfstep/physicsloop/stepper/active"
	"halfstep/physicsloop/stepper/soft"
)

// garden is a world with heaps that fall asleep. Its Set is told of every edit, or it
// has none and every step looks at everything.
type garden struct {
	*box2d.B2World
	*soft.Stepper
	set    *active.Set
	rng    *rand.Rand
	bodies []*box2d.B2Body
	joints []box2d.B2JointInterface
	log    []string // callbacks of this step
	made   int
}

func newGarden(seed uint64, told bool, workers int) *garden {
	w := box2d.MakeB2World(box2d.B2Vec2{Y: -10})
	y := &garden{B2World: &w, rng: rand.New(rand.NewPCG(seed, 25))}
	if told {
		y.set = active.New(&w, true)
	}
	switch y.rng.IntN(3) {
	case 0:
		w.SetContactListener(gardenListener{y})
	case 1:
		w.SetContactListener(quietGardenListener{gardenListener{y}})
	}
	w.SetContactFilter(&box2d.B2ContactFilter{})
	w.SetAutoClearForces(y.rng.IntN(2) == 0)
	for i := range 3 {
		y.add(box2d.B2BodyType.B2_staticBody, box2d.B2Vec2{X: float64(i)*42 - 42}, 20, .5)
	}
	for range 30 + y.rng.IntN(60) {
		y.addAny()
	}
	for range y.rng.IntN(8) {
		y.join()
	}
	y.Stepper = soft.New(&w, soft.Options{Workers: workers, Active: y.set})
	y.ForceParallel()
	return y
}

func (y *garden) span(from, to float64) float64 { return from + float64((to-from)*y.rng.Float64()) }

func (y *garden) any() *box2d.B2Body { return y.bodies[y.rng.IntN(len(y.bodies))] }

func (y *garden) add(kind uint8, at box2d.B2Vec2, hx, hy float64) {
	def := box2d.MakeB2BodyDef()
	def.Type, def.Position = kind, at
	def.Awake = kind != box2d.B2BodyType.B2_dynamicBody || y.rng.IntN(3) > 0
	b := y.CreateBody(&def)
	b.SetUserData(y.made)
	y.made++
	y.fixture(b, hx, hy)
	y.bodies = append(y.bodies, b)
	y.set.Edit(b)
}

func (y *garden) fixture(b *box2d.B2Body, hx, hy float64) {
	def := box2d.MakeB2FixtureDef()
	def.Density, def.Friction, def.IsSensor = 1, .5, y.rng.IntN(12) == 0
	if y.rng.IntN(4) > 0 {
		s := box2d.MakeB2PolygonShape()
		s.SetAsBox(hx, hy)
		def.Shape = &s
	} else {
		s := box2d.MakeB2CircleShape()
		s.M_radius = hy
		def.Shape = &s
	}
	b.CreateFixtureFromDef(&def)
}

func (y *garden) addAny() {
	kind := uint8(2)
	if y.rng.IntN(15) == 0 {
		kind = uint8(y.rng.IntN(2))
	}
	y.add(kind, box2d.B2Vec2{X: y.span(-50, 50), Y: y.span(1, 8)}, y.span(.3, .6), y.span(.3, .6))
}

func (y *garden) join() {
	a, b := y.any(), y.any()
	if a == b {
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
	y.set.JointMade(j)
	y.set.Flagged(b)
}

func (y *garden) part(j box2d.B2JointInterface) {
	y.joints = slices.DeleteFunc(y.joints, func(o box2d.B2JointInterface) bool { return o == j })
	y.set.JointGoes(j)
	y.DestroyJoint(j)
	y.set.Flagged(j.GetBodyB())
}

func (y *garden) drop(b *box2d.B2Body) {
	for b.M_jointList != nil {
		y.part(b.M_jointList.Joint)
	}
	y.bodies = slices.DeleteFunc(y.bodies, func(o *box2d.B2Body) bool { return o == b })
	y.set.BodyGoes(b)
	y.DestroyBody(b)
}

// edit does to the world what users do, and tells the Set.
func (y *garden) edit() {
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
		b.SetTransform(box2d.B2Vec2{X: y.span(-50, 50), Y: y.span(1, 8)}, y.span(-3, 3))
	case 4:
		b.SetLinearVelocity(box2d.B2Vec2{X: y.span(-20, 20), Y: y.span(-5, 20)})
	case 5:
		b.ApplyForce(box2d.B2Vec2{X: y.span(-50, 50)}, b.GetPosition(), y.rng.IntN(2) == 0)
	case 6:
		b.SetAwake(y.rng.IntN(2) == 0)
	case 7:
		y.set.ContactsGo(b, nil)
		b.SetType(uint8(y.rng.IntN(3)))
	case 8:
		y.set.ContactsGo(b, nil)
		b.SetActive(!b.IsActive())
	case 9:
		y.fixture(b, .3, .3)
	case 10:
		if b.M_fixtureCount > 1 {
			y.set.ContactsGo(b, f)
			b.DestroyFixture(f)
		}
	case 11:
		f.SetSensor(!f.M_isSensor)
	case 12:
		filter := box2d.MakeB2Filter()
		filter.GroupIndex = int16(-y.rng.IntN(2))
		f.SetFilterData(filter)
		y.set.Flagged(b)
	case 13:
		f.SetFriction(y.span(0, 1))
		for e := b.M_contactList; e != nil; e = e.Next {
			e.Contact.ResetFriction()
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
	y.set.Edit(b)
}

// meddle does so without telling what it was.
func (y *garden) meddle() {
	y.set.LookAtAll()
	set := y.set
	y.set = nil
	for range 1 + y.rng.IntN(4) {
		y.edit()
	}
	if y.rng.IntN(4) == 0 {
		y.M_contactManager.FindNewContacts()
	}
	y.set = set
}

// play returns a digest of each step, and how many bodies slept after it.
func (y *garden) play(steps int) (digests []uint64, logs []string, asleep []int) {
	defer y.Close()
	for i := range steps {
		switch {
		case i%100 > 55: // time to fall asleep
			if i%10 == 0 {
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
		y.Stepper.Step(dt, 0, 0)
		if y.rng.IntN(2) == 0 {
			y.Refresh()
		}
		digests = append(digests, worldhash.World(y.B2World)^y.HashAll())
		logs = append(logs, strings.Join(y.log, "\n"))
		n := 0
		for _, b := range y.bodies {
			if b.M_type != 0 && !b.IsAwake() {
				n++
			}
		}
		asleep = append(asleep, n)
	}
	return digests, logs, asleep
}

type gardenListener struct{ y *garden }

func (l gardenListener) note(what string, c box2d.B2ContactInterface, more ...any) {
	l.y.log = append(l.y.log, fmt.Sprint(what, c.GetFixtureA().M_body.M_userData, c.GetFixtureB().M_body.M_userData, c.GetManifold().PointCount, more))
}

func (l gardenListener) BeginContact(c box2d.B2ContactInterface) { l.note("begin ", c) }
func (l gardenListener) EndContact(c box2d.B2ContactInterface)   { l.note("end ", c) }
func (l gardenListener) PreSolve(c box2d.B2ContactInterface, _ box2d.B2Manifold) {
	l.note("pre ", c)
}
func (l gardenListener) PostSolve(c box2d.B2ContactInterface, i *box2d.B2ContactImpulse) {
	l.note("post ", c, *i)
}

// quietGardenListener wants to be told little, as package world does.
type quietGardenListener struct{ gardenListener }

func (quietGardenListener) WantsPreSolve() bool                              { return false }
func (quietGardenListener) WantsPostSolve() bool                             { return false }
func (quietGardenListener) Stops(_, _ *box2d.B2Fixture, _ box2d.B2Vec2) bool { return true }

// sleepers compares a world whose Set is told of every edit with one of which each step
// looks at everything. It returns in how many steps some bodies slept and others not.
func sleepers(t testing.TB, seed uint64, steps int) (mixed uint64) {
	t.Helper()
	defer soft.CutFinely()()
	want, logs, asleep := newGarden(seed, false, 1).play(steps)
	for _, workers := range []int{1, 3} {
		y := newGarden(seed, true, workers)
		got, told, _ := y.play(steps)
		for i := range want {
			if told[i] != logs[i] {
				t.Fatalf("seed %d, %d workers: other callbacks in step %d\nall looked at:\n%s\ntold:\n%s", seed, workers, i+1, logs[i], told[i])
			}
			if got[i] != want[i] {
				t.Fatalf("seed %d, %d workers: other bits after step %d\n%s", seed, workers, i+1, logs[i])
			}
		}
		for i := range asleep {
			if asleep[i] > 5 && asleep[i] < len(y.bodies)-5 {
				mixed++
			}
		}
	}
	return mixed
}

func TestWhatSleepsHasTheBitsThatALookAtEverythingGivesIt(t *testing.T) {
	mixed := uint64(0)
	n := worlds(12)
	for i := range n {
		mixed += sleepers(t, uint64(*first+i), 300)
	}
	if mixed < uint64(n)*100 {
		t.Errorf("a dull test: in %d of %d steps some bodies slept and others did not", mixed, n*600)
	}
}

// TestAttackSoftSleepers is TestWhatSleeps… for as long as it is told.
func TestAttackSoftSleepers(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		mixed := sleepers(t, r.Uint64(), 300)
		a.Count("steps", 600)
		a.Count("of them with sleepers", mixed)
	}
}
