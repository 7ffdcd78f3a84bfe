package ui

import (
	"testing"
	"time"
)

// desk is a Context with a clock that the test moves. Every character is 7 units
// wide.
type desk struct {
	*Context
	t   *testing.T
	now time.Time
	lay func(c *Context)
}

func newDesk(t *testing.T, lay func(c *Context)) *desk {
	d := &desk{New(func(_ Face, s string) float32 { return 7 * float32(len(s)) }), t, time.Unix(1000, 0), lay}
	d.frame()
	return d
}

// frame runs frames until all events are handled.
func (d *desk) frame() {
	for first := true; first || len(d.events) > 0; first = false {
		d.now = d.now.Add(20 * time.Millisecond)
		d.Begin(400, 300, d.now)
		d.lay(d.Context)
		d.End()
	}
}

func (d *desk) rest(by time.Duration) { d.now = d.now.Add(by) }

func (d *desk) at(x, y float32) { d.Feed(Event{Kind: Move, X: x, Y: y}) }

// click presses and releases the button at a point, between two frames.
func (d *desk) click(x, y float32) {
	d.at(x, y)
	d.Feed(Event{Kind: Press})
	d.Feed(Event{Kind: Release})
	d.frame()
}

// on returns the middle of a control.
func (d *desk) on(name string) (x, y float32) {
	d.t.Helper()
	r, ok := d.Find(name)
	if !ok {
		d.t.Fatalf("no control %s", name)
	}
	return r.X + r.W/2, r.Y + r.H/2
}

func (d *desk) write(text string) {
	for _, r := range text {
		d.Feed(Event{Kind: Char, Rune: r})
	}
	d.frame()
}

func (d *desk) key(k Key) {
	d.Feed(Event{Kind: KeyPress, Key: k})
	d.frame()
}
