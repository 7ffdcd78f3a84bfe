package glrender

import (
	"halfstep/buffer/body2d"
)

// Layers is a set of things to draw besides the bodies. shaders/frame.glsl has the
// same bits.
type Layers uint32

const (
	// Joints draws a line for each joint.
	Joints Layers = 1 << iota
	// Boxes draws the bounding boxes in View.Debug.
	Boxes
	// Contacts draws the contact points and normals in View.Debug.
	Contacts
	// Centres marks the centres of mass.
	Centres
	// Ghosts outlines each body at its previous (blue) and current (orange)
	// state.
	Ghosts
	// Sleep dims sleeping bodies.
	Sleep
	// Grid draws the metre grid.
	Grid
)

// DefaultLayers are the layers of an ordinary picture.
const DefaultLayers = Joints | Sleep | Grid

// Payload is the debug data that the layers need in View.Debug.
func (l Layers) Payload() body2d.DebugLayers {
	var d body2d.DebugLayers
	if l&Boxes != 0 {
		d |= body2d.DebugBoxes
	}
	if l&Contacts != 0 {
		d |= body2d.DebugContacts
	}
	return d
}
