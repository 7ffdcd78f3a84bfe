package main

import (
	"testing"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/world"
)

// joints returns the number of joints in the picture.
func (b *bench) joints() int { return len(b.Stage.View.Scene.Joints) }

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

func TestASnapshotDoesNotBringBackWhatHeldABody(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(1)
	hold := func() {
		p, _ := b.Stage.Player.Pose(b.Sampler.Tracked[0].Body)
		b.cursor(p.X, p.Y)
		b.mouse(input.MouseButtonLeft, input.Press)
		b.run(2)
		b.cursor(p.X+1, p.Y+1)
		b.run(40)
		if b.joints() == 0 {
			t.Fatal("nothing is held")
		}
	}
	release := func() {
		b.mouse(input.MouseButtonLeft, input.Release)
		b.run(3)
	}
	hold()
	b.press(input.KeyF5)
	release()
	b.press(input.KeyF8)
	if b.run(5); b.joints() != 0 {
		t.Error("after the restore it is held")
	}
	hold()
	b.Build.Create("box", world.Vec{X: 3, Y: 3}, world.Box(.5, .5))
	release()
	b.press(input.KeyZ)
	if b.run(5); b.joints() != 0 {
		t.Error("after undo it is held")
	}
}

func TestAGrabFindsABodyThatIsNear(t *testing.T) {
	b := newBench(t, "-scene cradle")
	b.run(3)
	ball, ok := b.Stage.Player.Find("ball5")
	p, shown := b.Stage.Player.Pose(ball)
	if !ok || !shown {
		t.Fatal("no ball")
	}
	below := p.Y // the point below the lower edge of the body
	for ; ; below -= .01 {
		if _, hit := b.Stage.Player.Pick(world.Vec{X: p.X, Y: below}); !hit {
			break
		}
	}
	away := 8 / b.picture.Camera.Scale(b.picture.Surface.H) // m
	b.cursor(p.X, below-away)
	b.mouse(input.MouseButtonLeft, input.Press)
	b.run(1)
	if b.Stage.Drag.Body != ball || b.picture.Camera.Panning {
		t.Errorf("8 pixels from a ball, %v is held; panning %v", b.Stage.Drag.Body, b.picture.Camera.Panning)
	}
	b.mouse(input.MouseButtonLeft, input.Release)
}
