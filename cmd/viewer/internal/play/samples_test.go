package play

import (
	"math"
	"testing"

	"halfstep/world"
)

func TestTheEnergyOfAllIsThatOfMotionAndHeight(t *testing.T) {
	w := world.NewSimulation(world.Config{})
	defer w.Close()
	var first world.Body
	for range 3 {
		n, err := w.World().CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: 5}, Velocity: world.Vec{X: 2}, Shapes: []world.ShapeDef{world.Circle(1)}})
		if err != nil {
			t.Fatal(err)
		}
		first = n
	}
	v, ok := valuesOf(w.World(), first, PlotsAll)
	if want := 3 * math.Pi * (10*5 + 2); !ok || math.Abs(v[PlotsAll]-want) > 1e-9 || v[2] != 2 || v[1] != 5 {
		t.Errorf("%v, not %v", v, want)
	}
	if _, ok := valuesOf(w.World(), first+10, -1); ok {
		t.Error("values of a body that is not there")
	}
}
