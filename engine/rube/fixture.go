package rube

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"halfstep/world"
)

// fixture reads or writes the fields of a fixture. The name comes first, because error
// messages contain it.
func (o *object) fixture(d *world.ShapeDef) {
	o.string("name", &d.Name)
	o.positive("density", &d.Density)
	o.positive("friction", &d.Friction)
	o.positive("restitution", &d.Restitution)
	o.boolean("sensor", &d.Sensor)
	o.filter(&d.Filter)
	own(o, "oneWay", &d.OneWay, vectors)
	own(o, "surfaceSpeed", &d.SurfaceSpeed, numbers)
	own(o, "rollingResistance", &d.RollingResistance, numbers)
	own(o, "unsensed", &d.Unsensed, truths)
	own(o, "material", &d.Material, wholes[world.Material](0, math.MaxUint16))
	own(o, "segmentMaterials", &d.SegmentMaterials, inText[[]world.Material]())
	own(o, "colour", &d.Colour, colours)
	r := roundOf(d)
	own(o, "capsule", &r.capsule, truths)
	own(o, "capsuleFrom", &r.from, vectors)
	own(o, "capsuleTo", &r.to, vectors)
	own(o, "radius", &r.radius, numbers)
	o.info(&d.User)
	o.noOther()
	for i := range shapeKinds {
		k := &shapeKinds[i]
		if o.writes && !slices.Contains(k.written, d.Kind) || !o.writes && (o.err != nil || !o.has(k.name)) {
			continue
		}
		o.object(k.name, func(in *object) { k.fields(in, d) })
		n := len(d.Points)
		o.require(n >= k.least, "%s with %s (at least %d)", k.name, count(n, k.point), k.least)
		o.require(n <= k.most, "%s with %s (at most %d)", k.name, count(n, k.point), k.most)
		r.applyTo(d)
		return
	}
	o.fail(errors.New("no circle, edge, loop, chain or polygon in it"))
}

// shapeKinds are the shapes of the format. A fixture with two shapes is read as the first of
// them, as in b2dJson.
var shapeKinds = []struct {
	name        string
	fields      func(*object, *world.ShapeDef)
	least, most int               // points
	point       string            // the word for the shape's points in messages
	written     []world.ShapeKind // the kinds of shape that are written as this one
}{
	{"circle", circle, 1, 1, "centre", []world.ShapeKind{world.CircleShape}},
	{"edge", edge, 2, 2, "point", []world.ShapeKind{world.EdgeShape}},
	{"loop", loop, 3, world.MaxChainPoints, "corner", nil},
	{"chain", chain, 2, world.MaxChainPoints, "point", []world.ShapeKind{world.ChainShape, world.ClosedChainShape}},
	{"polygon", polygon, 2, 8, "corner", []world.ShapeKind{world.PolygonShape, world.CapsuleShape}},
}

// round has values for which the format has no fields: the radius of a polygon's corners, and
// the points of a capsule, which other programs see as a polygon.
type round struct {
	capsule  bool
	from, to world.Vec
	radius   float64
}

// roundOf returns the round of a shape for writing. For reading it is zero until own sets it.
func roundOf(d *world.ShapeDef) (r round) {
	if d.Kind == world.CapsuleShape {
		r = round{true, d.Points[0], d.Points[1], 0}
	}
	if d.Kind == world.CapsuleShape || d.Kind == world.PolygonShape {
		r.radius = d.Radius
	}
	return r
}

// applyTo applies the values to a polygon that was read: the polygon gets its radius, or
// becomes a capsule again.
func (r *round) applyTo(d *world.ShapeDef) {
	if d.Kind != world.PolygonShape {
		return
	}
	if d.Radius = r.radius; r.capsule {
		d.Kind, d.Points = world.CapsuleShape, []world.Vec{r.from, r.to}
	}
}

var defaultFilter = world.Filter{Category: 1, Mask: world.AllCategories}

// filter reads or writes a collision filter. The format has sixteen categories. Bits beyond
// them are dropped, as in b2dJson, so -1 sets all sixteen. A mask of all sixteen means every
// category of a world.Filter. If these rules would change a filter, the whole filter is also
// written as the custom property "filterBits".
func (o *object) filter(f *world.Filter) {
	if o.writes && *f == (world.Filter{}) {
		*f = defaultFilter
	}
	category, mask := f.Category&math.MaxUint16, f.Mask&math.MaxUint16
	integer(o, "filter-categoryBits", &category, math.MinInt32, math.MaxUint32)
	integer(o, "filter-maskBits", &mask, math.MinInt32, math.MaxUint32)
	integer(o, "filter-groupIndex", &f.Group, math.MinInt16, math.MaxInt16)
	said := filterOf(category, mask, f.Group) // the filter that a reader makes of the three fields
	bits := ""
	if o.writes && said != *f {
		bits = strconv.FormatUint(f.Category, 16) + " " + strconv.FormatUint(f.Mask, 16)
	}
	if own(o, "filterBits", &bits, texts); o.writes {
		return
	}
	if *f = said; bits != "" {
		_, err := fmt.Sscanf(bits, "%x %x", &f.Category, &f.Mask)
		o.require(err == nil, "filterBits %s: not two hexadecimal numbers", quote(bits))
	}
}

// filterOf is the filter for three fields of a file.
func filterOf(category, mask uint64, group int16) world.Filter {
	f := world.Filter{Category: category & math.MaxUint16, Mask: mask & math.MaxUint16, Group: group}
	if f.Mask == math.MaxUint16 {
		f.Mask = world.AllCategories
	}
	if f == (world.Filter{}) {
		// The shape collides with nothing, but the zero Filter collides with everything. So the
		// filter gets a category: with it, a mask of 0 means nothing.
		f.Category = 1
	}
	return f
}

func circle(o *object, d *world.ShapeDef) {
	d.Kind = world.CircleShape
	o.float("radius", &d.Radius)
	d.Points = append(d.Points[:0:0], pointAt(d.Points, 0))
	o.vec("center", &d.Points[0])
	o.require(d.Radius > 0, "radius %v: not above 0", d.Radius)
}

// pointAt returns point i of a shape for writing. For reading it is zero.
func pointAt(ps []world.Vec, i int) (p world.Vec) {
	if i < len(ps) {
		p = ps[i]
	}
	return p
}

func edge(o *object, d *world.ShapeDef) {
	d.Kind = world.EdgeShape
	d.Points = []world.Vec{pointAt(d.Points, 0), pointAt(d.Points, 1)}
	o.vec("vertex1", &d.Points[0])
	o.vec("vertex2", &d.Points[1])
	ghost(o, "hasVertex0", "vertex0", &d.Before)
	ghost(o, "hasVertex3", "vertex3", &d.After)
}

// ghost reads or writes a ghost vertex. The boolean field with the name has says whether there
// is one.
func ghost(o *object, has, name string, p **world.Vec) {
	there := *p != nil
	if o.boolean(has, &there); !there {
		*p = nil
		return
	}
	var v world.Vec
	if *p != nil {
		v = **p
	}
	o.vec(name, &v)
	*p = &v
}

// loop reads a closed chain of an old export, which does not repeat its first point.
func loop(o *object, d *world.ShapeDef) {
	d.Kind = world.ClosedChainShape
	field(o, "vertices", &d.Points, outlines)
	if n := len(d.Points); n > 1 && d.Points[0] == d.Points[n-1] {
		d.Points = d.Points[:n-1]
	}
}

// chain reads or writes an open chain, or a closed one. Box2D stores a closed chain as a
// chain that ends at its first point. Its ghost vertices make the chain smooth there.
func chain(o *object, d *world.ShapeDef) {
	if n := len(d.Points); d.Kind == world.ClosedChainShape && n > 1 {
		d.Before, d.After = &d.Points[n-1], &d.Points[1]
		d.Points = append(slices.Clone(d.Points), d.Points[0])
	}
	d.Kind = world.ChainShape
	field(o, "vertices", &d.Points, outlines)
	ghost(o, "hasPrevVertex", "prevVertex", &d.Before)
	ghost(o, "hasNextVertex", "nextVertex", &d.After)
	closeChain(d)
}

// closeChain turns an open chain that ends at its first point into a closed one, if Box2D
// made it from a loop.
func closeChain(d *world.ShapeDef) {
	n := len(d.Points)
	if d.Kind == world.ChainShape && n >= 4 && d.Points[0] == d.Points[n-1] &&
		d.Before != nil && *d.Before == d.Points[n-2] &&
		d.After != nil && *d.After == d.Points[1] {
		d.Kind, d.Points = world.ClosedChainShape, d.Points[:n-1]
		d.Before, d.After = nil, nil
	}
}

// polygon reads or writes a convex polygon. A polygon with two corners is an edge, as in
// b2dJson. A capsule is written as a polygon around it, see round.
func polygon(o *object, d *world.ShapeDef) {
	corners := d.Points
	if d.Kind == world.CapsuleShape {
		corners = aroundCapsule(d.Points[0], d.Points[1], d.Radius)
	}
	field(o, "vertices", &corners, outlines)
	if o.writes {
		return
	}
	if d.Kind, d.Points = world.PolygonShape, corners; len(corners) == 2 {
		d.Kind = world.EdgeShape
	}
}

// aroundCapsule returns a polygon with eight corners on the outline of a capsule.
func aroundCapsule(a, b world.Vec, radius float64) (corners []world.Vec) {
	along := math.Atan2(b.Y-a.Y, b.X-a.X)
	for i := range 8 {
		end, angle := b, along+math.Pi*(float64(i)/3-.5)
		if i >= 4 {
			end, angle = a, along+math.Pi*(float64(i-4)/3+.5)
		}
		sin, cos := math.Sincos(angle)
		corners = append(corners, world.Vec{X: end.X + radius*cos, Y: end.Y + radius*sin})
	}
	return corners
}
