package soft_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/internal/harness/attack"
	"halfstep/internal/harness/worldhash"
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
		y.add(box2d.B2BodyType.B2_staticBody, box2d.B2Vec2{X: float64(i)*30 - 30}, 14, .5)
	}
	for range 50 + y.rng.IntN(100) {
		y.addAny()
	}
	for range y.rng.IntN(60) {
		y.join()
	}
	y.Stepper = soft.New(&w, soft.Options{Workers: workers, Active: y.set})
	y.ForceParallel()
	return y
}

func (y *garden) span(from, to float64) float64 { return from + float64((to-from)*y.rng.Float64()) }

// place is somewhere above one of the heaps.
func (y *garden) place() box2d.B2Vec2 {
	return box2d.B2Vec2{X: float64(y.rng.IntN(18))*5 - 42 + y.span(-.5, .5), Y: y.span(1, 6)}
}

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
	def.Filter = box2d.MakeB2Filter()
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
	y.add(kind, y.place(), y.span(.3, .6), y.span(.3, .6))
}

func (y *garden) join() {
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
		b.SetTransform(y.place(), y.span(-3, 3))
	case 4:
		b.SetLinearVelocity(box2d.B2Vec2{X: y.span(-20, 20), Y: y.span(-5, 20)})
	case 5:
		b.ApplyForce(box2d.B2Vec2{X: y.span(-50, 50)}, b.GetPosition(), y.rng.IntN(2) == 0)
	case 6:
		b.SetAwake(y.rng.IntN(2) == 0)
	case 7:
		if kind := uint8(y.rng.IntN(3)); kind != b.M_type {
			y.set.ContactsGo(b, nil)
			b.SetType(kind)
		}
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

// play returns a digest of each step and its callbacks, and in how many steps some
// contacts slept and others not.
func (y *garden) play(steps int) (digests []uint64, logs []string, mixed uint64) {
	defer y.Close()
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
		y.Stepper.Step(dt, 0, 0)
		if y.rng.IntN(2) == 0 {
			y.Refresh()
		}
		digests = append(digests, worldhash.World(y.B2World)^y.HashAll())
		logs = append(logs, strings.Join(y.log, "\n"))
		if i%10 == 0 && y.isMixed() {
			mixed += 10
		}
	}
	return digests, logs, mixed
}

// isMixed reports whether several contacts sleep and others do not.
func (y *garden) isMixed() bool {
	n, asleep := 0, 0
	for c := y.M_contactManager.M_contactList; c != nil; c = c.GetNext() {
		n++
		resting := func(b *box2d.B2Body) bool { return b.M_type == box2d.B2BodyType.B2_staticBody || !b.IsAwake() }
		if resting(c.GetFixtureA().M_body) && resting(c.GetFixtureB().M_body) {
			asleep++
		}
	}
	return asleep > 9 && n-asleep > 9
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
	want, logs, mixed := newGarden(seed, false, 1).play(steps)
	for _, workers := range []int{1, 3} {
		got, told, _ := newGarden(seed, true, workers).play(steps)
		for i := range want {
			if told[i] != logs[i] {
				t.Fatalf("seed %d, %d workers: other callbacks in step %d\n%s", seed, workers, i+1, firstOther(logs[i], told[i]))
			}
			if got[i] != want[i] {
				t.Fatalf("seed %d, %d workers: other bits after step %d", seed, workers, i+1)
			}
		}
	}
	return mixed
}

// firstOther returns the first line in which two texts differ.
func firstOther(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	i := 0
	for i < len(x) && i < len(y) && x[i] == y[i] {
		i++
	}
	return fmt.Sprintf("all looked at: %q\ntold: %q", x[i:min(i+2, len(x))], y[i:min(i+2, len(y))])
}

func TestWhatSleepsHasTheBitsThatALookAtEverythingGivesIt(t *testing.T) {
	mixed := uint64(0)
	n := worlds(4)
	for i := range n {
		mixed += sleepers(t, uint64(*first+i), 300)
	}
	if mixed < uint64(n)*60 {
		t.Errorf("a dull test: in %d of %d steps some bodies slept and others did not", mixed, n*300)
	}
}

// What a step looks at is what is awake, was edited or fell asleep.
func TestAStepLooksAtNoMoreBodiesWhereMoreSleep(t *testing.T) {
	work := func(asleep int) (most int) {
		w := box2d.MakeB2World(box2d.B2Vec2{Y: -10})
		set := active.New(&w, true)
		y := &garden{B2World: &w, set: set, rng: rand.New(rand.NewPCG(1, 1))}
		half := float64(asleep) + 300
		y.add(box2d.B2BodyType.B2_staticBody, box2d.B2Vec2{}, half, .5)
		for i := range asleep {
			y.add(box2d.B2BodyType.B2_dynamicBody, box2d.B2Vec2{X: 200 + float64(i), Y: .9}, .4, .4)
			y.bodies[len(y.bodies)-1].SetAwake(false)
		}
		for i := range 100 {
			y.add(box2d.B2BodyType.B2_dynamicBody, box2d.B2Vec2{X: float64(i)*2 - 100, Y: 2}, .4, .4)
			y.bodies[len(y.bodies)-1].SetSleepingAllowed(false)
		}
		s := soft.New(&w, soft.Options{Workers: 1, Active: set})
		defer s.Close()
		for i := range 120 {
			s.Step(1./60, 0, 0)
			if i == 100 { // an edit of what lies below all costs no look at what lies on it
				w.M_bodyList.SetLinearVelocity(box2d.B2Vec2{Y: 5})
				set.Edit(w.M_bodyList)
				set.Edit(y.bodies[0])
			}
			if i > 80 { // whoever was made asleep has woken with its contact and sleeps again
				most = max(most, s.Looked())
			}
		}
		if n := w.M_contactManager.M_contactCount; n < asleep {
			t.Fatalf("%d contacts of %d bodies", n, asleep)
		}
		return most
	}
	few, many := work(200), work(20000)
	t.Log(few, many)
	if few != many || few < 200 {
		t.Errorf("a step looks at %d bodies and contacts with 200 asleep, at %d with 20,000", few, many)
	}
}

// TestAttackSoftSleepers is TestWhatSleeps… for as long as it is told.
func TestAttackSoftSleepers(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		mixed := sleepers(t, r.Uint64(), 300)
		a.Count("steps", 300)
		a.Count("of them with sleepers", mixed)
	}
}
