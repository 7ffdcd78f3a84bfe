package panel

import (
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/picture"
)

// Cursor moves the cursor to a point of the window. With -compare, the same point of either half
// shows the same point of the world.
func (v *pointer) Cursor(x, y float64) {
	half := v.picture.Half()
	if o := v.session.Stage.Right; o != nil {
		if v.session.Stage.Drag.Body == 0 && o.Drag.Body == 0 && !v.picture.Camera.Panning {
			o.UnderCursor = x >= float64(half.W) // the half under the cursor does not change during a drag
		}
		if o.UnderCursor {
			x -= float64(half.W)
		}
	}
	v.picture.Camera.Cursor(x, y, half)
}

// Button is called when a mouse button is pressed or released. The left button drags a body, draws
// with a tool, or pans. With Shift the left button chooses several bodies, in a frame or one by one.
// The other buttons pan.
func (v *pointer) Button(b input.Button, down bool, mods input.Mods) {
	if b != input.MouseButtonLeft {
		v.picture.Camera.Panning = down
		if b == input.MouseButtonRight {
			v.rightButton(down)
		}
		return
	}
	v.panel.Menu.Open = false
	if !down {
		v.picture.Camera.Panning = false
		v.session.Stage.EndDrag()
		v.released()
		return
	}
	// HUD.Now is the button that returns to the present
	if unit := float32(picture.Unit(v.picture.Surface.Scale)); v.picture.HUD.Now.Has(float32(v.picture.Camera.CursorX)/unit, float32(v.picture.Camera.CursorY)/unit) {
		v.session.Uses.Count("now")
		v.session.Follow.ToNow()
		return
	}
	v.pressed()
	if v.more = mods&input.ModShift != 0; v.more {
		v.session.Sketcher.BeginFrame(v.picture.Camera.World(v.picture.Half()))
		return
	}
	v.picture.HUD.Hint = time.Time{} // the user has found out how to drag
	if !v.session.Sketcher.Begin(v.picture.Camera.World(v.picture.Half()), v.picture.Reach(grabDistance)) && !v.grab() {
		v.picture.Camera.Panning = true
	}
}

// rightButton pans while the button is held. A click opens the menu.
func (v *pointer) rightButton(down bool) {
	if down {
		v.panel.Menu.Open = false
		v.Press = Press{x: v.picture.Camera.CursorX, y: v.picture.Camera.CursorY}
		return
	}
	p := &v.Press
	way := clickDistance * max(1, v.picture.Surface.Scale)
	if dx, dy := v.picture.Camera.CursorX-p.x, v.picture.Camera.CursorY-p.y; dx*dx+dy*dy <= way*way {
		v.panel.OpenMenu()
	}
}

// grabDistance is the greatest distance, in units, between the cursor and a body that it grabs.
const grabDistance = 12

// grab grabs the body at or near the cursor. It returns false if there is none.
func (v *pointer) grab() bool {
	return v.session.Stage.Grab(v.picture.Camera.World(v.picture.Half()), v.picture.Reach(grabDistance))
}

// Pull pulls the grabbed bodies towards the cursor. It is called in every frame, because the camera
// can move while the mouse does not. The parameter now is the sum of the frame times so far.
func (v *pointer) Pull(now time.Duration) {
	if !v.dragging() {
		return
	}
	if v.session.Sketcher.Sketch.On {
		v.session.Sketcher.GoOn(v.picture.Camera.World(v.picture.Half()))
		return
	}
	v.session.Changes.Pull(v.picture.Camera.World(v.picture.Half()), now)
}
