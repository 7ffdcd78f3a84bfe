package world

import (
	"testing"

	"halfstep/buffer/body2d"
)

func TestStartAnnouncesWhatExists(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	a := r.body(BodyDef{Name: "a", Colour: body2d.Colour{1, 2, 3, 4}, Shapes: []ShapeDef{CircleAt(1, 0, .5), Edge(Vec{}, Vec{X: 1, Y: 1})}})
	b := r.body(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{CircleAt(1, 0, .5)}})
	gone := r.box(0, 0)
	r.joint(JointDef{Kind: WeldJoint, A: a, B: b})
	r.joint(JointDef{Kind: RopeJoint, A: a, B: b, MaxLength: 3})
	check(t, r.DestroyBody(gone))
	r.start()
	all := r.structure()
	kinds := []body2d.StructureKind{body2d.BodyAdded, body2d.ShapeAdded, body2d.ShapeAdded, body2d.BodyAdded,
		body2d.ShapeAdded, body2d.JointAdded, body2d.JointAdded}
	if len(all) != len(kinds) {
		t.Fatalf("%d records: %+v", len(all), all)
	}
	for i, s := range all {
		if s.Kind != kinds[i] || s.Tick != 0 {
			t.Errorf("record %d: kind %d, tick %d", i, s.Kind, s.Tick)
		}
	}
	if s := all[0]; s.Handle != uint64(a) || s.Name != "a" || s.Slot != 0 || BodyKind(s.BodyType) != Static || s.LocalX != 0 || s.Colour != (body2d.Colour{1, 2, 3, 4}) {
		t.Errorf("body a: %+v", s)
	}
	if s := all[1]; s.Slot != 0 || s.Colour != all[0].Colour || s.Shape.Kind != body2d.Disc || s.Shape.Radius != .5 || s.Shape.Points[0] != [2]float32{1, 0} {
		t.Errorf("disc: %+v", s)
	}
	if s := all[3]; s.Handle != uint64(b) || s.Slot != 1 || BodyKind(s.BodyType) != Dynamic || s.LocalX != 1 {
		t.Errorf("body b: %+v", s)
	}
	if all[1].ID == all[2].ID || all[5].ID >= all[6].ID {
		t.Error("ids or order of creation")
	}
}

func shapesOf(t *testing.T, s ShapeDef) []body2d.Structure {
	r := newRig(t, Config{NoGravity: true})
	r.body(BodyDef{Shapes: []ShapeDef{s}})
	r.start()
	return records(r.structure(), body2d.ShapeAdded)
}

func TestALongChainComesInPiecesThatOverlap(t *testing.T) {
	for _, n := range []int{2, 7, 8, 9, 15, 16, 40} {
		var points []Vec
		for i := range n {
			points = append(points, Vec{X: float64(i), Y: float64(i % 2)})
		}
		for _, loop := range []bool{false, true} {
			s, want := Chain(points...), points
			if loop {
				if n < 3 {
					continue
				}
				s, want = ClosedChain(points...), append(append([]Vec{}, points...), points[0])
			}
			var line []Vec
			got := shapesOf(t, s)
			for i, p := range got {
				g := p.Shape
				if g.Kind != body2d.Polyline || g.N < 2 || p.ID != got[0].ID {
					t.Fatalf("%d points: piece %+v", n, p)
				}
				for k, q := range g.Points[:g.N] {
					v := Vec{X: float64(q[0]), Y: float64(q[1])}
					if k == 0 && i > 0 {
						if line[len(line)-1] != v {
							t.Errorf("%d points: piece %d starts at %v", n, i, v)
						}
						continue
					}
					line = append(line, v)
				}
			}
			if len(line) != len(want) {
				t.Fatalf("%d points, loop %v: %d drawn", n, loop, len(line))
			}
			for i := range want {
				if line[i] != want[i] {
					t.Errorf("%d points: point %d is %v", n, i, line[i])
				}
			}
		}
	}
}

// The render side needs these records to answer queries with filters.
func TestARecordOfAShapeHasItsHandleAndFilter(t *testing.T) {
	r := newRig(t, Config{})
	var want []body2d.Filter
	var defs []ShapeDef
	for _, f := range []Filter{{}, {Category: 4, Mask: 3, Group: -2}} {
		d := Chain(make([]Vec, 20)...) // of several records
		for i := range d.Points {
			d.Points[i].X = float64(i)
		}
		d.Filter = f
		defs = append(defs, d)
	}
	want = []body2d.Filter{{Category: 1, Mask: AllCategories}, {Category: 4, Mask: 3, Group: -2}}
	b := r.body(BodyDef{Shapes: defs})
	r.start()
	shapes, err := r.Shapes(b)
	check(t, err)
	got := records(r.structure(), body2d.ShapeAdded)
	if len(got) != 6 {
		t.Fatalf("%d records of 2 chains of 20 points", len(got))
	}
	for i, s := range got {
		if s.Handle != uint64(shapes[i/3]) || s.Filter != want[i/3] {
			t.Errorf("record %d: handle %d, filter %v; want %d, %v", i, s.Handle, s.Filter, shapes[i/3], want[i/3])
		}
	}
}

func TestAPolygonIsItsHullCounterClockwise(t *testing.T) {
	s := Polygon(Vec{X: 0, Y: 0}, Vec{X: 0, Y: 2}, Vec{X: 2, Y: 2}, Vec{X: 2, Y: 0}, Vec{X: 1, Y: 1})
	s.Sensor, s.Colour = true, body2d.Colour{9, 9, 9, 9}
	got := shapesOf(t, s)
	if len(got) != 1 || got[0].Shape.Kind != body2d.Convex || got[0].Shape.N != 4 || !got[0].Shape.Sensor || got[0].Colour != s.Colour {
		t.Fatalf("records %+v", got)
	}
	p, area := got[0].Shape.Points, float32(0)
	for i := range 4 {
		a, b := p[i], p[(i+1)%4]
		area += a[0]*b[1] - a[1]*b[0]
	}
	if area != 8 {
		t.Errorf("twice the area is %v", area)
	}
}

func TestRecordsCarryTheFirstTickThatShowsThem(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	r.start()
	r.run(5)
	r.AddController(ControllerFunc(func(w *World, _ float64) { w.CreateBody(BodyDef{Name: "controller"}) }))
	r.AddContactHook(func(w *World, _ []Event) { w.CreateBody(BodyDef{Name: "hook"}) })
	r.apply(Command{Op: opCreateBody, Body: 1, BodyDef: &BodyDef{Name: "paused"}})
	r.capture() // tick 5 once more
	r.frame(1, Command{Op: opCreateBody, Body: 2, BodyDef: &BodyDef{Name: "before the step"}})
	want := map[string]uint64{"paused": 5, "before the step": 6, "controller": 6, "hook": 6}
	got := records(r.structure(), body2d.BodyAdded)
	if len(got) != len(want) {
		t.Fatalf("%d records", len(got))
	}
	for _, s := range got {
		if s.Tick != want[s.Name] {
			t.Errorf("%s: tick %d, want %d", s.Name, s.Tick, want[s.Name])
		}
	}
}

func TestRemovalsAreAnnounced(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	a, b := r.box(0, 0), r.box(5, 0)
	j := r.joint(JointDef{Kind: WeldJoint, A: a, B: b})
	k := r.joint(JointDef{Kind: RopeJoint, A: a, B: b, MaxLength: 9})
	shapes, _ := r.Shapes(a)
	r.start()
	added := r.structure()
	r.apply(Command{Op: opDestroyShape, Shape: shapes[0]}, Command{Op: opDestroyJoint, Joint: j})
	r.apply(Command{Op: opDestroyBody, Body: a})
	r.capture()
	got := r.structure()
	var kinds []body2d.StructureKind
	for _, s := range got {
		kinds = append(kinds, s.Kind)
	}
	want := []body2d.StructureKind{body2d.ShapeRemoved, body2d.JointRemoved, body2d.JointRemoved, body2d.BodyRemoved}
	if len(kinds) != len(want) {
		t.Fatalf("records %+v", got)
	}
	for i := range want {
		if kinds[i] != want[i] {
			t.Fatalf("kinds %v, want %v", kinds, want)
		}
	}
	if got[0].Slot != 0 || got[0].ID != records(added, body2d.ShapeAdded)[0].ID {
		t.Errorf("shape %+v", got[0])
	}
	joints := records(added, body2d.JointAdded)
	if got[1].ID != joints[0].ID || got[2].ID != joints[1].ID {
		t.Errorf("joints %d, %d", got[1].ID, got[2].ID)
	}
	if _, err := r.Joint(k); err == nil {
		t.Error("a joint outlived its body")
	}
}
