package world

import (
	"math"
	"testing"

	"halfstep/buffer/body2d"
)

func debugOf(r *rig) *body2d.Debug {
	var d body2d.Debug
	r.CaptureDebug(body2d.BoxesLayer|body2d.ContactsLayer, &d)
	return &d
}

func TestContactsOfTheDebugLayerCarryTheWeight(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	r.box(0, .51)
	r.start()
	r.run(25)
	d := debugOf(r)
	if len(d.Contacts) != 2 {
		t.Fatalf("%d contact points", len(d.Contacts))
	}
	sum := float32(0)
	for _, c := range d.Contacts {
		sum += c.Impulse
		if !near(float64(c.Y), 0, .02) || !near(float64(c.NY), 1, 1e-3) {
			t.Errorf("contact %+v", c)
		}
	}
	if !near(float64(sum), 10*dt, 1e-3) {
		t.Errorf("impulse %v, want m·g·dt = %v", sum, 10*dt)
	}
	r.CaptureDebug(body2d.ColoursLayer, d)
	if len(d.Contacts) != 2 || len(d.Boxes) != 0 {
		t.Errorf("for the colours of contacts, %d contact points and %d boxes", len(d.Contacts), len(d.Boxes))
	}
	r.CaptureDebug(0, d)
	if len(d.Boxes)+len(d.Contacts) != 0 {
		t.Error("layers that are off are filled")
	}
}

func TestIslandsAreWhatContactsAndJointsConnect(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	a, b, alone, hung := r.box(0, .51), r.box(0, 1.52), r.box(5, .51), r.box(9, 3)
	if _, err := r.CreateJoint(JointDef{Kind: DistanceJoint, A: hung, B: alone, AnchorA: Vec{X: 9, Y: 3}, AnchorB: Vec{X: 5, Y: .5}, Length: 5}); err != nil {
		t.Fatal(err)
	}
	r.start()
	r.run(25)
	var d body2d.Debug
	for range 2 { // the second run reuses the memory of the first
		r.CaptureDebug(body2d.IslandsLayer, &d)
	}
	of := func(n Body) int32 { return d.Islands[slotOf(r.BodyPointer(n))] }
	if of(a) == 0 || of(a) != of(b) || of(a) == of(alone) || of(alone) == 0 || of(alone) != of(hung) {
		t.Errorf("a stack is in %d and %d, two on a joint in %d and %d", of(a), of(b), of(alone), of(hung))
	}
	for n := range r.Bodies() {
		if i, _ := r.Body(n); i.Kind == Static && of(n) != 0 {
			t.Errorf("the ground is in island %d", of(n))
		}
	}
}

func TestContactsOfOneColourShareNoBody(t *testing.T) {
	cfg := gravity()
	cfg.Stepper = SoftStep
	r := newRig(t, cfg)
	r.ground()
	for i := range 6 {
		r.box(0, .5+float64(i))
	}
	r.start()
	r.run(5)
	var d body2d.Debug
	r.CaptureDebug(body2d.ContactsLayer|body2d.ColoursLayer, &d)
	at := map[uint8]float32{} // by colour, the last place of a point
	colours := map[uint8]bool{}
	for _, c := range d.Contacts {
		if c.Colour == 0 {
			t.Errorf("a contact at y = %v has none", c.Y)
		}
		colours[c.Colour] = true
		if y, ok := at[c.Colour]; ok && !near(float64(y), float64(c.Y), .1) && near(float64(y), float64(c.Y), 1.5) {
			t.Errorf("contacts at y = %v and %v, of one box, have colour %d", y, c.Y, c.Colour)
		}
		at[c.Colour] = c.Y
	}
	if len(colours) < 2 || len(d.Contacts) < 12 {
		t.Errorf("%d colours of %d contact points", len(colours), len(d.Contacts))
	}
	r.CaptureDebug(body2d.ContactsLayer, &d)
	for _, c := range d.Contacts {
		if c.Colour != 0 {
			t.Fatal("they are told without being asked for")
		}
	}
}

func TestBoxesOfTheDebugLayerHoldTheirShapes(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	r.body(BodyDef{Position: Vec{X: 3, Y: 4}, Angle: math.Pi / 2, Shapes: []ShapeDef{Box(2, 1), Circle(.5),
		Edge(Vec{X: 0, Y: 0}, Vec{X: 2, Y: 0}), Chain(Vec{X: 0, Y: 0}, Vec{X: 1, Y: 0}, Vec{X: 1, Y: 1})}})
	r.start()
	d := debugOf(r)
	want := [][4]float32{{2, 2, 4, 6}, {2.5, 3.5, 3.5, 4.5}, {3, 4, 3, 6}, {3, 4, 3, 5}, {2, 5, 3, 5}}
	if len(d.Boxes) != len(want) {
		t.Fatalf("%d boxes", len(d.Boxes))
	}
	for i, b := range d.Boxes {
		for k, x := range [4]float32{b.MinX, b.MinY, b.MaxX, b.MaxY} {
			if !near(float64(x), float64(want[i][k]), 1e-5) {
				t.Errorf("box %d: %+v, want %v", i, b, want[i])
				break
			}
		}
	}
}
