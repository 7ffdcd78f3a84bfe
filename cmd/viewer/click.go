package main

import (
	"halfstep/cmd/viewer/internal/play"
	"time"
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

// pointer is the mouse in the picture: it drags and chooses bodies, draws with a tool, and pans.
type pointer struct {
	panel   *panel
	session *play.Session
	picture *picture

	press press // of the left or right button
}

// pressed begins a click or a drag.
func (v *pointer) pressed(at time.Time) {
	v.panel.pointer.press = press{down: true, x: v.picture.camera.x, y: v.picture.camera.y, at: at}
}

// dragging reports whether the press has become a drag.
func (v *pointer) dragging(now time.Time) bool {
	p := &v.panel.pointer.press
	if !p.down {
		return false
	}
	way := clickWay * max(1, v.picture.surface.Scale)
	if dx, dy := v.picture.camera.x-p.x, v.picture.camera.y-p.y; dx*dx+dy*dy > way*way || now.Sub(p.at) > clickTime {
		p.drag = true
	}
	return p.drag
}

// released ends a click, which chooses the body at the cursor, or a drag, with which a tool may have
// drawn something (see tools.go).
func (v *pointer) released(when time.Time) {
	v.dragging(when) // becomes a drag if the button was held too long for a click
	p := v.panel.pointer.press
	v.panel.pointer.press = press{}
	if p.drag && v.session.Sketcher.Sketch.On {
		v.session.Sketcher.GoOn(v.picture.camera.world(v.picture.half()))
		v.session.Sketcher.End(v.picture.reach(grabWay))
	}
	v.session.Sketcher.Sketch = play.Sketch{}
	if !p.down || p.drag {
		return
	}
	if v.session.Inspect.Pinned {
		v.picture.Say("the chosen body is kept: Keep on the page Body lets it go")
		return
	}
	at := v.picture.camera.world(v.picture.half())
	b := v.session.Stage.Under().Player.Near(at, v.picture.reach(clickWay))
	if right := v.session.Stage.OverRight(); b != v.session.Inspect.Body || right != v.session.Inspect.Right {
		v.session.Inspect.ChooseIn(b, right)
		v.session.Uses.Count("select")
	}
	if v.session.Inspect.Shape, v.session.Inspect.Joint = 0, 0; b != 0 {
		v.panel.page = bodyPage
	}
}
