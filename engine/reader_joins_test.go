package engine_test

import (
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/world"
)

// TestAttackPairsOfFeatures, which combines features of the engine at random, found the cases in this file.

// Earlier, a reader that joined while physics was ahead of the picture had the bodies of
// the newest tick, but the states of the tick before.
func TestANewReaderThatFollowsThePictureHasTheBodiesOfItsTick(t *testing.T) {
	setup := func(w *world.World) error {
		var alive []world.Body
		w.Keep(&alive)
		w.AddControllerEvery(4, world.ControllerFunc(func(w *world.World, _ float64) {
			b, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(w.Tick() % 10), Y: 5}, Shapes: []world.ShapeDef{world.Circle(.1)}})
			if err != nil {
				panic(err)
			}
			if alive = append(alive, b); len(alive) > 3 {
				w.DestroyBody(alive[0])
				alive = append([]world.Body(nil), alive[1:]...)
			}
		}))
		return nil
	}
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		e, err := engine.New(engine.Config{Setup: setup, Time: engine.Time{Sync: sync}})
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for frame := range 120 {
			r, err := e.NewReader()
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				e.Advance(time.Second / 60)
				for e.Metrics().Tick < e.Demanded() {
					time.Sleep(50 * time.Microsecond)
				}
				r.UpdateToPicture()
				for b := range r.Poses() {
					if _, ok := r.Pose(b); b == 0 || !ok {
						t.Fatalf("%v, frame %d: the reader has %v", sync, frame, b)
					}
				}
				if r.View().Tick != e.View().Tick {
					continue
				}
				compared++
				for b := range e.Poses() {
					if _, ok := r.Pose(b); !ok {
						t.Fatalf("%v, frame %d: the reader lacks %v", sync, frame, b)
					}
				}
			}
			r.Close()
		}
		if compared < 60 {
			t.Errorf("%v: only %d pictures were compared", sync, compared)
		}
		e.Close()
	}
}

// Earlier, a reader that joined between the end of a step and the publish lacked bodies
// that a contact hook had destroyed, although the picture still showed them. It had their
// states as states of a body with handle 0.
func TestANewReaderHasTheBodiesThatAContactHookHasDestroyed(t *testing.T) {
	e, err := engine.New(engine.Config{Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}, Setup: func(w *world.World) error {
		w.AddContactHook(func(w *world.World, events []world.Event) {
			for _, ev := range events {
				if ball, ok := w.Find("ball"); ok && ev.Kind == world.ContactBegin {
					_ = w.DestroyBody(ball)
				}
			}
		})
		ground, err := w.CreateBody(world.BodyDef{Name: "ground", Shapes: []world.ShapeDef{world.Box(5, .5)}})
		if err != nil {
			return err
		}
		ball, err := w.CreateBody(world.BodyDef{Name: "ball", Kind: world.Dynamic, Position: world.Vec{Y: .95}, Shapes: []world.ShapeDef{world.Circle(.5), world.CircleAt(0, .5, .2)}})
		if err == nil {
			_, err = w.CreateJoint(world.JointDef{Kind: world.RopeJoint, A: ground, B: ball, MaxLength: 3, CollideConnected: true})
		}
		return err
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.Step(1) // the hook destroys the ball
	r, err := e.NewReader()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range 1000 { // physics comes by
		if r.Update(); len(r.View().Scene.Bodies) > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	ball, ok := r.Find("ball")
	if _, shown := r.Pose(ball); !ok || !shown {
		t.Fatal("the reader has no ball, which is shown once more")
	}
	if n, m := len(r.View().Scene.Shapes), len(r.View().Scene.Joints); n != 3 || m != 1 {
		t.Errorf("the reader has %d shapes and %d joints", n, m)
	}
	e.Step(1)
	r.Update()
	if _, ok := r.Pose(ball); ok || len(r.View().Scene.Shapes) != 1 || len(r.View().Scene.Joints) != 0 {
		t.Error("a step later the ball is still there")
	}
}
