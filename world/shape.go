package world

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
)

// ShapeKind is the kind of a shape; it determines the meaning of ShapeDef.Points.
type ShapeKind uint8

// The kinds of shape. Edges and chains are lines: they have no area and no mass, and do
// not collide with each other.
const (
	CircleShape      ShapeKind = iota // a circle; Points[0] is the centre
	PolygonShape                      // a convex outline with 3 to 8 corners, which Radius can round
	EdgeShape                         // a line between 2 points
	ChainShape                        // a line through 2 points or more
	ClosedChainShape                  // a line through 3 points or more; the last point is joined to the first
	CapsuleShape                      // a line between 2 points, rounded by a radius
)

// String returns the kind in words, such as "closed chain".
func (k ShapeKind) String() string {
	return wordOf([]string{"circle", "polygon", "edge", "chain", "closed chain", "capsule"}, int(k))
}

// ShapeDef describes a shape and its surface. [Circle], [Box] and the other constructors return a
// ShapeDef with Density 1 and Friction 0.2.
type ShapeDef struct {
	Kind        ShapeKind
	Points      []Vec   // in the body's frame, in m
	Radius      float64 // radius of a circle or capsule, or the rounding outside a polygon, in m
	Density     float64 // in kg/m²
	Friction    float64 // at least 0
	Restitution float64 // at least 0; 0 means no bounce, 1 keeps the speed, more than 1 increases the speed
	Sensor      bool    // the shape reports overlaps and pushes nothing
	Filter      Filter  // the zero Filter collides with everything
	Material    Material
	Name        string
	Colour      body2d.Colour // zero: the body's colour
	User        any           // the program's own value; ShapeInfo has it

	// Before and After are the ghost vertices of an edge or an open chain, in the body's
	// frame, in m. Shapes slide smoothly over the ends of the line, as if the line continued
	// to these vertices. Nil means no vertex.
	Before, After *Vec

	// OneWay makes the shape solid from one side only, for example a platform through which a
	// player jumps from below. OneWay points to the solid side, in the body's frame. Zero
	// makes the shape solid from all sides. See [World.SetOneWay].
	OneWay Vec
	// SurfaceSpeed moves the surface of the shape like a conveyor belt, in m/s. A positive
	// speed carries bodies on top of the shape to the right, and bodies at other sides
	// clockwise round the shape, as strongly as friction allows. The speeds of two shapes that
	// touch add up.
	SurfaceSpeed float64

	// SegmentMaterials are the materials of the segments of a chain, one for each. Nil means
	// that all segments have Material.
	SegmentMaterials []Material

	// RollingResistance brakes round shapes (circles, capsules, round corners) that roll. It is
	// the braking force as a fraction of the normal force, at least 0. For two shapes that
	// touch, the greater value counts. A circle stays at rest on a slope whose tangent is
	// smaller than the value.
	RollingResistance float64

	// Unsensed hides the shape from sensors, so that they have no events for it.
	Unsensed bool
}

// Filter decides which shapes collide. Each bit of Category and Mask is a category. If two
// shapes have the same Group other than 0, they collide if the Group is positive and do not
// collide if it is negative. In all other cases they collide if the Mask of each shape has a
// Category of the other. If Category and Mask are both 0, they mean 1 and [AllCategories], so
// the zero Filter collides with everything.
type Filter struct {
	Category, Mask uint64
	Group          int16
}

// AllCategories is the Mask of a shape that collides with every category.
const AllCategories = math.MaxUint64

// Circle returns a circle about the body's origin. The radius is in m. The density is
// 1 kg/m², the friction 0.2.
func Circle(radius float64) ShapeDef { return CircleAt(0, 0, radius) }

// CircleAt returns a circle about (x, y) in the body's frame. All arguments are in m. The
// density is 1 kg/m², the friction 0.2.
func CircleAt(x, y, radius float64) ShapeDef {
	return ShapeDef{Kind: CircleShape, Points: []Vec{{x, y}}, Radius: radius, Density: 1, Friction: .2}
}

// Box returns a box about the body's origin. hx and hy are half its width and half its
// height, in m. The density is 1 kg/m², the friction 0.2.
func Box(hx, hy float64) ShapeDef {
	if hx <= 0 || hy <= 0 {
		return Polygon(Vec{-hx, -hy}, Vec{hx, hy}) // this polygon is invalid, so it is refused later; halfSizes finds hx and hy for the error
	}
	return Polygon(Vec{-hx, -hy}, Vec{hx, -hy}, Vec{hx, hy}, Vec{-hx, hy})
}

// BoxAt returns a box about a point of the body's frame, in m, turned by an angle, in rad. hx
// and hy are half its width and half its height, in m. The density is 1 kg/m², the friction
// 0.2.
func BoxAt(centre Vec, hx, hy, angle float64) ShapeDef {
	d := Box(hx, hy)
	if len(d.Points) < 4 {
		return d
	}
	for i, p := range d.Points {
		d.Points[i] = centre.Add(p.Rotate(angle))
	}
	return d
}

// Polygon returns the convex hull of 3 to 8 points in the body's frame, in m. The density is
// 1 kg/m², the friction 0.2. A Radius rounds the corners, and makes the polygon larger by the
// Radius.
func Polygon(points ...Vec) ShapeDef {
	return ShapeDef{Kind: PolygonShape, Points: points, Density: 1, Friction: .2}
}

// Edge returns the line from a to b in the body's frame, in m. An edge has no mass. The
// friction is 0.2.
func Edge(a, b Vec) ShapeDef {
	return ShapeDef{Kind: EdgeShape, Points: []Vec{a, b}, Density: 1, Friction: .2}
}

// Chain returns a line through 2 points or more in the body's frame, in m. Bodies slide over
// the corners of a chain without a bump, unlike over the ends of edges. A chain has no mass.
// The friction is 0.2.
func Chain(points ...Vec) ShapeDef {
	return ShapeDef{Kind: ChainShape, Points: points, Density: 1, Friction: .2}
}

// ClosedChain returns a chain through 3 points or more, in m, whose last point is joined to
// the first.
func ClosedChain(points ...Vec) ShapeDef {
	return ShapeDef{Kind: ClosedChainShape, Points: points, Density: 1, Friction: .2}
}

// Capsule returns a line from a to b in the body's frame, rounded by a radius, all in m. The
// density is 1 kg/m², the friction 0.2. Both steppers can step capsules, and a [Query] accepts
// them.
func Capsule(a, b Vec, radius float64) ShapeDef {
	return ShapeDef{Kind: CapsuleShape, Points: []Vec{a, b}, Radius: radius, Density: 1, Friction: .2}
}

// ShapeInfo describes a shape.
type ShapeInfo struct {
	Body Body // the body of the shape
	Name string
	User any // from the shape's definition

	Kind         ShapeKind
	Density      float64 // in kg/m²
	Friction     float64 // at least 0
	Restitution  float64 // at least 0; 0 means no bounce
	Sensor       bool
	Filter       Filter  // Category is 1 and Mask is AllCategories if both were 0 in the definition
	OneWay       Vec     // unit vector in the body's frame; zero if the shape is solid from all sides
	SurfaceSpeed float64 // in m/s

	Material          Material // for a chain, the material of the segments without their own material
	RollingResistance float64  // at least 0
	Unsensed          bool
}

// Shape describes a shape. The error wraps [ErrStale] if the shape does not exist.
func (w *World) Shape(s Shape) (ShapeInfo, error) {
	r, err := w.lookupShape(s)
	if err != nil {
		return ShapeInfo{}, err
	}
	return ShapeInfo{
		Body: r.of.handle, Name: r.name, User: r.user,
		Kind: r.kind, Density: r.fix.M_density, Friction: r.fix.M_friction, Restitution: r.fix.M_restitution,
		Sensor: r.fix.M_isSensor, Filter: r.filter,
		OneWay: r.oneWay, SurfaceSpeed: r.surfaceSpeed, Material: r.material, RollingResistance: r.rolling, Unsensed: r.unsensed,
	}, nil
}

// shape is the world's own record of a shape, besides Box2D's fixture.
type shape struct {
	handle Shape
	of     *body
	fix    *box2d.B2Fixture // nil after the shape was destroyed
	id     uint32           // shapes are numbered in order of creation; structure records use the number
	name   string
	colour body2d.Colour
	user   any
	seen   uint64 // number of the last restore (keeping.restores) that kept the shape or brought it back
	looks  uint64 // number of the last restore that changed the geometry of the shape, or made the shape a sensor or solid
	kind   ShapeKind
	filter Filter // never zero

	oneWay       Vec // unit vector or zero
	surfaceSpeed float64
	rolling      float64
	unsensed     bool
	material     Material
	segments     []Material // materials of the segments of a chain, or nil; replaced but never written to, because snapshots share it
	counted      coming     // the pairs of the shape in crowd.coming, see Config.MaxContacts
}
