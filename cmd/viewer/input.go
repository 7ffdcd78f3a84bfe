package main

import (
	"math"

	"halfstep/cmd/viewer/internal/input"
)

// takeInput handles the input since the last frame. The main thread puts it into the queue (queue.go).
func (v *viewer) takeInput() error {
	events := v.queue.Swap(v.spareEvents)
	v.answered(events)
	for i := range events {
		if err := v.handle(&events[i]); err != nil {
			return err
		}
	}
	v.spareEvents = events
	if err := v.panel.run(); err != nil {
		return err
	}
	v.picture.fitHome()
	v.panel.pointer.pull(v.elapsed)
	return nil
}

// handle gives an event to the panel, and to the rest of the viewer if the panel has not taken it.
func (v *viewer) handle(e *input.Event) error {
	taken := v.panel.feed(e)
	if e.Kind == input.KeyInput {
		return v.panel.pressKey(e, taken)
	}
	if taken {
		return nil
	}
	switch e.Kind {
	case input.ButtonInput:
		v.panel.pointer.button(e.Button, e.Action == input.Press, e.At)
	case input.CursorInput:
		v.panel.pointer.cursor(e.X, e.Y)
	case input.ScrollInput:
		v.picture.camera.zoom(math.Pow(zoomStep, max(-20, min(e.Y, 20))), v.picture.half())
	case input.SurfaceInput:
		v.picture.surface = e.Surface
	case input.LayoutInput:
		v.panel.keys = newKeyboard(e.Names)
	case input.QuitInput:
		v.quit() // without asking: a signal, or a click that closes the window, is no mistake
	case input.CallInput:
		return e.Call()
	case input.DropInput:
		if len(e.Paths) > 0 {
			v.Session.Read(e.Paths[0])
		}
	}
	return nil
}

// quit ends the run after this frame.
func (v *viewer) quit() {
	v.Stage.Quitting = true
	v.queue.Quit()
}
