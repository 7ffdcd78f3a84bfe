package main

import (
	"halfstep/buffer/body2d"
	"halfstep/renderloop/draw"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

// The layers that a painter draws over the world, with the HUD. The renderer's own have the
// bits below.
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

// marks are those of the layers that a painter draws, as package draw names them.
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

// payload is the debug data that physics has to add to every state for the layers.
func payload(l glrender.Layers) body2d.DebugLayers { return marks(l).Payload() }

// toggleLayer shows or hides the layer of an action, and says why it stays empty if it
// does.
func (v *viewer) toggleLayer(a *action) {
	v.layers ^= a.layer
	v.setDebug(payload(v.layers))
	on := v.layers&a.layer != 0
	text := a.does + ": " + onOff(on)
	switch {
	case !on:
	case payload(a.layer)&^body2d.DebugDrawn != 0 && v.replay != nil && v.replay.States:
		text += "; the program sends states alone, which do not have them"
	case a.layer == coloursLayer && v.stepper() != world.SoftStep:
		text += "; only the stepper soft has them"
	}
	v.say(text)
}
