package main

import (
	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/renderloop/draw"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

// layers are layers of the picture, as bits.
type layers = glrender.Layers

// The layers that the renderer draws.
const (
	jointsLayer = glrender.Joints
	ghostsLayer = glrender.Ghosts
	sleepLayer  = glrender.Sleep
	gridLayer   = glrender.Grid
)

// The layers that draw.Painter draws over the world, together with the HUD. Bits below these are the
// layers of the renderer (package glrender).
const (
	boxesLayer layers = 1 << (16 + iota)
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
func marks(l layers) (to draw.Layers) {
	for _, m := range [...]struct {
		of layers
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
func payload(l layers) body2d.DebugLayers { return marks(l).Payload() }

// toggleLayer shows or hides a layer. does is what it is called. If the layer must stay empty, it says why.
func (v *picture) toggleLayer(l layers, does string) {
	v.layers ^= l
	v.session.Stage.SetDebug(payload(v.layers))
	on := v.layers&l != 0
	text := does + ": " + words.OnOff(on)
	switch {
	case !on:
	case payload(l)&^body2d.DebugDrawn != 0 && v.session.Stage.Shown.Replay() != nil && v.session.Stage.Shown.Replay().States:
		text += "; the program sends states alone, which do not have them"
	case l == coloursLayer && v.session.Stage.Stepper() != world.SoftStep:
		text += "; only the stepper soft has them"
	}
	v.Say(text)
}
