package fast_test

import (
	"errors"
	"testing"

	"halfstep/box/fast"

	"github.com/ByteArena/box2d"
)

// onBegin calls f in BeginContact.
type onBegin struct {
	panicky
	f func()
}

func (o *onBegin) BeginContact(box2d.B2ContactInterface) { o.f() }

// drop is a world in which a fast body is about to fall through a floor.
func drop() *box2d.B2World {
	w, bodies := pile(2)
	bodies[1].SetTransform(box2d.MakeB2Vec2(0, 3), 0)
	bodies[1].SetLinearVelocity(box2d.MakeB2Vec2(0, -300))
	return w
}

func failure(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

var errGivenUp, errCrowded = errors.New("given up"), errors.New("crowded")

func TestAStepCanBeFollowedAndGivenUpInContinuousCollision(t *testing.T) {
	w := drop()
	var watch fast.Watch
	s := fast.New(w, fast.Options{Workers: 1, Watch: &watch})
	defer s.Close()
	seen := 0
	w.SetContactListener(&onBegin{f: func() {
		if watch.Continuous() {
			seen++
		}
		watch.Interrupt(errGivenUp)
	}})
	if watch.Continuous() || watch.Interrupted() != nil {
		t.Error("before the step")
	}
	err, _ := failure(func() {
		for range 5 {
			s.Step(1.0/60, 8, 3)
		}
	}).(error)
	if !errors.Is(err, errGivenUp) {
		t.Errorf("the step ended with %v", err)
	}
	if seen != 1 || watch.Continuous() {
		t.Errorf("seen %d times, and after the step: %v", seen, watch.Continuous())
	}
}

func TestASearchThatFindsTooManyPairsEndsTheStep(t *testing.T) {
	for _, c := range []struct {
		most    int
		crowded bool
	}{{0, false}, {100, false}, {3, true}} {
		w, _ := pile(12)
		s := fast.New(w, fast.Options{Workers: 1, MaxPairs: c.most, TooManyPairs: errCrowded})
		err, _ := failure(func() { s.Step(1.0/60, 8, 3) }).(error)
		if errors.Is(err, errCrowded) != c.crowded {
			t.Errorf("at most %d pairs: %v", c.most, err)
		}
		s.Close()
	}
}
