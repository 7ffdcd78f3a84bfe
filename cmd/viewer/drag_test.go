package main

import (
	"math"
	"testing"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/world"
)

// joints is how many joints the picture shows.
func (b *bench) joints() int { return len(b.Stage.View.Scene.Joints) }

func TestADraggedBodyComesToTheCursorAndIsLetGo(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(1)
	b.cursor(0, 0)
	b.mouse(input.MouseButtonLeft, input.Press)
	b.run(2)
	b.cursor(4, 3)
	b.run(120)
	p, _ := b.Stage.Player.Pose(b.Sampler.Tracked[0].Body)
	if math.Hypot(p.X-4, p.Y-3) > .1 || b.joints() != 1 {
		t.Errorf("the body is at %v, %v with %d joints", p.X, p.Y, b.joints())
	}
	b.mouse(input.MouseButtonLeft, input.Release)
	b.run(3)
	if b.joints() != 0 || b.Stage.Drag.Body != 0 {
		t.Errorf("%d joints after letting go", b.joints())
	}
}

func TestDraggingWhatCanNotMovePans(t *testing.T) {
	b := newBench(t, "-scene pyramid")
	b.run(1)
	for name, at := range map[string]world.Vec{"the ground": {X: 0, Y: -.5}, "nothing": {X: -30, Y: 30}} {
		b.cursor(at.X, at.Y)
		b.mouse(input.MouseButtonLeft, input.Press)
		b.run(2)
		if b.Stage.Drag.Body != 0 || !b.picture.Camera.Panning || b.joints() != 0 {
			t.Errorf("%s: body %v, panning %v", name, b.Stage.Drag.Body, b.picture.Camera.Panning)
		}
		b.mouse(input.MouseButtonLeft, input.Release)
		b.run(1)
		if b.picture.Camera.Panning {
			t.Errorf("%s: still panning", name)
		}
	}
}

func TestADraggedBodyMayVanish(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(1)
	b.cursor(0, 0)
	b.mouse(input.MouseButtonLeft, input.Press)
	b.run(2)
	b.Stage.Player.DestroyBody(b.Stage.Drag.Body)
	b.run(4)
	if b.Stage.Drag.Body != 0 {
		t.Error("still held")
	}
	b.cursor(1, 1)
	b.mouse(input.MouseButtonLeft, input.Release)
	b.run(2)
	if b.Outcome.Failure != nil {
		t.Error(b.Outcome.Failure)
	}
}

func TestChangingTheSceneWhileDraggingLetsGo(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(1)
	b.cursor(0, 0)
	b.mouse(input.MouseButtonLeft, input.Press)
	b.run(2)
	b.press(input.KeyR)
	if b.Stage.Drag.Body != 0 {
		t.Error("holding a body of another world")
	}
	b.cursor(2, 2)
	b.run(2)
	b.mouse(input.MouseButtonLeft, input.Release)
	b.run(2)
	if b.Stage.Drag.Body != 0 || b.joints() != 0 || b.Outcome.Failure != nil {
		t.Errorf("body %v, %d joints, %v", b.Stage.Drag.Body, b.joints(), b.Outcome.Failure)
	}
}

func TestAStillCursorSendsNothing(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(1)
	b.press(input.KeySpace)
	b.cursor(0, 0)
	b.mouse(input.MouseButtonLeft, input.Press)
	b.run(3)
	at := b.Stage.View.Revision
	b.run(5)
	if b.Stage.View.Revision != at {
		t.Errorf("a paused world was published %d times more", b.Stage.View.Revision-at)
	}
}
