package main

import (
	"halfstep/buffer/body2d"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

// The layers of this program, which are drawn with the HUD over the world. The renderer's
// own have the bits below.
const (
	namesLayer glrender.Layers = 1 << (16 + iota)
	velocitiesLayer
	normalsLayer
	islandsLayer
	fastLayer
	coloursLayer

	drawnLayers = namesLayer - 1 // by the renderer
)

// payload is the debug data that layers need with every state.
func payload(l glrender.Layers) body2d.DebugLayers {
	d := l.Payload()
	if l&islandsLayer != 0 {
		d |= body2d.DebugIslands
	}
	if l&coloursLayer != 0 {
		d |= body2d.DebugContacts | body2d.DebugColours
	}
	return d
}

// toggleLayer shows or hides the layer of an action, and says why it stays empty if it
// does.
func (v *viewer) toggleLayer(a *action) {
	v.layers ^= a.layer
	v.setDebug(payload(v.layers))
	on := v.layers&a.layer != 0
	text := a.does + ": " + onOff(on)
	switch {
	case !on:
	case payload(a.layer) != 0 && v.replay != nil && v.replay.States:
		text += "; the program sends states alone, which do not have them"
	case a.layer == coloursLayer && v.stepper() != world.SoftStep:
		text += "; only the stepper soft has them"
	}
	v.say(text)
}
