package world

import (
	"testing"
)

func TestSetKindKeepsColliding(t *testing.T) {
	r := newRig(t, gravity())
	ground := r.ground()
	b := r.box(0, .51)
	r.start()
	r.run(30)
	r.apply(Command{Op: opSetKind, Body: ground, N: int32(Kinematic)})
	for range 60 {
		r.run(1)
		if n := r.Counts().Contacts; n != 1 {
			t.Errorf("%d contacts", n)
		}
		if y := r.at(b).Y; y < .49 {
			t.Fatalf("the box sank to y = %v", y)
		}
	}
}

func TestSetKindAnnouncesTheBodyAnew(t *testing.T) {
	r := newRig(t, gravity())
	b := r.body(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{CircleAt(1, 0, .5)}})
	r.start()
	r.run(2)
	r.structure()
	r.frame(1, Command{Op: opSetKind, Body: b, N: int32(Static)})
	got := records(r.structure(), 1)
	if len(got) != 1 || BodyKind(got[0].BodyType) != Static || got[0].LocalX != 0 {
		t.Errorf("announced %+v", got)
	}
	if !r.has(b, 1<<1) {
		t.Error("its centre went to the origin, which is blended")
	}
}
