package fast_test

import (
	"testing"

	"halfstep/box/fast"
	"halfstep/internal/box/b2"
	"halfstep/test/worldhash"

	"github.com/ByteArena/box2d"
)

// box adds a box to a world.
func box(w *box2d.B2World, kind uint8, x, y, hx, hy float64, edit func(*box2d.B2BodyDef)) *box2d.B2Body {
	def := box2d.MakeB2BodyDef()
	def.Type, def.Position = kind, box2d.MakeB2Vec2(x, y)
	if edit != nil {
		edit(&def)
	}
	b := w.CreateBody(&def)
	shape := box2d.MakeB2PolygonShape()
	shape.SetAsBox(hx, hy)
	fd := box2d.MakeB2FixtureDef()
	fd.Shape, fd.Density, fd.Filter = &shape, 1, box2d.MakeB2Filter()
	b.CreateFixtureFromDef(&fd)
	return b
}

// A lift sleeps, and so does the box on it. An impact wakes the lift, and in the
// same step the box has an impact of its own, because it is too close.
func TestContactsOfABodyThatAnImpactWakesAreLookedAtAgain(t *testing.T) {
	const kinematic, dynamic = 1, 2
	play := func(quick bool) (hash uint64, slept, woke bool) {
		w := box2d.MakeB2World(box2d.MakeB2Vec2(0, -10))
		w.SetContactFilter(&box2d.B2ContactFilter{})
		lift := box(&w, kinematic, 0, 0, 20, .5, nil)
		lying := box(&w, dynamic, 3, 1, .5, .5, nil)
		hanging := box(&w, dynamic, -3, 1.07, .5, .5, func(d *box2d.B2BodyDef) { d.GravityScale, d.AllowSleep = 0, false })
		step := w.Step
		if quick {
			s := fast.New(&w, fast.Options{Workers: 1})
			defer s.Close()
			step = s.Step
		}
		for range 120 {
			step(1.0/60, 8, 3)
		}
		slept = !lift.IsAwake() && !lying.IsAwake()
		lying.SetTransform(box2d.MakeB2Vec2(3, 1.004), 0)
		hanging.SetLinearVelocity(box2d.MakeB2Vec2(0, -60))
		step(1.0/60, 8, 3)
		return worldhash.World(&w), slept, lying.IsAwake()
	}
	want, slept, woke := play(false)
	if !slept || !woke {
		t.Errorf("slept: %v, woke: %v: the test compares nothing", slept, woke)
	}
	if got, _, _ := play(true); got != want {
		t.Error("other bits")
	}
}

// TestImpactsLookAtTheContactsTheyChange counts the contacts that continuous
// collision checks while n boxes land on the same ground, each with an impact of
// its own.
func TestImpactsLookAtTheContactsTheyChange(t *testing.T) {
	const dynamic = 2
	looks := func(n int) int {
		w := box2d.MakeB2World(box2d.MakeB2Vec2(0, -10))
		w.SetContactFilter(&box2d.B2ContactFilter{})
		box(&w, 0, 0, 0, float64(n)*2, .5, nil)
		for i := range n {
			box(&w, dynamic, float64(i-n/2)*2, 1.1, .5, .5, func(d *box2d.B2BodyDef) { d.LinearVelocity.Y = -20 })
		}
		s := fast.New(&w, fast.Options{Workers: 1})
		defer s.Close()
		for range 3 {
			s.Step(1.0/60, 8, 3)
		}
		return s.TOILooks()
	}
	few, many := looks(100), looks(1600)
	if few < 300 || many > 20*few {
		t.Errorf("100 boxes: %d looks; 16 times as many boxes: %d", few, many)
	}
}

// Every new pair is tested for a joint that keeps its bodies apart. For a body
// with many joints, the test looks at no more joints than the other body has.
func TestAPairIsTestedAgainstTheShorterListOfJoints(t *testing.T) {
	w := box2d.MakeB2World(box2d.MakeB2Vec2(0, -10))
	ground := box(&w, 0, 0, 0, 20, .5, nil)
	var boxes []*box2d.B2Body
	for i := range 3 {
		b := box(&w, 2, float64(i)*2, 1, .5, .5, nil)
		def := box2d.MakeB2WeldJointDef()
		def.BodyA, def.BodyB, def.CollideConnected = ground, b, i == 1
		w.CreateJoint(&def)
		boxes = append(boxes, b)
	}
	boxes = append(boxes, box(&w, 2, 6, 1, .5, .5, nil))
	for i, want := range []bool{false, true, false, true} {
		if b2.ShouldCollide(ground, boxes[i]) != want || b2.ShouldCollide(boxes[i], ground) != want {
			t.Errorf("box %d: not %v", i, want)
		}
	}
	// a walk through this list beyond the end of the other list meets this joint and
	// panics
	last := ground.M_jointList
	for last.Next != nil {
		last = last.Next
	}
	last.Next = &box2d.B2JointEdge{Other: boxes[3]}
	if !b2.ShouldCollide(ground, boxes[3]) {
		t.Error("the ground's own list was walked")
	}
}
