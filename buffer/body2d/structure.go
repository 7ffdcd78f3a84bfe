package body2d

// StructureKind is the change that a Structure record describes.
type StructureKind uint8

// The kinds of Structure. Each comment lists the fields that the kind uses in addition to Kind and
// Tick.
const (
	// BodyAdded: Slot, Generation, Handle, Name, Mass, LocalX, LocalY, Colour, BodyType.
	BodyAdded StructureKind = iota
	// BodyChanged: the fields of BodyAdded, with new values.
	BodyChanged
	// BodyRemoved: Slot. The shapes of the body are also removed.
	BodyRemoved
	// ShapeAdded: Slot (of the shape's body), ID, Handle, Name, Shape, Filter, Colour. A chain
	// of more than MaxPoints points, or of several materials, has several records with the
	// same ID.
	ShapeAdded
	// ShapeRemoved: Slot, ID.
	ShapeRemoved
	// JointAdded: ID, Handle, Name, Joint.
	JointAdded
	// JointRemoved: ID.
	JointRemoved
)

// Structure is a record of one change: a body, shape or joint is added, changed or removed. Tick is
// the first tick for which the record is valid.
type Structure struct {
	Kind       StructureKind
	BodyType   uint8 // 0 static, 1 kinematic, 2 dynamic, as in Box2D
	Tick       uint64
	Slot       int32   // the index of the body in the states
	Generation uint32  // the generation of the slot, 24 bits
	ID         uint32  // the number of the shape or joint; each number is used once
	Handle     uint64  // the handle of the body, shape or joint; each handle is used once
	Name       string  // from the definition, or ""
	Mass       float32 // kg
	LocalX     float32
	LocalY     float32 // LocalX, LocalY is the centre of mass relative to the body's origin, in m
	Colour     Colour  // the zero Colour lets the renderer choose
	Shape      Geometry
	Joint      JointGeometry
	Filter     Filter // the shape's filter
}

// Filter has the categories of a shape, the categories that it collides with,
// and its group, as in Box2D.
type Filter struct {
	Category, Mask uint64
	Group          int16
}

// Colour is red, green, blue and alpha, from 0 to 255 each. Red, green and blue are not multiplied
// by alpha.
type Colour [4]uint8

// GeometryKind says how a Geometry uses its points.
type GeometryKind uint8

const (
	// Disc has its centre in Points[0] and its radius in Radius.
	Disc GeometryKind = iota
	// Convex is a polygon of 3 to 8 corners, counter-clockwise. A Radius above 0 makes the polygon
	// larger by the radius and rounds the corners. With 2 corners it is a capsule.
	Convex
	// Polyline is 2 to 8 points with a line from each point to the next.
	Polyline
)

// MaxPoints is the greatest number of points in a Geometry.
const MaxPoints = 8

// Geometry is a shape relative to the origin of its body, in m.
type Geometry struct {
	Kind   GeometryKind
	Sensor bool
	N      uint8 // the number of points
	// Material is a number that names the surface in queries.
	Material uint16
	Radius   float32
	Points   [MaxPoints][2]float32
}

// JointGeometry is how a joint is drawn: as a line from anchor A to anchor B.
type JointGeometry struct {
	// SlotA and SlotB are the slots of the bodies; -1 means that the anchor is
	// a point of the world.
	SlotA, SlotB int32
	// A and B are the anchors, relative to the origins of their bodies, in m.
	A, B [2]float32
	// Via are two fixed points of the world through which the line passes, such as the ground
	// anchors of a pulley, in m. Via is valid only if HasVia is true.
	Via    [2][2]float32
	HasVia bool
	// Hidden marks a joint without anchors (a gear).
	Hidden bool
	// Arms is true if both anchors are at the same point. The joint is then drawn as lines to this
	// point from the centres of mass of the bodies that are not static.
	Arms bool
	Kind uint8 // the number of a world.JointKind
}

// Debug is the optional debug data of a published state. It has data only while a debug layer is
// on. Later ticks use the same memory for the slices.
type Debug struct {
	Contacts []DebugContact
	Boxes    []DebugBox
	// Islands has a number for each slot. Dynamic bodies that contacts and joints connect have the
	// same number. A slot without a dynamic body has 0.
	Islands []int32
	// Drawn has the drawings of the program since the step before.
	Drawn []Drawing
}

// Drawing is a line from A to B, in m. If A and B are the same point, it is a dot at A, or the Text
// at A if Text is not empty. The zero Colour lets the renderer choose.
type Drawing struct {
	A, B   [2]float32
	Text   string
	Colour Colour
}

// MaxDrawings is the greatest number of drawings in a state.
const MaxDrawings = 1 << 16

// DebugContact is one point where two shapes touch.
type DebugContact struct {
	X, Y    float32 // m
	NX, NY  float32 // unit normal from shape A to shape B
	Impulse float32 // N·s
	// Friction is the impulse along the surface, in N·s. A positive impulse points to the right of
	// the normal.
	Friction float32
	// Colour is the number of the contact's colour in the soft step, from 1, or 0 if the contact
	// has no colour.
	Colour uint8
}

// DebugBox is an axis-aligned bounding box, in metres.
type DebugBox struct{ MinX, MinY, MaxX, MaxY float32 }
