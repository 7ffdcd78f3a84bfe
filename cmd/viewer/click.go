package main

import (
	"time"

	"halfstep/internal/within"
	"halfstep/world"
)

// clickTime and clickWay are how long a click may last and how far the cursor may
// move during it; beyond that it is a drag.
const (
	clickTime = 250 * time.Millisecond
	clickWay  = 4 // units: pixels of a display whose scale is 1
)

// press is the press of the left button on the world.
type press struct {
	down bool
	x, y float64   // where the cursor was, pixels
	at   time.Time // when
	drag bool      // the click has become a drag
}

// pressed begins a click or a drag.
func (v *viewer) pressed(at time.Time) {
	v.press0 = press{down: true, x: v.camera.x, y: v.camera.y, at: at}
}

// dragging reports whether the press has become a drag.
func (v *viewer) dragging(now time.Time) bool {
	p := &v.press0
	if !p.down {
		return false
	}
	way := clickWay * max(1, v.surface.scale)
	if dx, dy := v.camera.x-p.x, v.camera.y-p.y; dx*dx+dy*dy > way*way || now.Sub(p.at) > clickTime {
		p.drag = true
	}
	return p.drag
}

// released ends a click, which chooses the body at the cursor, or a drag, with which a tool may have
// drawn something (see tools.go).
func (v *viewer) released(when time.Time) {
	v.dragging(when) // becomes a drag if the button was held too long for a click
	p := v.press0
	v.press0 = press{}
	if p.drag && v.sketch.on {
		v.goOnSketching()
		v.endSketch()
	}
	v.sketch = sketch{}
	if !p.down || p.drag {
		return
	}
	if v.inspect.pinned {
		v.say("the chosen body is kept: Keep on the page Body lets it go")
		return
	}
	at := v.camera.world(v.half())
	b := v.near(v.under().player, at, clickWay)
	if right := v.overRight(); b != v.inspect.body || right != v.inspect.right {
		v.inspect.chooseIn(b, right)
		v.countUse("select")
	}
	if v.inspect.shape, v.inspect.joint = 0, 0; b != 0 {
		v.panel.page = bodyPage
	}
}

// near returns the body that is shown at a point, or else one within way units of it, because lines
// and planks are thin. It prefers bodies that can move.
func (v *viewer) near(e *player, at world.Vec, way float64) (found world.Body) {
	if b, ok := e.pick(at); ok {
		return b
	}
	half := v.half()
	reach := way * max(1, half.scale) / v.camera.Scale(half.h) // m
	_ = within.World.NewQuery(within.Index(e.View()), world.QueryFilter{}).Overlap(world.Circle(reach), at, 0, func(b world.Body, _ world.Shape) bool {
		found = b
		return e.kind(b) == world.Static // go on, there may be one that can move
	})
	return found
}

// under returns the side (the engine and its view) that the cursor is over.
func (s *session) under() *side {
	if s.overRight() {
		return &s.right.side
	}
	return &s.side
}

// overRight reports whether the cursor is in the right half of a comparison.
func (s *session) overRight() bool { return s.right != nil && s.right.underCursor }
