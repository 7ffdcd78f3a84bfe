package world_test

import (
	"math"
	"testing"

	"halfstep/world"
)

func TestABoxAtAPointIsTheBoxTurnedAndMoved(t *testing.T) {
	w := world.NewSimulation(world.Config{}).World()
	def := world.BoxAt(world.Vec{X: 3, Y: 4}, 2, 1, math.Pi/2)
	b := must(w.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{def}}))
	i := must(w.Body(b))
	if d := i.Centre.Sub(world.Vec{X: 3, Y: 4}).Len(); d > 1e-9 || math.Abs(i.Mass-8) > 1e-9 {
		t.Errorf("the centre is %v, the mass %v kg", i.Centre, i.Mass)
	}
	inside := func(x, y float64) (is bool) {
		w.Query(world.QueryFilter{}).OverlapPoint(world.Vec{X: x, Y: y}, func(world.Body, world.Shape) bool { is = true; return true })
		return is
	}
	if !inside(3, 5.9) || inside(4.9, 4) {
		t.Error("the box has not turned")
	}
}

func TestVectorsAddTurnAndMeasure(t *testing.T) {
	a, b := world.Vec{X: 3, Y: 4}, world.Vec{X: -1, Y: 2}
	near := func(what string, got, want world.Vec) {
		if got.Sub(want).Len() > 1e-12 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	near("the sum", a.Add(b), world.Vec{X: 2, Y: 6})
	near("the multiple", a.Mul(-2), world.Vec{X: -6, Y: -8})
	near("a quarter turn", a.Rotate(math.Pi/2), world.Vec{X: -4, Y: 3})
	near("the unit vector", a.Unit(), world.Vec{X: .6, Y: .8})
	near("the unit vector of nothing", world.Vec{}.Unit(), world.Vec{})
	if a.Len() != 5 || a.Dot(b) != 5 || a.Cross(b) != 10 {
		t.Errorf("length %v, dot %v, cross %v", a.Len(), a.Dot(b), a.Cross(b))
	}
}
