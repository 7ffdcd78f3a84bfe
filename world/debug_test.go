package world

import (
	"testing"

	"halfstep/buffer/body2d"
)

func debugOf(r *rig) *body2d.Debug {
	var d body2d.Debug
	r.CaptureDebug(body2d.DebugBoxes|body2d.DebugContacts, &d)
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
	r.CaptureDebug(0, d)
	if len(d.Boxes)+len(d.Contacts) != 0 {
		t.Error("layers that are off are filled")
	}
}
