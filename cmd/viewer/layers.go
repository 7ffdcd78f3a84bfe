package main

import (
	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/renderloop/draw"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

// The layers that draw.Painter draws over the world, together with the HUD. Bits below these are the
// layers of the renderer (package glrender).
const (
	boxesLayer glrender.Layers = 1 << (16 + iota)
	contactsLayer
	centresLayer
	namesLayer
	velocitiesLayer
	normalsLayer
	islandsLayer
	fastLayer
	coloursLayer
	drawnLayer

	defaultLayers = glrender.DefaultLayers | drawnLayer
)

// marks converts those of the layers that draw.Painter draws into its own constants.
func marks(l glrender.Layers) (to draw.Layers) {
	for _, m := range [...]struct {
		of glrender.Layers
		is draw.Layers
	}{
		{boxesLayer, draw.Boxes}, {contactsLayer, draw.Contacts}, {centresLayer, draw.Centres},
		{namesLayer, draw.Names}, {velocitiesLayer, draw.Velocities}, {normalsLayer, draw.Normals},
		{islandsLayer, draw.Islands}, {fastLayer, draw.Fast}, {coloursLayer, draw.Colours},
		{drawnLayer, draw.Drawn},
	} {
		if l&m.of != 0 {
			to |= m.is
		}
	}
	return to
}

// payload returns the debug data that physics has to add to each state so that the layers can be drawn.
func payload(l glrender.Layers) body2d.DebugLayers { return marks(l).Payload() }

// toggleLayer shows or hides the layer of an action. If the layer must stay empty, it says why.
func (v *viewer) toggleLayer(a *action) {
	v.layers ^= a.layer
	v.Stage.SetDebug(payload(v.layers))
	on := v.layers&a.layer != 0
	text := a.does + ": " + words.OnOff(on)
	switch {
	case !on:
	case payload(a.layer)&^body2d.DebugDrawn != 0 && v.Stage.Shown.Replay() != nil && v.Stage.Shown.Replay().States:
		text += "; the program sends states alone, which do not have them"
	case a.layer == coloursLayer && v.Stage.Stepper() != world.SoftStep:
		text += "; only the stepper soft has them"
	}
	v.Say(text)
}
