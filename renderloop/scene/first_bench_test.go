package scene

import (
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/internal/geometry"
	"halfstep/internal/query"
)

// The benchmark measures the first query about a picture of 50,000 bodies at rest.
func BenchmarkTheFirstQuestion(b *testing.B) {
	v := &View[body2d.State]{Scene: New(), Dt: 1. / 60, PrevSerial: 1, CurSerial: 2}
	for i := range int32(50_000) {
		v.Scene.Apply(&body2d.Structure{Kind: body2d.BodyAdded, Slot: i, Handle: uint64(i + 1), BodyType: 2})
		g := body2d.Geometry{Kind: body2d.Convex, N: 4, Points: [body2d.MaxPoints][2]float32{{-.5, -.5}, {.5, -.5}, {.5, .5}, {-.5, .5}}}
		v.Scene.Apply(&body2d.Structure{Kind: body2d.ShapeAdded, Slot: i, ID: uint32(i + 1), Handle: uint64(i + 1), Shape: g})
		v.Cur = append(v.Cur, *state(float32(i)*1.5, float32(1+i%2*29), 0, 0, 1))
	}
	v.Prev = v.Cur
	b.ReportAllocs()
	for b.Loop() {
		v.Scene.index = index{}
		q := indexOf(v).Begin()
		q.Point(query.Filter{}, geometry.Vec{X: 10, Y: 1})
		v.Scene.index.Search(q)
		q.Release(0)
	}
}
