package main

import (
	"testing"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/world"
)

// joints is how many joints the picture shows.
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
