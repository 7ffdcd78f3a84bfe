package world

import "testing"

func TestTheShapesOfABodyThatACommandCreatesHaveTheHandlesThatItReturned(t *testing.T) {
	r := newRig(t, gravity())
	r.start()
	c := Commands{queue: atOnce{r}, handles: &r.handles}
	first := c.CreateBody(BodyDef{Shapes: []ShapeDef{Circle(1), Circle(2)}})
	b, shapes := c.CreateBodyWithShapes(BodyDef{Shapes: []ShapeDef{Circle(1), Box(1, 1), Circle(3)}})
	later := c.CreateShape(first, Circle(4))
	info, err := r.Body(b)
	check(t, err)
	if len(shapes) != 3 || shapes[0] == 0 {
		t.Fatalf("handles %v", shapes)
	}
	for i, kind := range []ShapeKind{CircleShape, PolygonShape, CircleShape} {
		if s, err := r.Shape(shapes[i]); err != nil || s.Body != b || s.Kind != kind {
			t.Errorf("shape %d of %v is %+v, %v", i, info, s, err)
		}
	}
	if s, err := r.Shape(later); err != nil || s.Body != first {
		t.Errorf("a shape that follows: %+v, %v", s, err)
	}
	if got := only(r.events(), CommandRejected); len(got) > 0 {
		t.Error(got)
	}
}

func TestACommandWithHandlesOfShapesThatItMustNotHaveIsRejected(t *testing.T) {
	r := newRig(t, gravity())
	r.start()
	def := &BodyDef{Shapes: []ShapeDef{Circle(1), Circle(2)}}
	r.apply(Command{Op: opCreateBody, Body: 1, Shape: 6, BodyDef: def})
	for _, first := range []Shape{0, 5, 6, 7, madeHere - 1, 1<<64 - 1} {
		r.apply(Command{Op: opCreateBody, Body: 2, Shape: first, BodyDef: def})
	}
	if n := r.World.Counts().Bodies; n != 1 || len(only(r.events(), CommandRejected)) != 6 {
		t.Errorf("%d bodies", n)
	}
}

func TestTheEventsOfTwoSegmentsOfAChainAreTwo(t *testing.T) {
	r := newRig(t, gravity())
	_, err := r.CreateBody(BodyDef{Shapes: []ShapeDef{Chain(Vec{X: -5, Y: 0}, Vec{X: 0, Y: 0}, Vec{X: 5, Y: 0})}})
	check(t, err)
	_, err = r.CreateBody(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: .45}, Shapes: []ShapeDef{Circle(.5)}})
	check(t, err)
	r.start()
	r.frame(1)
	begun := only(r.events(), ContactBegin)
	if len(begun) != 2 || (private{}).EventKey(&begun[0]) == (private{}).EventKey(&begun[1]) {
		t.Errorf("%v have one key", begun)
	}
}
