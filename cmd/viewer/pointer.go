package main

import (
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/internal/monotime"
	"halfstep/renderloop/glrender"
	"time"
)

// pressKey gives a key to a scene that the user drives, and otherwise to its action. taken says that a
// text field of the panel has used it. The scene is still told when the key is released, because it
// may have got the press.
func (v *panel) pressKey(e *input.Event, taken bool) error {
	down := e.Action != input.Release
	key := v.keys.key(e.Key)
	if taken && down || v.drive(key, down) || !down {
		return nil
	}
	if key == input.KeyZ && e.Mods&input.ModShift != 0 && e.Action == input.Press {
		return v.act(named("redo")) // Shift+Z, as in many programs
	}
	return v.press(key, e.Action == input.Repeat)
}

// drive gives an arrow key to a scene that the user can drive, and reports whether it has taken it.
func (v *panel) drive(key input.Key, down bool) bool {
	at, ok := arrowKeys[key]
	return ok && v.session.Wheel.Drive(at, down)
}

var arrowKeys = map[input.Key]int{input.KeyLeft: play.ArrowLeft, input.KeyRight: play.ArrowRight, input.KeyDown: play.ArrowDown, input.KeyUp: play.ArrowUp}

// cursor moves the cursor to a point of the window. With -compare, the same
// point of either half shows the same point of the world.
func (v *pointer) cursor(x, y float64) {
	half := v.picture.half()
	if o := v.session.Stage.Right; o != nil {
		if v.session.Stage.Drag.Body == 0 && o.Drag.Body == 0 && !v.picture.camera.panning {
			o.UnderCursor = x >= float64(half.W) // stays as it is during a drag
		}
		if o.UnderCursor {
			x -= float64(half.W)
		}
	}
	v.picture.camera.cursor(x, y, half)
}

// button is called when a mouse button is pressed or released. The left one drags
// a body, draws with a tool, or pans; the others pan.
func (v *pointer) button(b input.Button, down bool, at time.Time) {
	if b != input.MouseButtonLeft {
		v.picture.camera.panning = down
		if b == input.MouseButtonRight {
			v.rightButton(down, at)
		}
		return
	}
	v.panel.menu.open = false
	if !down {
		v.picture.camera.panning = false
		v.session.Stage.LetGo()
		v.released(at)
		return
	}
	// v.hud.now is the place of the button that leads back to the present.
	if unit := float32(glrender.Unit(v.picture.surface.Scale)); v.picture.hud.now.Has(float32(v.picture.camera.x)/unit, float32(v.picture.camera.y)/unit) {
		v.session.Uses.Count("now")
		v.session.Follow.ToNow()
		return
	}
	v.pressed(at)
	v.picture.hud.hint = time.Time{} // the user has found out how to drag
	if !v.session.Sketcher.Begin(v.picture.camera.world(v.picture.half()), v.picture.reach(grabWay)) && !v.grab() {
		v.picture.camera.panning = true
	}
}

// rightButton pans while it is held; a click opens the menu.
func (v *pointer) rightButton(down bool, at time.Time) {
	if down {
		v.panel.menu.open = false
		v.panel.pointer.press = press{x: v.picture.camera.x, y: v.picture.camera.y, at: at}
		return
	}
	p := &v.panel.pointer.press
	way := clickWay * max(1, v.picture.surface.Scale)
	if dx, dy := v.picture.camera.x-p.x, v.picture.camera.y-p.y; dx*dx+dy*dy <= way*way {
		v.panel.openMenu()
	}
}

// grabWay is how far from a body the cursor may be to take hold of it, in units.
const grabWay = 12

// grab takes hold of the body at or near the cursor, in both halves, and returns false
// if there is none. The body is picked in the half under the cursor. Its handle is the
// same in the other world.
func (v *pointer) grab() bool {
	at, under := v.picture.camera.world(v.picture.half()), v.session.Stage.Under()
	if !under.Drag.Hold(under.Player, under.Player.Near(at, v.picture.reach(grabWay)), at) {
		return false
	}
	v.session.Stage.Each(func(o *play.Side) {
		if o != under {
			o.Drag.Hold(o.Player, under.Drag.Body, at)
		}
	})
	return true
}

// pull pulls the held bodies towards the cursor. It is called in every frame,
// because the camera can move while the mouse does not. now is the time of the frames.
func (v *pointer) pull(now time.Duration) {
	if !v.dragging(monotime.Now()) {
		return
	}
	if v.session.Sketcher.Sketch.On {
		v.session.Sketcher.GoOn(v.picture.camera.world(v.picture.half()))
		return
	}
	if v.session.Stage.Shown.Recording != nil && v.session.Stage.Drag.Body == 0 || v.session.Travel.RefusesChange() { // refusesChange tells the user
		v.session.Stage.LetGo()
		return
	}
	at := v.picture.camera.world(v.picture.half())
	if under := v.session.Stage.Under(); under.Drag.Body != 0 && under.Drag.Joint == 0 && !v.session.Changes.BeginChange("drag") { // the joint is made now; undo removes it
		v.session.Stage.LetGo()
		return
	}
	v.session.Stage.Each(func(o *play.Side) { o.Drag.Move(o.Player, at, now) })
}
