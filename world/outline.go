package world

import (
	"math"
	"math/bits"

	"github.com/ByteArena/box2d"
)

// outlines has the polygons and capsules that were made last. In a world with SoftStep, shapes with equal
// outlines share one object, which does not change, because many shapes of most worlds have few outlines. In a
// world with FastStep each shape has its own object, because programs may change it in place.
type outlines struct {
	shared bool
	last   [64]outlineMade // by key
}

type outlineMade struct {
	shape  box2d.B2ShapeInterface // nil means none yet
	kind   ShapeKind
	count  int
	radius float64
	points [box2d.B2_maxPolygonVertices]Vec
}

// build does the same as ShapeDef.build, but makes an outline only if there is no equal one.
func (o *outlines) build(d *ShapeDef) (box2d.B2ShapeInterface, error) {
	if !o.shared || d.Kind != PolygonShape && d.Kind != CapsuleShape || len(d.Points) > box2d.B2_maxPolygonVertices {
		return d.build()
	}
	last := &o.last[d.outlineKey()%uint64(len(o.last))]
	if last.isOf(d) {
		return last.shape, d.checkSurface()
	}
	s, err := d.build()
	if err == nil {
		*last = outlineMade{shape: s, kind: d.Kind, count: len(d.Points), radius: d.Radius}
		copy(last.points[:], d.Points)
	}
	return s, err
}

// isOf reports whether a definition has exactly the outline o.
func (o *outlineMade) isOf(d *ShapeDef) bool {
	if o.shape == nil || o.kind != d.Kind || o.count != len(d.Points) || math.Float64bits(o.radius) != math.Float64bits(d.Radius) {
		return false
	}
	for i, p := range d.Points {
		if q := o.points[i]; math.Float64bits(p.X) != math.Float64bits(q.X) || math.Float64bits(p.Y) != math.Float64bits(q.Y) {
			return false
		}
	}
	return true
}

func (d *ShapeDef) outlineKey() uint64 {
	h := uint64(d.Kind) ^ math.Float64bits(d.Radius)
	for _, p := range d.Points {
		for _, v := range [...]float64{p.X, p.Y} {
			high, low := bits.Mul64(h^math.Float64bits(v), 0x9e3779b97f4a7c15)
			h = high ^ low
		}
	}
	return h
}
