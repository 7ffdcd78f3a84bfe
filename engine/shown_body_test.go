package engine_test

import (
	"testing"

	"halfstep/engine"
	"halfstep/world"
)

func TestThePictureKnowsNameKindAndMassOfABody(t *testing.T) {
	e := start(t, engine.Config{Time: engine.Time{Simulated: true}})
	box := world.Box(.5, .5)
	box.Density = 3
	b, shapes := e.CreateBodyWithShapes(world.BodyDef{Name: "crate", Kind: world.Dynamic, Shapes: []world.ShapeDef{box}})
	if _, ok := e.Body(b); ok {
		t.Error("it is in the picture before it is there")
	}
	e.Step(2)
	if got, ok := e.Body(b); !ok || got != (engine.ShownBody{Name: "crate", Kind: world.Dynamic, Mass: 3}) {
		t.Errorf("%+v, %v", got, ok)
	}
	e.SetDensity(shapes[0], 5) // the centre of mass does not move
	e.Step(2)
	if got, _ := e.Body(b); got.Mass != 5 {
		t.Errorf("after a change %+v", got)
	}
}
