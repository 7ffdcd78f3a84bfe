package main

import "github.com/go-gl/glfw/v3.3/glfw"

// cursor moves the cursor to a point of the window. With -compare, the same
// point of either half shows the same point of the world.
func (v *viewer) cursor(x, y float64) {
	half := v.half()
	if o := v.right; o != nil {
		if v.drag.body == 0 && o.drag.body == 0 && !v.camera.panning {
			o.underCursor = x >= float64(half.w)
		}
		if o.underCursor {
			x -= float64(half.w)
		}
	}
	v.camera.cursor(x, y, half)
}

// button is called when a button is pressed or released. The left one drags a
// body, or pans where there is none; the others pan.
func (v *viewer) button(b glfw.MouseButton, down bool) {
	if b != glfw.MouseButtonLeft {
		v.camera.panning = down
		return
	}
	if !down {
		v.camera.panning = false
		v.letGo()
		v.released()
		return
	}
	v.pressed()
	if !v.grab() {
		v.camera.panning = true
	}
}

// grab takes hold of the body under the cursor, in both halves. The body is
// picked in the half under the cursor. Its handle is the same in the other
// world.
func (v *viewer) grab() bool {
	at := v.camera.world(v.half())
	o := v.right
	if o == nil {
		return v.drag.grab(v.player, at)
	}
	if !o.underCursor {
		if !v.drag.grab(v.player, at) {
			return false
		}
		o.drag.hold(o.player, v.drag.body, at)
		return true
	}
	if !o.drag.grab(o.player, at) {
		return false
	}
	v.drag.hold(v.player, o.drag.body, at)
	return true
}

// pull pulls the held bodies towards the cursor. It is called in every frame,
// because the camera can move while the mouse does not.
func (v *viewer) pull() {
	if !v.dragging() {
		return
	}
	at := v.camera.world(v.half())
	v.drag.move(v.player, at)
	if v.right != nil {
		v.right.drag.move(v.right.player, at)
	}
}

// letGo releases the held bodies.
func (v *viewer) letGo() {
	v.drag.release(v.player)
	if v.right != nil {
		v.right.drag.release(v.right.player)
	}
}
