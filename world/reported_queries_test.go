package world_test

import (
	"testing"

	"halfstep/world"
)

// Found by a generator of pairs of features.
func TestAQuestionWithoutAFunctionIsAnError(t *testing.T) {
	x := newSituation(t, world.Config{})
	x.body(world.Static, world.Vec{}, world.Box(1, 1))
	q := x.Query(world.QueryFilter{})
	for name, err := range map[string]error{
		"point": q.OverlapPoint(world.Vec{}, nil),
		"box":   q.OverlapBox(world.Vec{X: -1, Y: -1}, world.Vec{X: 1, Y: 1}, nil),
		"shape": q.Overlap(world.Circle(1), world.Vec{}, 0, nil),
		"ray":   q.RayCastAll(world.Vec{X: -9}, world.Vec{X: 9}, nil),
		"cast":  q.ShapeCastAll(world.Circle(1), world.Vec{X: -9}, world.Vec{X: 9}, 0, nil),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	found := 0
	if err := q.OverlapPoint(world.Vec{}, func(world.Body, world.Shape) bool { found++; return true }); err != nil || found != 1 {
		t.Errorf("%d found afterwards: %v", found, err)
	}
}
