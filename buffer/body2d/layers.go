package body2d

// Layers is a set of layers, which a picture shows in addition to the bodies. A renderer draws the
// layers that it knows. For the [PhysicsLayers], physics adds data to the states.
type Layers uint32

const (
	// JointsLayer draws a line for each joint.
	JointsLayer Layers = 1 << iota
	// GhostsLayer outlines each body at its previous (blue) and current (orange) state.
	GhostsLayer
	// SleepLayer dims bodies that sleep.
	SleepLayer
	// GridLayer draws the metre grid. The shaders know the layers up to GridLayer
	// (shaders/frame.glsl).
	GridLayer
	// BoxesLayer draws the bounding boxes of shapes: Debug.Boxes.
	BoxesLayer
	// ContactsLayer draws contact points, with the impulses of the normal and of friction:
	// Debug.Contacts.
	ContactsLayer
	// CentresLayer draws the axes of each body at its centre of mass.
	CentresLayer
	// VelocitiesLayer draws the distance that a body moves in a quarter of a second.
	VelocitiesLayer
	// NamesLayer writes the names of bodies.
	NamesLayer
	// NormalsLayer draws the normal of each side of polygons and of lines.
	NormalsLayer
	// IslandsLayer outlines each body in the colour of its island: Debug.Islands.
	IslandsLayer
	// ColoursLayer draws each contact point in a colour: Debug.Contacts, with
	// DebugContact.Colour. The soft step divides contacts into such colours, and solves the
	// contacts of one colour in parallel.
	ColoursLayer
	// FastLayer outlines bodies that move more than half of their thinnest shape in a step.
	FastLayer
	// DrawnLayer draws the program's own drawings in the world (World.DrawPoint,
	// DrawLine and DrawText): Debug.Drawn.
	DrawnLayer

	// PhysicsLayers are the layers for which physics adds debug data to the states.
	PhysicsLayers = BoxesLayer | ContactsLayer | IslandsLayer | ColoursLayer | DrawnLayer
)
