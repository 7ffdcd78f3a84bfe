package engine_test

import (
	"testing"

	"halfstep/engine"
	"halfstep/world"
)

func TestAPointOfABodyIsFoundInThePictureAndBack(t *testing.T) {
	p := engine.Pose{X: 3, Y: -2, Angle: 7}
	local := world.Vec{X: .5, Y: .25}
	at := p.WorldPoint(local)
	if back := p.LocalPoint(at); back.Sub(local).Len() > 1e-12 {
		t.Errorf("%v is at %v, and that is %v", local, at, back)
	}
	if quarter := (engine.Pose{X: 1, Angle: 1.5707963267948966}); quarter.WorldPoint(world.Vec{X: 2}).Sub(world.Vec{X: 1, Y: 2}).Len() > 1e-12 {
		t.Errorf("the point is at %v", quarter.WorldPoint(world.Vec{X: 2}))
	}
}
