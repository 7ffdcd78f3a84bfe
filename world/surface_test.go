package world

import "testing"

func (r *rig) belt(speed float64) (Body, Shape) {
	r.t.Helper()
	s := Box(50, .5)
	s.SurfaceSpeed, s.Friction = speed, .8
	b := r.body(BodyDef{Position: Vec{Y: -.5}, Shapes: []ShapeDef{s}})
	shapes, _ := r.Shapes(b)
	return b, shapes[0]
}

func TestAConveyorCarriesWhatLiesOnItAtItsSpeed(t *testing.T) {
	for _, speed := range [...]float64{3, -2} {
		r := newRig(t, gravity())
		r.belt(speed)
		b := r.box(0, .5)
		ball := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 5, Y: .5}, FixedRotation: true, Shapes: []ShapeDef{Circle(.5)}})
		r.start()
		r.run(120)
		for _, b := range [...]Body{b, ball} {
			if v := r.speed(b).X; !near(v, speed, 1e-6) {
				t.Errorf("it moves at %v m/s, the belt at %v", v, speed)
			}
		}
	}
}

func TestAConveyorRunsClockwiseRoundItsShape(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	s := Box(5, .5)
	s.SurfaceSpeed, s.Friction = 1, 1
	r.body(BodyDef{Shapes: []ShapeDef{s}})
	above, below := r.thrown(0, 1.2, Vec{Y: -2}), r.thrown(0, -1.2, Vec{Y: 2})
	r.start()
	r.run(30)
	if a, b := r.speed(above).X, r.speed(below).X; a <= 0 || b >= 0 {
		t.Errorf("above %v m/s, below %v", a, b)
	}
}

func TestTheSpeedsOfTwoSurfacesAddUp(t *testing.T) {
	r := newRig(t, gravity())
	r.belt(1)
	s := Box(.5, .5)
	s.SurfaceSpeed, s.Friction = 2, .8
	b := r.body(BodyDef{Kind: Dynamic, Position: Vec{Y: .5}, FixedRotation: true, Shapes: []ShapeDef{s}})
	r.start()
	r.run(120)
	if v := r.speed(b).X; !near(v, 3, 1e-6) {
		t.Errorf("%v m/s", v)
	}
}

func TestAConveyorThatStartsWakesWhatLiesOnItAndOneThatStopsHoldsIt(t *testing.T) {
	r := newRig(t, gravity())
	_, belt := r.belt(0)
	b := r.box(0, .5)
	r.start()
	r.run(90)
	if r.isAwake(b) {
		t.Fatal("it is not asleep")
	}
	r.frame(60, Command{Op: opSetSurfaceSpeed, Shape: belt, X: 2})
	if v := r.speed(b).X; !near(v, 2, 1e-6) {
		t.Errorf("the belt moves at 2 m/s, it at %v", v)
	}
	if info, err := r.Shape(belt); err != nil || info.SurfaceSpeed != 2 {
		t.Errorf("shape %+v: %v", info, err)
	}
	r.frame(60, Command{Op: opSetSurfaceSpeed, Shape: belt})
	if v := r.speed(b).X; !near(v, 0, 1e-6) {
		t.Errorf("the belt stands, it moves at %v", v)
	}
}
