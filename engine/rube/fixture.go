package rube

import (
	"encoding/json"
	"errors"
	"math"

	"halfstep/world"
)

// fixture reads a fixture. On error the definition holds at least the name,
// where it could be read.
func fixture(raw json.RawMessage) (world.ShapeDef, error) {
	o := newObject(raw)
	d := world.ShapeDef{
		Name:        o.text("name"),
		Density:     o.positive("density"),
		Friction:    o.positive("friction"),
		Restitution: o.positive("restitution"),
		Sensor:      o.boolean("sensor", false),
		Filter:      filter(o),
		User:        user(o),
	}
	for _, k := range shapeKinds {
		if o.err != nil || !o.has(k.name) {
			continue
		}
		k.read(o.object(k.name), &d)
		n := len(d.Points)
		o.require(n >= k.least, "%s with %s (at least %d)", k.name, count(n, k.point), k.least)
		o.require(n <= k.most, "%s with %s (at most %d)", k.name, count(n, k.point), k.most)
		return d, o.err
	}
	o.fail(errors.New("no circle, edge, loop, chain or polygon in it"))
	return d, o.err
}

// shapeKinds are the shapes in b2dJson's order, should a fixture have two.
var shapeKinds = []struct {
	name        string
	read        func(*object, *world.ShapeDef)
	least, most int
	point       string
}{
	{"circle", circle, 1, 1, "centre"},
	{"edge", edge, 2, 2, "point"},
	{"loop", loop, 3, world.MaxChainPoints, "corner"},
	{"chain", chain, 2, world.MaxChainPoints, "point"},
	{"polygon", polygon, 2, 8, "corner"},
}

// filter reads a collision filter. Bits beyond Box2D's sixteen are dropped, as
// b2dJson does; -1 therefore sets all. A mask of all sixteen means every category there
// is, those that a program adds beyond them too.
func filter(o *object) world.Filter {
	f := world.Filter{
		Category: uint64(o.integer("filter-categoryBits", 1, math.MinInt32, math.MaxUint32)) & math.MaxUint16,
		Mask:     uint64(o.integer("filter-maskBits", 0xffff, math.MinInt32, math.MaxUint32)) & math.MaxUint16,
		Group:    int16(o.integer("filter-groupIndex", 0, math.MinInt16, math.MaxInt16)),
	}
	if f.Mask == math.MaxUint16 {
		f.Mask = world.AllCategories
	}
	if f == (world.Filter{}) {
		// It collides with nothing, but the zero Filter with everything; a
		// mask of 0 alone says what is meant.
		f.Category = 1
	}
	return f
}

func circle(o *object, d *world.ShapeDef) {
	d.Kind = world.CircleShape
	d.Radius = o.float("radius", 0)
	d.Points = []world.Vec{o.vec("center")}
	o.require(d.Radius > 0, "radius %v: not above 0", d.Radius)
}

func edge(o *object, d *world.ShapeDef) {
	d.Kind = world.EdgeShape
	d.Points = []world.Vec{o.vec("vertex1"), o.vec("vertex2")}
	d.Before = ghost(o, "hasVertex0", "vertex0")
	d.After = ghost(o, "hasVertex3", "vertex3")
}

func ghost(o *object, has, name string) *world.Vec {
	if !o.boolean(has, false) {
		return nil
	}
	return new(o.vec(name))
}

// loop reads the closed chain of old exports, which leave the closing point
// out.
func loop(o *object, d *world.ShapeDef) {
	d.Kind = world.ClosedChainShape
	d.Points = o.points("vertices")
	if n := len(d.Points); n > 1 && d.Points[0] == d.Points[n-1] {
		d.Points = d.Points[:n-1]
	}
}

// chain reads an open chain, or a closed one: Box2D keeps a loop as a chain
// that ends where it begins, with the ghost vertices that make it smooth there.
func chain(o *object, d *world.ShapeDef) {
	d.Kind = world.ChainShape
	d.Points = o.points("vertices")
	d.Before = ghost(o, "hasPrevVertex", "prevVertex")
	d.After = ghost(o, "hasNextVertex", "nextVertex")
	n := len(d.Points)
	if n >= 4 && d.Points[0] == d.Points[n-1] &&
		d.Before != nil && *d.Before == d.Points[n-2] &&
		d.After != nil && *d.After == d.Points[1] {
		d.Kind, d.Points = world.ClosedChainShape, d.Points[:n-1]
		d.Before, d.After = nil, nil
	}
}

// polygon reads a convex polygon. One with two corners is an edge, as in
// b2dJson.
func polygon(o *object, d *world.ShapeDef) {
	d.Kind = world.PolygonShape
	d.Points = o.points("vertices")
	if len(d.Points) == 2 {
		d.Kind = world.EdgeShape
	}
}
