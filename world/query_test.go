package world

import (
	"math"
	"slices"
	"testing"
)

func queried(t *testing.T, ask func(func(Body, Shape) bool) error) (got []Body) {
	t.Helper()
	check(t, ask(func(b Body, _ Shape) bool { got = append(got, b); return true }))
	slices.Sort(got)
	return
}

func TestOverlapQueriesAskTheShapesAndNotTheirBoxes(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	box := r.box(0, 0)
	disc := r.body(BodyDef{Position: Vec{X: 3, Y: 0}, Shapes: []ShapeDef{Circle(1)}})
	line := r.body(BodyDef{Position: Vec{X: 0, Y: 5}, Shapes: []ShapeDef{Chain(Vec{X: -4, Y: 0}, Vec{X: 0, Y: 0}, Vec{X: 4, Y: 0})}})
	turned := r.body(BodyDef{Position: Vec{X: 10, Y: 0}, Angle: math.Pi / 4, Shapes: []ShapeDef{Box(1, 1)}})
	r.start()
	for _, c := range []struct {
		p    Vec
		want []Body
	}{
		{Vec{X: .49, Y: .49}, []Body{box}}, {Vec{X: .51, Y: .49}, nil}, {Vec{X: 2.1, Y: 0}, []Body{disc}}, {Vec{X: 2.1, Y: .9}, nil},
		{Vec{X: 10, Y: 1.4}, []Body{turned}}, {Vec{X: 10.9, Y: .9}, nil}, {Vec{X: 0, Y: 5}, nil},
	} {
		if got := queried(t, func(f func(Body, Shape) bool) error { return r.Query(QueryFilter{Sensors: true}).OverlapPoint(c.p, f) }); !slices.Equal(got, c.want) {
			t.Errorf("at %v: %v, want %v", c.p, got, c.want)
		}
	}
	for _, c := range []struct {
		lo, hi Vec
		want   []Body
	}{
		{Vec{X: -1, Y: -1}, Vec{X: 20, Y: 20}, []Body{box, disc, line, turned}},
		{Vec{X: .51, Y: -.2}, Vec{X: 1.9, Y: .2}, nil}, // between two shapes, both near
		{Vec{X: .49, Y: -.2}, Vec{X: 2.1, Y: .2}, []Body{box, disc}},
		{Vec{X: 3.8, Y: .8}, Vec{X: 4, Y: 1}, nil}, // in the box around the disc, but not in the disc
		{Vec{X: -1, Y: 4}, Vec{X: 1, Y: 6}, []Body{line}},
		{Vec{X: 0, Y: 0}, Vec{X: 0, Y: 0}, []Body{box}},
	} {
		if got := queried(t, func(f func(Body, Shape) bool) error {
			return r.Query(QueryFilter{Sensors: true}).OverlapBox(c.lo, c.hi, f)
		}); !slices.Equal(got, c.want) {
			t.Errorf("in %v to %v: %v, want %v", c.lo, c.hi, got, c.want)
		}
	}
	for name, err := range map[string]error{
		"NaN point":    r.Query(QueryFilter{Sensors: true}).OverlapPoint(Vec{X: nan, Y: 0}, nil),
		"NaN box":      r.Query(QueryFilter{Sensors: true}).OverlapBox(Vec{X: nan, Y: 0}, Vec{}, nil),
		"infinite box": r.Query(QueryFilter{Sensors: true}).OverlapBox(Vec{}, Vec{X: inf, Y: 0}, nil),
		"inside out":   r.Query(QueryFilter{Sensors: true}).OverlapBox(Vec{X: 1, Y: 0}, Vec{X: 0, Y: 1}, nil),
	} {
		if !oneLine(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAQueryMayDestroyWhatItFinds(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	for range 50 {
		r.box(0, 0)
	}
	n := 0
	check(t, r.Query(QueryFilter{Sensors: true}).OverlapBox(Vec{X: -1, Y: -1}, Vec{X: 1, Y: 1}, func(b Body, _ Shape) bool {
		n++
		for other := range r.Bodies() {
			check(t, r.DestroyBody(other))
		}
		return true
	}))
	if n != 1 || r.Counts().Bodies != 0 {
		t.Errorf("%d calls", n)
	}
}

func TestARayStopsAtTheNearestShapeThatIsNoSensor(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	sensor := Box(.5, .5)
	sensor.Sensor = true
	r.body(BodyDef{Position: Vec{X: -3, Y: 0}, Shapes: []ShapeDef{sensor}})
	r.box(4, 0)
	b := r.box(0, 0)
	r.start()
	hit, ok, err := r.Query(QueryFilter{}).RayCast(Vec{X: -5, Y: .25}, Vec{X: 5, Y: .25})
	if err != nil || !ok || hit.Body != b || !near(hit.Point.X, -.5, 1e-9) || hit.Normal != (Vec{X: -1, Y: 0}) || !near(hit.Fraction, .45, 1e-9) {
		t.Errorf("hit %+v, %v, %v", hit, ok, err)
	}
	if s, err := r.Shape(hit.Shape); s.Body != b || err != nil {
		t.Errorf("shape of %v, %v", s, err)
	}
	if _, ok, err := r.Query(QueryFilter{}).RayCast(Vec{X: -5, Y: 3}, Vec{X: 5, Y: 3}); ok || err != nil {
		t.Errorf("a miss: %v, %v", ok, err)
	}
	for _, to := range []Vec{{X: 1, Y: 1}, {X: 1, Y: 1 + 1e-200}, {X: nan, Y: 0}, {X: inf, Y: 0}} {
		if _, _, err := r.Query(QueryFilter{}).RayCast(Vec{X: 1, Y: 1}, to); !oneLine(err) {
			t.Errorf("to %v: %v", to, err)
		}
	}
}
