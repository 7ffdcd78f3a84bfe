package world

import (
	"errors"
	"testing"

	"halfstep/buffer/body2d"
)

// onGround is a world with a box that sleeps on a ground. It returns the
// shapes of both.
func onGround(t *testing.T, cfg Config) (r *rig, box Body, shape, ground Shape) {
	r = newRig(t, cfg)
	g := r.body(BodyDef{Shapes: []ShapeDef{Edge(Vec{X: -100, Y: 0}, Vec{X: 100, Y: 0})}})
	box = r.box(0, .5)
	r.start()
	r.run(90)
	if r.isAwake(box) {
		t.Fatal("the box does not sleep")
	}
	r.events()
	r.structure()
	of := func(b Body) Shape {
		s, err := r.Shapes(b)
		check(t, err)
		return s[0]
	}
	return r, box, of(box), of(g)
}

func (r *rig) shape(s Shape) ShapeInfo {
	r.t.Helper()
	i, err := r.Shape(s)
	check(r.t, err)
	return i
}

func TestFrictionCountsAtOnceForWhatAlreadyTouches(t *testing.T) {
	for name, cfg := range eachWay(gravity()) {
		r, box, shape, ground := onGround(t, cfg)
		check(t, r.SetGravity(Vec{X: 1.5, Y: -10})) // like a slope on which a friction of 0.2 holds the box
		r.run(60)
		if p := r.at(box); !near(p.X, 0, .01) {
			t.Fatalf("%s: it slides at once: %v", name, p)
		}
		r.run(60)
		r.frame(1, Command{Op: opSetFriction, Shape: ground})
		r.run(59)
		if v := r.speed(box); !near(v.X, 1.5, .05) {
			t.Errorf("%s: after a second on ice: %v", name, v)
		}
		r.frame(1, Command{Op: opSetFriction, Shape: ground, X: 4}, Command{Op: opSetFriction, Shape: shape, X: 1})
		r.run(30)
		if v := r.speed(box); !near(v.X, 0, .02) {
			t.Errorf("%s: on rubber: %v", name, v)
		}
		if i := r.shape(shape); i.Friction != 1 {
			t.Errorf("%s: %+v", name, i)
		}
	}
}

func TestRestitutionCountsAtOnceForWhatAlreadyTouches(t *testing.T) {
	for name, cfg := range eachWay(gravity()) {
		r, box, shape, _ := onGround(t, cfg)
		check(t, r.SetRestitution(shape, 1))
		if r.isAwake(box) {
			t.Errorf("%s: it wakes what lies still", name)
		}
		check(t, r.SetVelocity(box, Vec{X: 0, Y: -5}))
		r.run(1)
		if v := r.speed(box); !near(v.Y, 5, .3) {
			t.Errorf("%s: it comes back with %v", name, v)
		}
		if i := r.shape(shape); i.Restitution != 1 {
			t.Errorf("%s: %+v", name, i)
		}
	}
}

func TestTheMassFollowsTheDensity(t *testing.T) {
	r := newRig(t, gravity())
	b := r.body(BodyDef{Kind: Dynamic, Asleep: true, Shapes: []ShapeDef{CircleAt(-1, 0, .5), CircleAt(1, 0, .5)}})
	given := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 9, Y: 0}, Mass: &Mass{Mass: 7, Centre: Vec{X: .25, Y: 0}, Inertia: 3}, Shapes: []ShapeDef{Box(1, 1)}})
	r.start()
	r.structure()
	one, _ := r.massOf(b)
	shapes, _ := r.Shapes(b)
	check(t, r.SetDensity(shapes[1], 3))
	i := r.info(b)
	if !near(i.Mass, 2*one, 1e-12) || !nearVec(i.Centre, Vec{X: .5, Y: 0}, 1e-12) || !i.Awake {
		t.Errorf("%+v", i)
	}
	if s := r.shape(shapes[1]); s.Density != 3 {
		t.Errorf("%+v", s)
	}
	if all := r.structure(); len(all) != 1 || all[0].Kind != body2d.BodyChanged || all[0].LocalX != .5 {
		t.Errorf("records %+v", all)
	}
	r.run(1)
	if !r.has(b, body2d.Jump) {
		t.Error("the way of its centre is blended")
	}
	own, _ := r.Shapes(given)
	check(t, r.SetDensity(own[0], 1e3))
	check(t, r.ReplaceShape(own[0], Circle(9)))
	if m, inertia := r.massOf(given); m != 7 || !near(inertia, 3-7./16, 1e-12) {
		t.Errorf("the mass given outright is %v, %v", m, inertia)
	}
}

func TestAFilterCountsFromTheNextStep(t *testing.T) {
	for name, cfg := range eachWay(gravity()) {
		r, box, shape, _ := onGround(t, cfg)
		r.frame(1, Command{Op: opSetFilter, Shape: shape, Filter: Filter{Group: -1, Category: 2, Mask: 4}})
		if got := only(r.events(), ContactEnd); len(got) != 1 {
			t.Errorf("%s: events %v", name, got)
		}
		r.run(5)
		if p := r.at(box); p.Y > .48 {
			t.Errorf("%s: it stays at %v", name, p)
		}
		if i := r.shape(shape); i.Filter != (Filter{Group: -1, Category: 2, Mask: 4}) {
			t.Errorf("%s: %+v", name, i)
		}
		r.frame(1, Command{Op: opSetFilter, Shape: shape})
		if got := only(r.events(), ContactBegin); len(got) != 1 {
			t.Errorf("%s: events %v", name, got)
		}
	}
}

func TestAShapeBecomesASensorAndSolidAgain(t *testing.T) {
	for name, cfg := range eachWay(gravity()) {
		r, box, shape, _ := onGround(t, cfg)
		r.frame(1, Command{Op: opSetSensor, Shape: shape, On: true})
		all := r.events()
		if len(only(all, ContactEnd)) != 1 || len(only(all, SensorBegin)) != 1 || len(only(all, ContactBegin)) != 0 {
			t.Errorf("%s: events %v", name, all)
		}
		recs := r.structure()
		if len(recs) != 2 || recs[0].Kind != body2d.ShapeRemoved || recs[1].Kind != body2d.ShapeAdded || recs[0].ID != recs[1].ID || !recs[1].Shape.Sensor {
			t.Errorf("%s: records %+v", name, recs)
		}
		if !r.shape(shape).Sensor {
			t.Errorf("%s: it says that it is none", name)
		}
		r.run(10)
		if p := r.at(box); p.Y > .4 {
			t.Errorf("%s: it stays at %v", name, p)
		}
		r.events()
		r.frame(1, Command{Op: opSetSensor, Shape: shape})
		all = r.events()
		if len(only(all, SensorEnd)) != 1 || len(only(all, ContactBegin)) != 1 {
			t.Errorf("%s: events %v", name, all)
		}
	}
}

func TestAReplacedShapeActsAndLooksLikeTheNewOne(t *testing.T) {
	for name, cfg := range eachWay(gravity()) {
		r, box, shape, ground := onGround(t, cfg)
		ball := CircleAt(.1, 0, 2)
		ball.Name, ball.User, ball.Density, ball.Friction = "ball", 5, 2, .7
		r.frame(1, Command{Op: opReplaceShape, Shape: shape, ShapeDef: &ball})
		want := ShapeInfo{Body: box, Name: "ball", User: 5, Kind: CircleShape, Density: 2, Friction: .7, Filter: Filter{1, AllCategories, 0}}
		if i := r.shape(shape); i != want {
			t.Errorf("%s: %+v", name, i)
		}
		all := r.events()
		if len(only(all, ContactEnd)) != 1 || len(only(all, ContactBegin)) != 1 {
			t.Errorf("%s: events %v", name, all)
		}
		recs := r.structure()
		if len(recs) != 3 || recs[0].Kind != body2d.ShapeRemoved || recs[1].Kind != body2d.ShapeAdded || recs[2].Kind != body2d.BodyChanged ||
			recs[1].Shape.Kind != body2d.Disc || recs[1].Shape.Radius != 2 || recs[2].LocalX != .1 {
			t.Errorf("%s: records %+v", name, recs)
		}
		if m, _ := r.massOf(box); !near(m, 25.13, .01) {
			t.Errorf("%s: mass %v", name, m)
		}
		r.run(300)
		if c := r.info(box).Centre; !near(c.Y, 2, .05) {
			t.Errorf("%s: it rests at %v", name, c)
		}
		if hit, ok, _ := r.Query(QueryFilter{}).RayCast(Vec{X: 0, Y: 9}, Vec{X: 0, Y: 0}); !ok || hit.Shape != shape || !near(hit.Point.Y, 4, .1) {
			t.Errorf("%s: a ray meets %+v", name, hit)
		}
		// The ground becomes a chain, which has more proxies than the box before, and
		// is lower.
		hills := Chain(Vec{X: -50, Y: -1}, Vec{X: -2, Y: -1}, Vec{X: 2, Y: -1}, Vec{X: 50, Y: -1})
		r.frame(300, Command{Op: opReplaceShape, Shape: ground, ShapeDef: &hills})
		if c := r.info(box).Centre; !near(c.Y, 1, .05) {
			t.Errorf("%s: on the chain it rests at %v", name, c)
		}
		if n := r.Counts().Contacts; n > 3 {
			t.Errorf("%s: %d contacts", name, n)
		}
		check(t, r.DestroyShape(shape))
		check(t, r.DestroyShape(ground))
		r.run(5)
		if n := r.Counts().Contacts; n != 0 {
			t.Errorf("%s: %d contacts of nothing", name, n)
		}
	}
}

func TestAShapeReplacedInAHookIsAnnouncedInOrder(t *testing.T) {
	r, _, shape, _ := onGround(t, gravity())
	sizes := []float64{.5, .6, .7}
	r.AddContactHook(func(w *World, _ []Event) {
		if len(sizes) > 0 {
			check(t, w.ReplaceShape(shape, Circle(sizes[0])))
			sizes = sizes[1:]
		}
	})
	r.run(5)
	drawn := 1
	for _, s := range r.structure() {
		switch s.Kind {
		case body2d.ShapeAdded:
			drawn++
		case body2d.ShapeRemoved:
			drawn--
		}
		if drawn < 0 || drawn > 1 {
			t.Fatalf("%d shapes are drawn for one", drawn)
		}
	}
	if drawn != 1 {
		t.Error("it is not drawn any more")
	}
}

func TestADisabledBodysShapesAreEdited(t *testing.T) {
	for name, cfg := range eachWay(gravity()) {
		r, box, shape, _ := onGround(t, cfg)
		r.frame(2, Command{Op: opSetEnabled, Body: box},
			Command{Op: opReplaceShape, Shape: shape, ShapeDef: &ShapeDef{Kind: CircleShape, Points: []Vec{{}}, Radius: 1, Density: 1}},
			Command{Op: opSetSensor, Shape: shape, On: true}, Command{Op: opSetSensor, Shape: shape},
			Command{Op: opSetFilter, Shape: shape, Filter: Filter{Category: 1, Mask: 1}}, Command{Op: opSetFriction, Shape: shape, X: 1})
		r.frame(200, Command{Op: opSetEnabled, Body: box, On: true})
		if p := r.at(box); !near(p.Y, 1, .05) || len(only(r.events(), CommandRejected)) > 0 {
			t.Errorf("%s: it is at %v", name, p)
		}
	}
}

func TestAnEditThatWouldCrowdTheWorldIsRefused(t *testing.T) {
	everyStepper(t, Config{NoGravity: true, MaxContacts: 45}, func(t *testing.T, w *driven) {
		apart := Filter{Group: -1}
		var shapes []Shape
		for range 12 {
			d := disc(0, 0)
			d.Shapes[0].Filter = apart
			b, err := w.CreateBody(d)
			check(t, err)
			s, _ := w.Shapes(b)
			shapes = append(shapes, s...)
		}
		refused := 0
		for _, s := range shapes {
			if err := w.SetFilter(s, Filter{}); errors.Is(err, ErrCrowded) {
				refused++
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if refused == 0 {
			t.Error("66 contacts fit into 45")
		}
		w.Step(1, dt)
		full := w.Counts().Contacts
		if full > 46 {
			t.Errorf("%d contacts", full)
		}
		// A new shape in the place of an old one is not counted twice.
		for _, s := range shapes[:3] {
			check(t, w.ReplaceShape(s, Circle(.4)))
			w.Step(2, dt)
		}
	})
}
