package soft_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"halfstep/internal/box"
	"halfstep/internal/box/soft"

	"github.com/ByteArena/box2d"
)

// Two bodies meet at 16 m/s, at any time during a step. In a step they move by
// more than their size.
func TestFastBodiesDoNotMeetDeepInEachOther(t *testing.T) {
	for name, other := range map[string]func(y *yard) (*box2d.B2Body, float64){
		"box": func(y *yard) (*box2d.B2Body, float64) {
			b := y.box(2, 2, .02, .125, .125, 1)
			b.SetLinearVelocity(box2d.B2Vec2{X: -6})
			return b, .125
		},
		"disc": func(y *yard) (*box2d.B2Body, float64) {
			b := y.disc(2, 0, .125, 1)
			b.SetLinearVelocity(box2d.B2Vec2{X: -6})
			return b, .125
		},
		"moving wall": func(y *yard) (*box2d.B2Body, float64) {
			b := y.box(1, 2, 0, .5, 5, 0)
			b.SetLinearVelocity(box2d.B2Vec2{X: -6})
			return b, .5
		},
		"wall": func(y *yard) (*box2d.B2Body, float64) { return y.box(0, 2, 0, .5, 5, 0), .5 },
		"box at rest": func(y *yard) (*box2d.B2Body, float64) {
			y.SetAllowSleeping(true)
			b := y.box(2, 2, .02, .125, .125, 1)
			b.SetAwake(false)
			return b, .125
		},
	} {
		deepest := 0.0
		for phase := range 10 {
			y := yards(t)["soft"]
			y.SetGravity(box2d.B2Vec2{})
			shot := y.box(2, -.02*float64(phase), 0, .125, .125, 1)
			shot.SetLinearVelocity(box2d.B2Vec2{X: 10})
			to, half := other(y)
			shot.SetFixedRotation(true)
			to.SetFixedRotation(true)
			for range 60 {
				y.run(1. / 60)
				deepest = max(deepest, shot.GetPosition().X+.125+half-to.GetPosition().X)
			}
			if shot.GetPosition().X > to.GetPosition().X {
				t.Errorf("%s: passed", name)
			}
		}
		t.Logf("%s: %.1f mm", name, 1e3*deepest)
		if deepest > .021 {
			t.Errorf("%s: they lay %v m in each other", name, deepest)
		}
	}
}

// begins counts the contacts that begin to touch.
type begins struct {
	n int
	library
}

func (l *begins) BeginContact(box.Contact, float64)              { l.n++ }
func (l *begins) EndContact(box.Contact)                         {}
func (l *begins) PreSolve(box.Contact)                           {}
func (l *begins) PostSolve(box.Contact, *box2d.B2ContactImpulse) {}

func TestFastBodiesThatPassEachOtherDoNotTouch(t *testing.T) {
	for phase := range 10 {
		l := &begins{}
		y := yards(t, l)["soft"]
		y.SetGravity(box2d.B2Vec2{})
		one, two := y.box(2, -.03*float64(phase), 0, .125, .125, 1), y.box(2, 2, .28, .125, .125, 1) // 3 cm apart
		one.SetLinearVelocity(box2d.B2Vec2{X: 12})
		two.SetLinearVelocity(box2d.B2Vec2{X: -7})
		behind := y.box(2, one.GetPosition().X-.3, 0, .125, .125, 1) // 5 cm
		behind.SetLinearVelocity(box2d.B2Vec2{X: 12})
		y.run(.5)
		if l.n > 0 || one.GetLinearVelocity() != (box2d.B2Vec2{X: 12}) || two.GetLinearVelocity() != (box2d.B2Vec2{X: -7}) {
			t.Errorf("%d contacts have begun; they fly at %v and %v", l.n, one.GetLinearVelocity(), two.GetLinearVelocity())
		}
	}
}

// The box presses itself into the floor by some millimetres. Without predict it
// would run into the side of the next plank.
func TestAFastBoxDoesNotTripOverTheJointsOfAFloor(t *testing.T) {
	y := yards(t)["soft"]
	for i := range 60 {
		y.box(1, float64(i), -.1, .5, .1, 0)
	}
	box := y.box(2, 0, .25, .25, .25, 1)
	box.GetFixtureList().SetFriction(0)
	y.SetGravity(box2d.B2Vec2{Y: -60})
	box.SetLinearVelocity(box2d.B2Vec2{X: 18})
	highest, turn := 0.0, 0.0
	for range 180 {
		y.run(1. / 60)
		highest, turn = max(highest, box.GetPosition().Y), max(turn, math.Abs(box.GetAngle()))
	}
	t.Logf("%.1f mm high, turned by %.4f, at %v", 1e3*highest, turn, box.GetLinearVelocity())
	if highest > .26 || turn > .02 || box.GetLinearVelocity().X < 17.9 {
		t.Errorf("it went up to %v m, turned by %v rad and now goes at %v", highest, turn, box.GetLinearVelocity())
	}
}

// The plank lands on one end, while the other end is a hand's breadth above the
// ground.
func TestTheOtherEndOfAPlankDoesNotSinkIn(t *testing.T) {
	deepest := 0.0
	for phase := range 10 {
		y := yards(t)["soft"]
		y.ground()
		plank := y.box(2, 0, .2, 1, .05, 1)
		plank.SetTransform(box2d.B2Vec2{Y: .2 + .005*float64(phase)}, .06)
		plank.SetLinearVelocity(box2d.B2Vec2{Y: -3})
		for range 60 {
			y.run(1. / 60)
			for _, x := range []float64{-1, 1} {
				deepest = max(deepest, -plank.GetWorldPoint(box2d.B2Vec2{X: x, Y: -.05}).Y)
			}
		}
	}
	t.Logf("%.1f mm", 1e3*deepest)
	if deepest > .02 {
		t.Errorf("it sank in by %v m", deepest)
	}
}

// The scene is chaotic: small differences change all later steps. It is therefore
// played several times, each time with slightly different positions of the boxes.
func TestBoxesInATumblerDoNotLieDeepInEachOther(t *testing.T) {
	if !*long {
		t.Skip("-long")
	}
	var all []float64
	for seed := range uint64(16) {
		w, bodies := soft.SceneWorld(t, "tumbler")
		r := rand.New(rand.NewPCG(seed, 0))
		for _, b := range bodies {
			if p := b.M_xf.P; b.M_type == 2 {
				b.SetTransform(box2d.B2Vec2{X: p.X + 1e-3*(r.Float64()-.5), Y: p.Y}, 0)
			}
		}
		s := soft.New(w, soft.Options{Workers: 1})
		defer s.Close()
		for i := range 500 {
			s.Step(1./60, 0, 0)
			if i >= 200 && i%10 == 9 {
				all = append(all, 1e3*s.MaxOverlap())
			}
		}
	}
	slices.Sort(all)
	median, most := all[len(all)/2], all[len(all)*9/10]
	t.Logf("of %d steps, the deepest pair of half is less than %.0f mm deep, of nine tenths %.0f mm, of all %.0f mm", len(all), median, most, all[len(all)-1])
	if median > 75 || most > 114 {
		t.Errorf("half of the steps have %v mm, a tenth of them %v mm", median, most)
	}
}
