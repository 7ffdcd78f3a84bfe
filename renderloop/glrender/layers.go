package glrender

// Layers is a set of things to draw besides the bodies. shaders/frame.glsl has the
// same bits. A [draw.Painter] draws others over the picture.
type Layers uint32

const (
	// Joints draws a line for each joint.
	Joints Layers = 1 << iota
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
