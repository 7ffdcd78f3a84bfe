package world

import (
	"math"
	"slices"
	"testing"

	"halfstep/test/norace"
)

func TestSenselessQuestionsAreOneError(t *testing.T) {
	r := newRig(t, gravity())
	r.box(0, 0)
	all, some := r.Query(QueryFilter{}), Circle(1)
	never := func(Body, Shape) bool { t.Error("something was found"); return true }
	hit := func(RayHit) bool { t.Error("something was hit"); return true }
	ray := func(from, to Vec) []error {
		_, _, err := all.RayCast(from, to)
		_, any := all.RayCastAny(from, to)
		_, _, cast := all.ShapeCast(some, from, to, 0)
		return []error{err, any, all.RayCastAll(from, to, hit), cast, all.ShapeCastAll(some, from, to, 0, hit)}
	}
	asked := func(d ShapeDef, angle float64) []error {
		_, _, err := all.ShapeCast(d, Vec{X: -5, Y: 0}, Vec{X: 5, Y: 0}, angle)
		return []error{err, all.ShapeCastAll(d, Vec{X: -5, Y: 0}, Vec{X: 5, Y: 0}, angle, hit), all.Overlap(d, Vec{}, angle, never)}
	}
	_, _, noWorld := Query{}.RayCast(Vec{}, Vec{X: 1, Y: 0})
	_, noWorldAny := Query{}.RayCastAny(Vec{}, Vec{X: 1, Y: 0})
	for name, errs := range map[string][]error{
		"no length":          ray(Vec{X: 1, Y: 1}, Vec{X: 1, Y: 1}),
		"hardly any length":  ray(Vec{}, Vec{X: 1e-200, Y: 0}),
		"from NaN":           ray(Vec{X: nan, Y: 0}, Vec{X: 1, Y: 1}),
		"to NaN":             ray(Vec{}, Vec{X: 1, Y: nan}),
		"to infinity":        ray(Vec{}, Vec{X: inf, Y: 0}),
		"too far":            ray(Vec{}, Vec{X: 1e10, Y: 0}),
		"turned by NaN":      asked(some, nan),
		"turned by infinity": asked(some, -inf),
		"no radius":          asked(Circle(0), 0),
		"NaN radius":         asked(Circle(nan), 0),
		"negative radius":    asked(Circle(-1), 0),
		"infinite capsule":   asked(Capsule(Vec{}, Vec{X: 1, Y: 0}, inf), 0),
		"flat capsule":       asked(Capsule(Vec{}, Vec{X: 1, Y: 0}, 0), 0),
		"NaN capsule":        asked(Capsule(Vec{X: nan, Y: 0}, Vec{X: 1, Y: 0}, 1), 0),
		"flat box":           asked(Box(0, 1), 0),
		"collinear":          asked(Polygon(Vec{}, Vec{X: 1, Y: 1}, Vec{X: 2, Y: 2}), 0),
		"one point":          asked(Polygon(Vec{}, Vec{}, Vec{}), 0),
		"2 points":           asked(Polygon(Vec{}, Vec{X: 1, Y: 0}), 0),
		"9 points":           asked(Polygon(make([]Vec, 9)...), 0),
		"NaN corner":         asked(Polygon(Vec{}, Vec{X: 1, Y: nan}, Vec{X: 2, Y: 2}), 0),
		"far corner":         asked(Polygon(Vec{}, Vec{X: 1e200, Y: 0}, Vec{X: 2, Y: 2}), 0),
		"short edge":         asked(Edge(Vec{X: 1, Y: 1}, Vec{X: 1, Y: 1}), 0),
		"chain":              asked(Chain(Vec{}, Vec{X: 1, Y: 0}), 0),
		"closed chain":       asked(ClosedChain(Vec{}, Vec{X: 1, Y: 0}, Vec{X: 0, Y: 1}), 0),
		"no points":          asked(ShapeDef{}, 0),
		"no such kind":       asked(ShapeDef{Kind: 77}, 0),
		"nowhere":            {all.Overlap(some, Vec{X: nan, Y: 0}, 0, never), all.OverlapPoint(Vec{X: inf, Y: 0}, never)},
		"NaN box":            {all.OverlapBox(Vec{X: nan, Y: 0}, Vec{}, never), all.OverlapBox(Vec{}, Vec{X: 0, Y: nan}, never)},
		"inside out":         {all.OverlapBox(Vec{X: 1, Y: 0}, Vec{X: 0, Y: 1}, never)},
		"asked of no world": {
			noWorld, noWorldAny, Query{}.RayCastAll(Vec{}, Vec{X: 1, Y: 0}, hit), Query{}.Overlap(some, Vec{}, 0, never),
			Query{}.OverlapPoint(Vec{}, never), Query{}.OverlapBox(Vec{}, Vec{}, never), Query{}.ShapeCastAll(some, Vec{}, Vec{X: 1, Y: 0}, 0, hit),
		},
	} {
		for i, err := range errs {
			if !oneLine(err) {
				t.Errorf("%s, %d: %v", name, i, err)
			}
		}
	}
}

func TestQuestionsAllocateNothing(t *testing.T) {
	norace.Only(t)
	r := newRig(t, gravity())
	r.body(BodyDef{Shapes: []ShapeDef{Chain(Vec{X: -50, Y: 0}, Vec{X: -10, Y: .1}, Vec{X: 10, Y: 0}, Vec{X: 50, Y: 0})}})
	for x := range 50 {
		r.box(float64(x)*1.1-25, .5)
	}
	r.start()
	r.run(3)
	n := 0
	hit := func(RayHit) bool { n++; return true }
	shape := func(Body, Shape) bool { n++; return true }
	for name, ask := range map[string]func(){
		"RayCast":    func() { r.Query(QueryFilter{Sensors: true}).RayCast(Vec{X: -30, Y: .5}, Vec{X: 30, Y: .5}); n++ },
		"RayCastAny": func() { r.Query(QueryFilter{}).RayCastAny(Vec{X: -30, Y: .5}, Vec{X: 30, Y: .5}); n++ },
		"RayCastAll": func() { r.Query(QueryFilter{}).RayCastAll(Vec{X: -30, Y: .05}, Vec{X: 30, Y: .05}, hit) },
		"ShapeCast": func() {
			r.Query(QueryFilter{}).ShapeCast(Capsule(Vec{}, Vec{X: 0, Y: 1}, .2), Vec{X: -30, Y: .5}, Vec{X: 30, Y: .5}, .1)
			n++
		},
		"ShapeCastAll": func() {
			here := 0 // captured by the function
			r.Query(QueryFilter{}).ShapeCastAll(Circle(.3), Vec{X: -30, Y: .3}, Vec{X: 30, Y: .3}, 0, func(RayHit) bool { here++; return true })
			n += here
		},
		"OverlapPoint": func() { r.Query(QueryFilter{}).OverlapPoint(Vec{X: .1, Y: .5}, shape) },
		"OverlapBox":   func() { r.Query(QueryFilter{}).OverlapBox(Vec{X: -30, Y: -1}, Vec{X: 30, Y: 1}, shape) },
		"Overlap": func() {
			r.Query(QueryFilter{}).Overlap(Polygon(Vec{}, Vec{X: 5, Y: 0}, Vec{X: 0, Y: 3}), Vec{X: 0, Y: 0}, .1, shape)
		},
	} {
		n = 0
		if allocs := testing.AllocsPerRun(20, ask); allocs != 0 || n < 21 {
			t.Errorf("%s: %v allocations, found %d", name, allocs, n)
		}
	}
}

func TestAQuestionMayAskAnotherBeforeItIsAnswered(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	var boxes []Body
	for x := range 9 {
		boxes = append(boxes, r.box(float64(x)*2, 0))
	}
	r.start()
	all := r.Query(QueryFilter{})
	var met []Body
	check(t, all.RayCastAll(Vec{X: -5, Y: 0}, Vec{X: 50, Y: 0}, func(h RayHit) bool {
		met = append(met, h.Body)
		under := 0
		check(t, all.OverlapBox(Vec{X: -5, Y: -1}, Vec{X: 50, Y: 1}, func(b Body, _ Shape) bool {
			under++
			_, ok, err := all.RayCast(Vec{X: h.Point.X + .1, Y: 5}, Vec{X: h.Point.X + .1, Y: -5})
			if !ok || err != nil {
				t.Errorf("%v, %v", ok, err)
			}
			return under < 5
		}))
		return under == 5
	}))
	if !slices.Equal(met, boxes) || len(r.space.question.Hits) != 0 {
		t.Errorf("met %v, want %v; %d hits left over", met, boxes, len(r.space.question.Hits))
	}
}

// After a panic in the caller's function, the hits must not stay in memory.
func TestAQuestionThatPanicsLeavesNoHits(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	r.box(0, 0)
	for range 3 {
		func() {
			defer func() { _ = recover() }()
			r.Query(QueryFilter{Sensors: true}).OverlapPoint(Vec{}, func(Body, Shape) bool { panic("mistake") })
		}()
	}
	if len(r.space.question.Hits) != 0 {
		t.Errorf("%d hits are left over", len(r.space.question.Hits))
	}
}

// A body that stands on the ground may sink into the ground by 5 mm, as in
// Box2D.
func TestABodyCanBeCastFromWhereItStands(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	floor := r.body(BodyDef{Shapes: []ShapeDef{Box(50, 1)}, Position: Vec{X: 0, Y: -1}})
	wall := r.body(BodyDef{Shapes: []ShapeDef{Box(1, 5)}, Position: Vec{X: 6, Y: 5}})
	r.start()
	all := r.Query(QueryFilter{})
	for _, sunk := range []float64{0, 1e-12, .005, -.005} {
		for name, shape := range map[string]ShapeDef{
			"circle": Circle(.5), "box": Box(.5, .5), "capsule": Capsule(Vec{X: 0, Y: -.1}, Vec{X: 0, Y: .3}, .4),
		} {
			from := Vec{X: 0, Y: .5 - sunk}
			if h, ok, err := all.ShapeCast(shape, from, Vec{X: 10, Y: from.Y}, 0); err != nil || !ok || h.Body != wall || h.Normal != (Vec{X: -1, Y: 0}) {
				t.Errorf("%s, %v deep, along: %+v, %v, %v", name, sunk, h, ok, err)
			}
			if h, ok, err := all.ShapeCast(shape, from, Vec{X: 0, Y: 10}, 0); err != nil || ok {
				t.Errorf("%s, %v deep, up: %+v, %v", name, sunk, h, err)
			}
			h, ok, err := all.ShapeCast(shape, from, Vec{X: 0, Y: -10}, 0)
			if err != nil || !ok || h.Body != floor || !near(h.Normal.Y, 1, 1e-9) || !near(h.Fraction, max(0, -sunk)/(10+from.Y), 1e-8) {
				t.Errorf("%s, %v deep, down: %+v, %v, %v", name, sunk, h, ok, err)
			}
			if !near(h.Point.Y, 0, 1e-8) {
				t.Errorf("%s, %v deep, down: touches at %v", name, sunk, h.Point)
			}
		}
	}
}

// The cast is shorter than the steps between neighbouring numbers at such a
// distance.
func TestACastOfHardlyAnyLengthFarAwayIsACast(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	far := Vec{X: 1e8, Y: 1e8}
	b := r.body(BodyDef{Position: far, Shapes: []ShapeDef{Box(1, 1)}})
	r.start()
	shape := Box(.5, .5)
	for i := range shape.Points {
		shape.Points[i].X += 1e8
		shape.Points[i].Y += 1e8 + 1.4
	}
	h, ok, err := r.Query(QueryFilter{}).ShapeCast(shape, Vec{}, Vec{X: 0, Y: -1e-9}, 0)
	if !ok || err != nil || h.Body != b || h.Fraction != 0 || !near(h.Normal.Y, 1, 1e-9) {
		t.Errorf("down: %+v, %v, %v", h, ok, err)
	}
	if h, ok, err = r.Query(QueryFilter{}).ShapeCast(shape, Vec{}, Vec{X: 0, Y: 1e-9}, 0); ok || err != nil {
		t.Errorf("up: %+v, %v", h, err)
	}
}

func TestOfShapesMetAtOnceTheLowestHandleCounts(t *testing.T) {
	for _, shape := range []ShapeDef{Circle(.5), Box(.5, .5), Edge(Vec{X: -1, Y: 0}, Vec{X: 1, Y: 0})} {
		r := newRig(t, Config{NoGravity: true})
		var first Body
		for i := range 20 {
			b := r.body(BodyDef{Shapes: []ShapeDef{shape}})
			if i == 0 {
				first = b
			}
		}
		r.start()
		h, ok, err := r.Query(QueryFilter{}).RayCast(Vec{X: .1, Y: 7}, Vec{X: .1, Y: -3})
		if !ok || err != nil || h.Body != first {
			t.Errorf("ray: %+v, %v, %v; want %v", h, ok, err, first)
		}
		h, ok, err = r.Query(QueryFilter{}).ShapeCast(Circle(.3), Vec{X: .1, Y: 7}, Vec{X: .1, Y: -3}, 0)
		if !ok || err != nil || h.Body != first {
			t.Errorf("cast: %+v, %v, %v; want %v", h, ok, err, first)
		}
	}
}

func TestAFilterSaysWhatIsFound(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	put := func(f Filter, sensor, disabled bool) Body {
		d := Circle(1)
		d.Filter, d.Sensor = f, sensor
		return r.body(BodyDef{Disabled: disabled, Shapes: []ShapeDef{d}})
	}
	plain := put(Filter{}, false, false)
	ground := put(Filter{Category: 2, Mask: 0xffff}, false, false)
	ghost := put(Filter{Category: 4, Mask: 8}, false, false)
	sensor := put(Filter{}, true, false)
	off := put(Filter{}, false, true)
	r.start()
	for name, c := range map[string]struct {
		f    QueryFilter
		want []Body
	}{
		"nothing said":     {QueryFilter{}, []Body{plain, ground, ghost}},
		"sensors":          {QueryFilter{Sensors: true}, []Body{plain, ground, ghost, sensor}},
		"disabled":         {QueryFilter{Disabled: true}, []Body{plain, ground, ghost, off}},
		"all":              {QueryFilter{Sensors: true, Disabled: true}, []Body{plain, ground, ghost, sensor, off}},
		"ground":           {QueryFilter{Mask: 2}, []Body{ground}},
		"ground and ghost": {QueryFilter{Mask: 6}, []Body{ground, ghost}},
		"as a player":      {QueryFilter{Category: 1}, []Body{plain, ground}},
		"as an exorcist":   {QueryFilter{Category: 8}, []Body{plain, ground, ghost}},
		"not itself":       {QueryFilter{Ignore: plain}, []Body{ground, ghost}},
		"not one gone":     {QueryFilter{Ignore: 12345}, []Body{plain, ground, ghost}},
	} {
		if got := queried(t, func(f func(Body, Shape) bool) error { return r.Query(c.f).OverlapPoint(Vec{}, f) }); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestARayMeetsAChainOnceAndThereFirst(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	zigzag := make([]Vec, 60)
	for i := range zigzag {
		zigzag[i] = Vec{X: float64(i), Y: float64(i%2)*2 - 1}
	}
	r.body(BodyDef{Shapes: []ShapeDef{Chain(zigzag...)}})
	r.start()
	for _, c := range [][3]float64{{-5, 100, .5}, {100, -5, 58.5}} {
		var hits []RayHit
		check(t, r.Query(QueryFilter{}).RayCastAll(Vec{X: c[0], Y: 0}, Vec{X: c[1], Y: 0}, func(h RayHit) bool { hits = append(hits, h); return true }))
		if len(hits) != 1 || !near(hits[0].Point.X, c[2], 1e-9) || math.Abs(hits[0].Normal.X) < .5 {
			t.Errorf("%v: %+v", c, hits)
		}
	}
}

// Box2D subtracts the skin of polygons and edges from the upper sides of their
// boxes instead of adding it. A body may then reach out of its box in the tree,
// although it has moved less than the margin of the box.
func TestAShapeThatReachesOutOfItsBoxInTheTreeIsFound(t *testing.T) {
	for name, shape := range map[string]ShapeDef{"box": Box(.5, .5), "edge": Edge(Vec{X: -.5, Y: .5}, Vec{X: .5, Y: .5}), "circle": Circle(.5)} {
		r := newRig(t, Config{NoGravity: true})
		b := r.body(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{shape}})
		r.start()
		check(t, r.Teleport(b, Vec{X: .0999, Y: .0999}, 0)) // the margin is 0.1
		if got := queried(t, func(f func(Body, Shape) bool) error {
			return r.Query(QueryFilter{Sensors: true}).OverlapBox(Vec{X: -1, Y: .599}, Vec{X: 1, Y: 1}, f)
		}); !slices.Equal(got, []Body{b}) {
			t.Errorf("%s: nothing is above 0.599 m, but it reaches to 0.5999", name)
		}
		if _, ok, err := r.Query(QueryFilter{}).ShapeCast(Box(.1, .001), Vec{X: .0999, Y: 5}, Vec{X: .0999, Y: .6}, 0); !ok || err != nil {
			t.Errorf("%s: a cast to its upper side meets nothing, %v", name, err)
		}
	}
}
