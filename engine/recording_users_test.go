package engine_test

import (
	"bytes"
	"math"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/world"
)

type ring struct{ Next *ring }

type team int

type ownUser struct{ Name string }

// users returns User values, and whether a recording keeps each of them.
func users() map[any]bool {
	cycle := &ring{}
	cycle.Next = cycle
	var none *ring
	all := map[any]bool{
		true: true, 7: true, int8(-7): true, uint64(1 << 63): true, 1.5: true, math.Inf(1): true, "red \xff": true, 2i: true,
		none: false, cycle: false, make(chan int): false, team(3): false, struct{ A, b int }{1, 2}: false,
		time.Second: false, ownUser{"x"}: false, &[]func(){nil}: false,
	}
	return all
}

func TestAUserValueOfAnyTypeLeavesTheRecordingWhole(t *testing.T) {
	for user, keeps := range users() {
		var file bytes.Buffer
		e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true, EventsAtOnce: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{
			W: &file, OnError: func(err error) { t.Errorf("%T: %v", user, err) },
		}}})
		if err != nil {
			t.Fatal(err)
		}
		shape := world.Circle(.3)
		shape.User = user
		def := world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: 9}, Shapes: []world.ShapeDef{shape}, User: user}
		a, b := e.CreateBody(def), e.CreateBody(def)
		e.CreateShape(a, shape)
		e.CreateJoint(world.JointDef{Kind: world.RopeJoint, A: a, B: b, MaxLength: 3, User: user})
		e.Advance(time.Second / 20)
		e.DestroyBody(a)
		e.Advance(time.Second / 20)
		e.Advance(time.Second / 20)
		if got := removedUser(t, e); got != user {
			t.Errorf("%T: Removed hands back %v, given %v", user, got, user)
		}
		if err := e.Close(); err != nil {
			t.Fatalf("%T: %v", user, err)
		}

		r := read(t, file.Bytes())
		if hash, err := r.Verify(stack); err != nil || r.Cut || r.Ticks == 0 || hash != r.FinalHash() {
			t.Errorf("%T: %d ticks, cut %v: %v", user, r.Ticks, r.Cut, err)
		}
		c := r.Config(stack)
		c.Time.Simulated, c.Time.EventsAtOnce = true, true
		if e, err = engine.New(c); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			e.Advance(time.Second / 20)
		}
		want := user
		if !keeps {
			want = nil
		}
		if got := removedUser(t, e); got != want {
			t.Errorf("%T: a replay hands back %v, not %v", user, got, want)
		}
		e.Close()
	}
}

// removedUser returns the user data of the only body that was removed.
func removedUser(t *testing.T, e *engine.Engine) any {
	t.Helper()
	for ev := range e.Events() {
		if ev.Kind == world.BodyRemoved {
			return ev.User
		}
	}
	t.Error("no body was removed")
	return nil
}

func TestAUserValueThatCanNotBeComparedLeavesTheRecordingWhole(t *testing.T) {
	loop := map[string]any{}
	loop["self"] = loop
	for _, user := range []any{loop, []any{func() {}}, func() {}, []int{1}} {
		var file bytes.Buffer
		e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file}}})
		if err != nil {
			t.Fatal(err)
		}
		e.CreateBody(world.BodyDef{User: user})
		e.Advance(time.Second / 20)
		if err := e.Close(); err != nil {
			t.Errorf("%T: %v", user, err)
		}
		if r := read(t, file.Bytes()); r.Cut || r.Ticks != 3 {
			t.Errorf("%T: %d ticks, cut %v", user, r.Ticks, r.Cut)
		}
	}
}
