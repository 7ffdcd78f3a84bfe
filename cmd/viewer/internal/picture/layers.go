package picture

import (
	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

const defaultLayers = glrender.DefaultLayers | body2d.DrawnLayer

// ToggleLayer shows or hides a layer. The parameter does is the description of the layer.
// If the layer must stay empty, a message says why.
func (v *Picture) ToggleLayer(l body2d.Layers, does string) {
	v.Layers ^= l
	v.session.Stage.SetDebug(v.Layers)
	on := v.Layers&l != 0
	text := does + ": " + words.OnOff(on)
	switch {
	case !on:
	case l&body2d.PhysicsLayers&^body2d.DrawnLayer != 0 && v.session.Stage.Shown.Replay() != nil && v.session.Stage.Shown.Replay().States:
		text += "; the program sends states alone, which do not have them"
	case l == body2d.ColoursLayer && v.session.Stage.Stepper() != world.SoftStep:
		text += "; only the stepper soft has them"
	}
	v.Say(text)
}
