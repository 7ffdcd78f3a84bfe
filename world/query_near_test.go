package world

import (
	"errors"
	"math"
	"testing"

	"github.com/ByteArena/box2d"
)

// nears asks for near shapes, and compares the answers with Box2D's distances.
func (q *questioner) nears() {
	f, at, angle, within := q.filter(), q.vec(4), q.NormFloat64()*3, q.Float64()*2
	d, probe, radius := q.probe()
	xf := transform(at, angle)
	want := map[Shape]float64{}
	q.each(f, func(s *shape, x *box2d.B2Fixture, child int) {
		d := between(probe, radius, xf, x, child)
		if old, ok := want[s.handle]; !ok || d < old {
			want[s.handle] = d
		}
	})
	got, last := map[Shape]bool{}, math.Inf(-1)
	check(q.t, q.Query(f).Near(d, at, angle, within, func(h NearHit) bool {
		if h.Distance < last || q.registry.shapes[h.Shape].of.handle != h.Body {
			q.t.Fatalf("%+v after a distance of %v", h, last)
		}
		last = h.Distance
		if apart := h.Point.Sub(h.From).Len(); !near(apart, math.Abs(h.Distance), 1e-9) {
			q.t.Fatalf("the points of %+v are %v apart", h, apart)
		}
		if end := h.Point.Add(h.Normal.Mul(h.Distance)); end.Sub(h.From).Len() > 1e-9 && h.Normal != (Vec{}) {
			q.t.Fatalf("%+v: the normal leads to %v", h, end)
		}
		if !got[h.Shape] && !near(max(h.Distance, 0), want[h.Shape], unsure) {
			q.t.Fatalf("%v is %v away, Box2D says %v", h.Shape, h.Distance, want[h.Shape])
		}
		got[h.Shape] = true
		return true
	}))
	for s, d := range want {
		if got[s] != (d <= within) && math.Abs(d-within) > unsure {
			q.t.Fatalf("%v is %v away, asked within %v: found %v", s, d, within, got[s])
		}
	}
	q.saw("nears", len(got))

	first, ok, err := q.Query(f).NearestPoint(at, within)
	check(q.t, err)
	best := math.Inf(1)
	dot := box2d.MakeB2CircleShape()
	q.each(f, func(_ *shape, x *box2d.B2Fixture, child int) {
		best = min(best, between(&dot, 0, transform(at, 0), x, child))
	})
	if ok != (best <= within) && math.Abs(best-within) > unsure || ok && !near(max(first.Distance, 0), best, unsure) {
		q.t.Fatalf("the nearest to %v within %v is %+v, %v; Box2D says %v", at, within, first, ok, best)
	}
}

// pairs asks for the distance of two shapes, and for the shapes that overlap one of them.
// It compares the answers with Box2D's.
func (q *questioner) pairs() {
	var shapes []*shape
	for r := q.registry.first; r != nil; r = r.next {
		shapes = append(shapes, r.shapes...)
	}
	a, b := shapes[q.IntN(len(shapes))], shapes[q.IntN(len(shapes))]
	want := math.Inf(1)
	probe, radius := bare(a.fix.M_shape)
	for i := range a.fix.M_shape.GetChildCount() {
		for j := range b.fix.M_shape.GetChildCount() {
			want = min(want, partsApart(probe, i, radius, a.of.b.M_xf, b.fix, j))
		}
	}
	h, err := q.Query(QueryFilter{}).Distance(a.handle, b.handle)
	check(q.t, err)
	if h.Shape != b.handle || !near(max(h.Distance, 0), want, unsure) {
		q.t.Fatalf("%v and %v are %+v apart, Box2D says %v", a.handle, b.handle, h, want)
	}
	n, err := q.Query(QueryFilter{}).NearestPointOf(b.handle, h.From)
	check(q.t, err)
	if h.Distance > 0 && !near(n.Distance, h.Distance, 1e-9) {
		q.t.Fatalf("%v is %v from %v, not %v", b.handle, n.Distance, h.From, h.Distance)
	}
	got := false
	all := q.Query(QueryFilter{Sensors: true, Disabled: true})
	check(q.t, all.OverlapShape(a.handle, func(_ Body, s Shape) bool {
		if s == b.handle && got {
			q.t.Fatalf("%v came twice", s)
		}
		got = got || s == b.handle
		return true
	}))
	if got != (want == 0 && a.of != b.of) && math.Abs(h.Distance) > unsure {
		q.t.Fatalf("%v overlaps %v: %v; they are %v apart", a.handle, b.handle, got, h.Distance)
	}
	q.saw("pairs", 1)
}

func TestANearestPointIsOnTheOutlineWithTheNormalOutOfTheShape(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	box := r.body(BodyDef{Shapes: []ShapeDef{Box(1, .5)}})
	corner := r.body(BodyDef{Position: Vec{X: 10, Y: 0}, Shapes: []ShapeDef{ClosedChain(Vec{X: 0, Y: 0}, Vec{X: 4, Y: 0}, Vec{X: 4, Y: 4}, Vec{X: 0, Y: 4})}})
	r.start()
	h, ok, err := r.Query(QueryFilter{}).NearestPoint(Vec{X: .25, Y: 2}, 5)
	check(t, err)
	if want := (NearHit{box, h.Shape, Vec{X: .25, Y: .5}, Vec{X: .25, Y: 2}, Vec{X: 0, Y: 1}, 1.5}); !ok || h != want {
		t.Errorf("%+v, want %+v", h, want)
	}
	if h, ok, _ = r.Query(QueryFilter{}).NearestPoint(Vec{X: .25, Y: .4}, 0); !ok || !near(h.Distance, -.1, 1e-12) || h.Normal != (Vec{X: 0, Y: 1}) {
		t.Errorf("inside: %+v", h)
	}
	if _, ok, _ = r.Query(QueryFilter{}).NearestPoint(Vec{X: .25, Y: 2}, 1.4); ok {
		t.Error("found beyond the distance")
	}
	// At a corner of a chain two walls are near.
	var normals []Vec
	check(t, r.Query(QueryFilter{}).Near(Circle(.5), Vec{X: 13.4, Y: .55}, 0, .2, func(h NearHit) bool {
		if h.Body != corner {
			t.Errorf("%+v", h)
		}
		normals = append(normals, h.Normal)
		return true
	}))
	if len(normals) != 2 || normals[0] != (Vec{X: 0, Y: 1}) || normals[1] != (Vec{X: -1, Y: 0}) {
		t.Errorf("%v", normals)
	}
}

func TestWhatIsInASensorIsAskedForWhereItIs(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	gate := Box(1, 1)
	gate.Sensor = true
	door := r.body(BodyDef{Shapes: []ShapeDef{gate, Box(.1, .1)}})
	inside, beside := r.box(.5, .5), r.box(4, 0)
	r.start()
	shapes, err := r.Shapes(door)
	check(t, err)
	in := func() []Body {
		return queried(t, func(f func(Body, Shape) bool) error { return r.Query(QueryFilter{}).OverlapShape(shapes[0], f) })
	}
	if got := in(); len(got) != 1 || got[0] != inside {
		t.Errorf("%v", got)
	}
	check(t, r.Teleport(beside, Vec{X: -.5, Y: -.5}, 0))
	if got := in(); len(got) != 2 {
		t.Errorf("after a teleport: %v", got)
	}
}

func TestBadQuestionsAboutWhatIsNearAreErrors(t *testing.T) {
	r := newRig(t, Config{})
	b := r.box(0, 0)
	shapes, err := r.Shapes(b)
	check(t, err)
	check(t, r.DestroyBody(b))
	q, none := r.Query(QueryFilter{}), func(NearHit) bool { return true }
	_, _, far := q.NearestPoint(Vec{X: nan, Y: 0}, 1)
	_, _, within := q.NearestPoint(Vec{}, -1)
	_, _, no := Query{}.NearestPoint(Vec{}, 1)
	_, gone := q.NearestPointOf(shapes[0], Vec{})
	_, apart := q.Distance(shapes[0], shapes[0])
	over := q.OverlapShape(shapes[0], func(Body, Shape) bool { return true })
	for name, err := range map[string]error{
		"NaN point": far, "negative distance": within, "no world": no, "gone": gone, "two that are gone": apart, "overlap of what is gone": over,
		"no shape": q.Near(ShapeDef{}, Vec{}, 0, 1, none), "NaN distance": q.Near(Circle(1), Vec{}, 0, nan, none),
		"no function": q.Near(Circle(1), Vec{}, 0, 1, nil), "no function for an overlap": q.OverlapShape(shapes[0], nil),
	} {
		if !oneLine(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !errors.Is(gone, ErrStale) || !errors.Is(apart, ErrStale) || !errors.Is(over, ErrStale) {
		t.Errorf("%v, %v, %v", gone, apart, over)
	}
}
