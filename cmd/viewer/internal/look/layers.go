package look

import (
	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/renderloop/draw"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

// Layers are layers of the picture, as bits.
type Layers = glrender.Layers

// The layers that the renderer draws.
const (
	JointsLayer = glrender.Joints
	GhostsLayer = glrender.Ghosts
	SleepLayer  = glrender.Sleep
	GridLayer   = glrender.Grid
)

// The layers that draw.Painter draws over the world, together with the HUD. Bits below these are the
// layers of the renderer (package glrender).
const (
	BoxesLayer Layers = 1 << (16 + iota)
	ContactsLayer
	CentresLayer
	NamesLayer
	VelocitiesLayer
	NormalsLayer
	IslandsLayer
	FastLayer
	ColoursLayer
	DrawnLayer

	defaultLayers = glrender.DefaultLayers | DrawnLayer
)

// marks converts those of the layers that draw.Painter draws into its own constants.
func marks(l Layers) (to draw.Layers) {
	for _, m := range [...]struct {
		of Layers
		is draw.Layers
	}{
		{BoxesLayer, draw.Boxes}, {ContactsLayer, draw.Contacts}, {CentresLayer, draw.Centres},
		{NamesLayer, draw.Names}, {VelocitiesLayer, draw.Velocities}, {NormalsLayer, draw.Normals},
		{IslandsLayer, draw.Islands}, {FastLayer, draw.Fast}, {ColoursLayer, draw.Colours},
		{DrawnLayer, draw.Drawn},
	} {
		if l&m.of != 0 {
			to |= m.is
		}
	}
	return to
}

// Payload returns the debug data that physics has to add to each state so that the layers can be drawn.
func Payload(l Layers) body2d.DebugLayers { return marks(l).Payload() }

// ToggleLayer shows or hides a layer. does is what it is called. If the layer must stay empty, it says why.
func (v *Picture) ToggleLayer(l Layers, does string) {
	v.Layers ^= l
	v.session.Stage.SetDebug(Payload(v.Layers))
	on := v.Layers&l != 0
	text := does + ": " + words.OnOff(on)
	switch {
	case !on:
	case Payload(l)&^body2d.DebugDrawn != 0 && v.session.Stage.Shown.Replay() != nil && v.session.Stage.Shown.Replay().States:
		text += "; the program sends states alone, which do not have them"
	case l == ColoursLayer && v.session.Stage.Stepper() != world.SoftStep:
		text += "; only the stepper soft has them"
	}
	v.Say(text)
}
