package play

import (
	"math"
	"testing"

	"halfstep/world"
)

func TestADraggedBodyComesToTheCursorAndIsLetGo(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(1)
	b.cursor(0, 0)
	b.button(true)
	b.run(2)
	b.cursor(4, 3)
	b.run(120)
	p, _ := b.Stage.Player.Pose(b.Sampler.Tracked[0].Body)
	if math.Hypot(p.X-4, p.Y-3) > .1 || b.joints() != 1 {
		t.Errorf("the body is at %v, %v with %d joints", p.X, p.Y, b.joints())
	}
	b.button(false)
	b.run(3)
	if b.joints() != 0 || b.Stage.Drag.Body != 0 {
		t.Errorf("%d joints after letting go", b.joints())
	}
}

func TestADraggedBodyMayVanish(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(1)
	b.cursor(0, 0)
	b.button(true)
	b.run(2)
	b.Stage.Player.DestroyBody(b.Stage.Drag.Body)
	b.run(4)
	if b.Stage.Drag.Body != 0 {
		t.Error("still held")
	}
	b.cursor(1, 1)
	b.button(false)
	b.run(2)
	if b.Outcome.Failure != nil {
		t.Error(b.Outcome.Failure)
	}
}

func TestChangingTheSceneWhileDraggingLetsGo(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(1)
	b.cursor(0, 0)
	b.button(true)
	b.run(2)
	b.do("restart")
	if b.Stage.Drag.Body != 0 {
		t.Error("holding a body of another world")
	}
	b.cursor(2, 2)
	b.run(2)
	b.button(false)
	b.run(2)
	if b.Stage.Drag.Body != 0 || b.joints() != 0 || b.Outcome.Failure != nil {
		t.Errorf("body %v, %d joints, %v", b.Stage.Drag.Body, b.joints(), b.Outcome.Failure)
	}
}

func TestAStillCursorSendsNothing(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(1)
	b.do("pause")
	b.cursor(0, 0)
	b.button(true)
	b.run(3)
	at := b.Stage.View.Revision
	b.run(5)
	if b.Stage.View.Revision != at {
		t.Errorf("a paused world was published %d times more", b.Stage.View.Revision-at)
	}
}

// springTrail is the time by which the spring alone is behind the pointer: 45 ms. The
// damping of the spring depends on the speed of the body, and not on the speed relative to
// the pointer.
const springTrail = 2 * dragDamping / (2 * math.Pi * dragFrequency) // s

// If the pointer moves evenly, the held point is behind the pointer by the 45 ms of the
// spring and by the delay of the mode. In Lockstep the delay is a step and a frame. In
// Pipelined there is one frame more. RunAhead shows where the body would be if the pointer
// stopped, so it adds little.
func TestTheHeldPointTrailsThePointerBySpringAndMode(t *testing.T) {
	for mode, want := range map[string]float64{"run-ahead": .002, "lockstep": 2 / 60., "pipelined": 3 / 60.} {
		b := newBench(t, "-scene drift -sync "+mode)
		b.run(1)
		b.Stage.Player.Teleport(b.Sampler.Tracked[0].Body, world.Vec{}, 0)
		b.Stage.Player.SetVelocity(b.Sampler.Tracked[0].Body, world.Vec{})
		b.run(3)
		b.cursor(0, 0)
		b.button(true)
		b.run(2)
		for n := range 120 {
			b.cursor(.1+float64(n)*.02, 0)
			b.run(1)
		}
		tr := &b.Stage.Drag.Trail
		if got := tr.far / tr.fast; math.Abs(got-springTrail-want) > .003 {
			t.Errorf("%s: the held point is %.1f ms behind, want %.1f", mode, 1e3*got, 1e3*(springTrail+want))
		}
	}
}
