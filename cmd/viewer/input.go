package main

import (
	"math"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/internal/picture"
)

// takeInput handles the input since the last frame. The main thread puts the input into the
// queue.
func (v *viewer) takeInput() error {
	events := v.queue.Swap(v.spareEvents)
	v.answered(events)
	for i := range events {
		if err := v.handle(&events[i]); err != nil {
			return err
		}
	}
	v.spareEvents = events
	if err := v.panel.Run(); err != nil {
		return err
	}
	v.queue.QuitKey.Store(int32(v.panel.QuitsAtOnce()))
	if cross := v.picture.Tool() != "" && !v.panel.OnControls(); cross != v.cross {
		v.cross = cross
		v.screen.Cursor(cross)
	}
	v.picture.FitHome()
	v.panel.Pointer.Pull(v.elapsed)
	return nil
}

// handle gives an event to the panel. Unless the panel uses the event alone,
// handle also gives it to the rest of the viewer.
func (v *viewer) handle(e *input.Event) error {
	taken := v.panel.Feed(e)
	if e.Kind == input.KeyInput {
		return v.panel.PressKey(e, taken)
	}
	if taken {
		return nil
	}
	switch e.Kind {
	case input.ButtonInput:
		v.panel.Pointer.Button(e.Button, e.Action == input.Press, e.Mods)
	case input.CursorInput:
		v.panel.Pointer.Cursor(e.X, e.Y)
	case input.ScrollInput:
		v.picture.Camera.Zoom(math.Pow(picture.ZoomStep, max(-20, min(e.Y, 20))), v.picture.Half())
	case input.SurfaceInput:
		v.picture.Surface = e.Surface
	case input.LayoutInput:
		v.panel.Keys = panel.NewKeyboard(e.Names)
	case input.QuitInput:
		v.Quit() // there is no question here, because a signal or a click that closes the window is no mistake
	case input.CallInput:
		return e.Call()
	case input.DropInput:
		if len(e.Paths) > 0 {
			v.Session.Read(e.Paths[0])
		}
	}
	return nil
}

// Quit makes the run end after this frame.
func (v *viewer) Quit() {
	v.Stage.Quitting = true
	v.queue.Quit()
}
