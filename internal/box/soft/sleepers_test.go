package soft_test

import (
	"strings"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/box/soft"
	"halfstep/test/attack"
	"halfstep/test/garden"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/test/worldhash"
)

func playGarden(seed uint64, told bool, workers, steps int) garden.Played {
	y := garden.Alternating(seed, told)
	y.Extends = seed%2 == 0
	s := soft.New(y.B2World, soft.Options{Workers: workers, Active: y.Set, Listener: ofLibrary(y.B2World)})
	defer s.Close()
	s.ForceParallel()
	step := func(dt float64) {
		s.Step(dt, 0, 0)
		if err := s.Validate(); told && err != nil {
			panic(err)
		}
	}
	return y.Play(steps, step, func() uint64 {
		return worldhash.Objects(y.B2World) ^ s.HashAll()
	})
}

// sleepers compares two equal worlds. The edits of one are reported to its Set. In the
// other world each step checks everything. It returns the number of steps in which some
// bodies slept and others did not.
func sleepers(t testing.TB, seed uint64, steps int) (mixed uint64) {
	t.Helper()
	defer soft.CutFinely()()
	want := playGarden(seed, false, 1, steps)
	for _, workers := range []int{1, 3} {
		if d := garden.FirstDifference(want, playGarden(seed, true, workers, steps)); d != "" {
			t.Fatalf("seed %d, %d workers: %s", seed, workers, d)
		}
	}
	return want.Mixed
}

func TestWhatSleepsHasTheBitsThatALookAtEverythingGivesIt(t *testing.T) {
	norace.Only(t) // a single world may have too few steps in which only some bodies sleep
	mixed := uint64(0)
	n, steps := worlds(whole.Rounds(4, 2)), 300
	for i := range n {
		mixed += sleepers(t, uint64(*first+i), steps)
	}
	if mixed < uint64(n*steps/5) {
		t.Errorf("a dull test: in %d of %d steps some bodies slept and others did not", mixed, n*steps)
	}
}

// A step checks only bodies that are awake, were edited, or fell asleep.
func TestAStepLooksAtNoMoreBodiesWhereMoreSleep(t *testing.T) {
	norace.Only(t)
	work := func(asleep int) (most int) {
		y := garden.Empty()
		w, set := y.B2World, y.Set
		half := float64(asleep) + 300
		y.Add(box2d.B2BodyType.B2_staticBody, box2d.B2Vec2{}, half, .5)
		for i := range asleep {
			y.Add(box2d.B2BodyType.B2_dynamicBody, box2d.B2Vec2{X: 200 + float64(i), Y: .9}, .4, .4)
			w.M_bodyList.SetAwake(false)
		}
		for i := range 100 {
			y.Add(box2d.B2BodyType.B2_dynamicBody, box2d.B2Vec2{X: float64(i)*2 - 100, Y: 2}, .4, .4)
			w.M_bodyList.SetSleepingAllowed(false)
		}
		s := soft.New(w, soft.Options{Workers: 1, Active: set})
		defer s.Close()
		for i := range 120 {
			s.Step(1./60, 0, 0)
			if i == 100 { // an edit of the body below all others does not make the step check the bodies on it
				w.M_bodyList.SetLinearVelocity(box2d.B2Vec2{Y: 5})
				set.Edit(w.M_bodyList)
				set.Edit(y.Bodies()[0])
			}
			if i > 80 { // bodies that were made asleep have woken with their contacts, and sleep again
				most = max(most, s.Looked())
			}
		}
		if n := set.Contacts.Count(); n < asleep {
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

func TestAStepLoadsTheRowsOfBodiesThatWereEditedAndNoOthers(t *testing.T) {
	norace.Only(t)
	y := garden.Empty()
	y.Add(box2d.B2BodyType.B2_staticBody, box2d.B2Vec2{}, 300, .5)
	for i := range 100 {
		y.Add(uint8(1+i%2), box2d.B2Vec2{X: float64(i)*2 - 100, Y: 2}, .4, .4)
		y.B2World.M_bodyList.SetSleepingAllowed(i%4 < 2)
	}
	s := soft.New(y.B2World, soft.Options{Workers: 1, Active: y.Set})
	defer s.Close()
	slept, most := 0, 0 // the number of bodies that fell asleep in the step before
	for i := range 120 {
		if i == 20 || i == 100 {
			y.B2World.M_bodyList.SetLinearVelocity(box2d.B2Vec2{Y: 5})
			y.Set.Edit(y.B2World.M_bodyList)
		}
		s.Step(1./60, 0, 0)
		if err := s.Validate(); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		want := slept
		switch i {
		case 0, 1: // values that are for the first step only are reset in the second step
			want = 101
		case 20, 21, 100, 101:
			want = 1
		}
		if n := s.Loaded(); n != want {
			t.Errorf("step %d loads the rows of %d bodies, not of %d", i, n, want)
		}
		slept = 0
		for _, n := range y.Set.Bodies.Active {
			if !b2.IsAwake(y.Set.Bodies.All[n].B) {
				slept++
			}
		}
		most = max(most, slept)
	}
	if most == 0 {
		t.Error("no body fell asleep")
	}
	s.SpoilRow(50)
	if err := s.Validate(); err == nil || !strings.HasPrefix(err.Error(), "bodies[50]") {
		t.Errorf("a row that no step would load so: %v", err)
	}
}

// The friction of a contact is set while the bodies sleep. A new contact then wakes them
// in the middle of a step.
func TestFrictionIsReadAgainInTheStepInWhichANewContactWakesABody(t *testing.T) {
	norace.Only(t)
	sleepers(t, 16087768456441013578, 160)
}

// A new stepper numbers the objects of the world. If a joint is destroyed before the first
// step, the lists are as empty as they were before the numbering.
func TestABodyWhoseJointWentBeforeTheFirstStepFallsFreely(t *testing.T) {
	fall := func(joined bool) box2d.B2Vec2 {
		w := box2d.MakeB2World(box2d.B2Vec2{Y: -10})
		var bodies [2]*box2d.B2Body
		for i := range bodies {
			def := box2d.MakeB2BodyDef()
			def.Type, def.Position.Y = uint8(2*i), float64(-3*i)
			bodies[i] = w.CreateBody(&def)
			shape := box2d.MakeB2CircleShape()
			shape.M_radius = .5
			bodies[i].CreateFixture(&shape, 1)
		}
		def := box2d.MakeB2RevoluteJointDef()
		def.Initialize(bodies[0], bodies[1], box2d.B2Vec2{X: 1})
		j := w.CreateJoint(&def)
		if !joined {
			w.DestroyJoint(j)
		}
		s := soft.New(&w, soft.Options{Workers: 1})
		defer s.Close()
		if joined {
			w.DestroyJoint(j)
		}
		for range 10 {
			s.Step(1./60, 0, 0)
		}
		return bodies[1].GetPosition()
	}
	if want, got := fall(false), fall(true); got != want || want.Y > -3.1 {
		t.Errorf("it is at %v, not at %v", got, want)
	}
}

// TestAttackSoftSleepers does the same as TestWhatSleeps… for a duration that an option
// sets.
func TestAttackSoftSleepers(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		mixed := sleepers(t, r.Uint64(), 300)
		a.Count("steps", 300)
		a.Count("of them with sleepers", mixed)
	}
}
