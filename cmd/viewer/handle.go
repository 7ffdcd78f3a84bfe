package main

import (
	"math"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// takeInput does what the window system reported since the last frame.
func (v *viewer) takeInput() error {
	events := v.queue.swap(v.spare)
	for i := range events {
		if err := v.handle(&events[i]); err != nil {
			return err
		}
	}
	v.spare = events
	v.pull()
	return nil
}

func (v *viewer) handle(e *inputEvent) error {
	switch e.kind {
	case keyInput:
		if e.action != glfw.Release {
			return v.press(e.key, e.action == glfw.Repeat)
		}
	case buttonInput:
		v.button(e.button, e.action == glfw.Press)
	case cursorInput:
		v.cursor(e.x, e.y)
	case scrollInput:
		v.camera.zoom(math.Pow(zoomStep, max(-20, min(e.y, 20))), v.half())
	case surfaceInput:
		v.surface = e.surface
	case quitInput:
		v.quit()
	case sayInput:
		v.warn(e.text)
	}
	return nil
}

// quit ends the run after this frame.
func (v *viewer) quit() {
	v.quitting = true
	v.queue.quit()
}

func (v *viewer) button(b glfw.MouseButton, down bool) {
	if b != glfw.MouseButtonLeft {
		v.camera.panning = down
		return
	}
	if !down {
		v.camera.panning = false
		v.letGo()
		return
	}
	if !v.grab() {
		v.camera.panning = true
	}
}
