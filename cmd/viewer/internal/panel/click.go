package panel

import (
	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/internal/play"
)

// clickDistance is the greatest movement of the cursor during a click, in units (pixels of a display whose
// scale is 1). A longer movement is a drag.
const clickDistance = 4

// Press is the position in the world at which the left or the right button was pressed.
type Press struct {
	down bool    // down says that the left button is down.
	x, y float64 // x and y are where the cursor was, in pixels.
	drag bool    // drag says that the click has become a drag.
}

// pointer handles the mouse in the picture (field Panel.Pointer). This file distinguishes a click,
// which chooses a body, from a drag, which the file pointer.go handles.
type pointer struct {
	panel   *Panel
	session *play.Session
	picture *picture.Picture

	Press Press
	more  bool // more says that Shift was held, so that the clicked or framed bodies are added to the choice.
}

// pressed begins a click or a drag.
func (v *pointer) pressed() {
	v.Press = Press{down: true, x: v.picture.Camera.CursorX, y: v.picture.Camera.CursorY}
}

// dragging reports whether the press has become a drag.
func (v *pointer) dragging() bool {
	p := &v.Press
	if !p.down {
		return false
	}
	way := clickDistance * max(1, v.picture.Surface.Scale)
	if dx, dy := v.picture.Camera.CursorX-p.x, v.picture.Camera.CursorY-p.y; dx*dx+dy*dy > way*way {
		p.drag = true
	}
	return p.drag
}

// released ends a click or a drag. A click chooses the body at the cursor. After a drag a tool may
// have drawn a shape.
func (v *pointer) released() {
	v.dragging() // the cursor may have moved in this frame
	p := v.Press
	v.Press = Press{}
	if k := &v.session.Sketcher.Sketch; k.Frame && k.From == k.To {
		p.drag = false // a slow click
	}
	if p.drag && v.session.Sketcher.Sketch.On {
		v.session.Sketcher.GoOn(v.picture.Camera.World(v.picture.Half()))
		v.session.Sketcher.End(v.picture.Reach(grabDistance))
	}
	v.session.Sketcher.Sketch = play.Sketch{}
	if !p.down || p.drag {
		return
	}
	if v.session.Inspect.Pinned {
		v.picture.Say("the chosen body is kept: Keep on the page Body lets it go")
		return
	}
	at := v.picture.Camera.World(v.picture.Half())
	b := v.session.Stage.Under().Player.Near(at, v.picture.Reach(clickDistance))
	if v.more {
		v.session.Inspect.Toggle(b, v.session.Stage.CursorOnRight())
		v.session.Uses.Count("choose more")
		return
	}
	if right := v.session.Stage.CursorOnRight(); b != v.session.Inspect.Body || right != v.session.Inspect.Right {
		v.session.Inspect.ChooseIn(b, right)
		v.session.Uses.Count("select")
	}
	v.session.Inspect.More = nil
	if v.session.Inspect.Shape, v.session.Inspect.Joint = 0, 0; b != 0 {
		v.panel.Page = BodyPage
	}
}
