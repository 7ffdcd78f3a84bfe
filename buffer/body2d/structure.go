package body2d

// StructureKind says what a Structure record changes.
type StructureKind uint8

// The kinds of Structure, with the fields each uses besides Kind and Tick.
const (
	// BodyAdded: Slot, Generation, Handle, Name, LocalX, LocalY, Colour, BodyType.
	BodyAdded StructureKind = iota
	// BodyChanged: the fields of BodyAdded, with new values.
	BodyChanged
	// BodyRemoved: Slot. Its shapes go with it.
	BodyRemoved
	// ShapeAdded: Slot (the body's), ID, Shape, Colour. A chain of more than
	// MaxPoints points comes as several records with one ID.
	ShapeAdded
	// ShapeRemoved: Slot, ID.
	ShapeRemoved
	// JointAdded: ID, Joint.
	JointAdded
	// JointRemoved: ID.
	JointRemoved
)

// Structure is one change to what exists: bodies, shapes and joints that come,
// change and go. What moves is not here, it is in BodyState. Structure travels
// in a log; Tick is the first tick whose states it describes.
type Structure struct {
	Kind       StructureKind
	BodyType   uint8 // as Box2D numbers them: 0 static, 1 kinematic, 2 dynamic
	Tick       uint64
	Slot       int32  // index of the body in the states
	Generation uint32 // of that slot, 24 bits
	ID         uint32 // of the shape or joint; not reused
	Handle     uint64 // the embedder's name for the body
	Name       string // the scene's name for the body, or ""
	LocalX     float32
	LocalY     float32 // centre of mass in the body's own frame, m
	Colour     Colour  // the zero Colour leaves the choice to the renderer
	Shape      Geometry
	Joint      JointGeometry
}

// Colour is red, green, blue, alpha, 0..255 each, alpha not premultiplied.
type Colour [4]uint8

// GeometryKind says how a Geometry's points are read.
type GeometryKind uint8

const (
	// Disc: Points[0] is the centre, Radius the radius.
	Disc GeometryKind = iota
	// Convex: 3 to 8 corners, counter-clockwise, and a rounding Radius (0 for
	// sharp corners).
	Convex
	// Polyline: 2 to 8 points joined by lines.
	Polyline
)

// MaxPoints is the number of points one Geometry holds.
const MaxPoints = 8

// Geometry is a shape in the frame of its body (the body's origin, not its
// centre of mass), in metres.
type Geometry struct {
	Kind   GeometryKind
	Sensor bool
	N      uint8 // points used
	Radius float32
	Points [MaxPoints][2]float32
}

// JointGeometry is what of a joint is drawn: a line from anchor A to anchor B.
type JointGeometry struct {
	// SlotA and SlotB are the bodies' indices; -1 means that the anchor is a
	// point of the world.
	SlotA, SlotB int32
	// A and B are the anchors in the frames (origins) of their bodies, m.
	A, B [2]float32
	// Via are two fixed points of the world that the line runs through
	// (a pulley's ground anchors), where HasVia is set.
	Via    [2][2]float32
	HasVia bool
	// Hidden marks a joint without anchors of its own (a gear).
	Hidden bool
}

// DebugLayers is a set of the optional payloads that a slot can carry.
type DebugLayers uint32

const (
	// DebugContacts fills Debug.Contacts.
	DebugContacts DebugLayers = 1 << iota
	// DebugBoxes fills Debug.Boxes.
	DebugBoxes
)

// Debug is the optional payload of a slot, filled only while a debug layer
// asks for it. The slices are reused from tick to tick.
type Debug struct {
	Contacts []DebugContact
	Boxes    []DebugBox
}

// DebugContact is one point where two shapes touch.
type DebugContact struct {
	X, Y    float32 // m
	NX, NY  float32 // unit normal from shape A to shape B
	Impulse float32 // N·s
}

// DebugBox is an axis-aligned bounding box, in metres.
type DebugBox struct{ MinX, MinY, MaxX, MaxY float32 }
