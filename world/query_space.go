package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/geometry"
	"halfstep/internal/owner"
	"halfstep/internal/query"
)

// space is a world that a Question can search. It finds the shapes in the tree of shapes.
type space struct {
	box      *box.World
	guard    *owner.Guard
	registry *registry

	question query.Question
	asked    geometry.Shape // scratch, like the next field
	stack    []int32
}

var _ query.Space = (*space)(nil)

// Begin returns the only Question of the world.
func (s *space) Begin() *query.Question {
	s.guard.Check(notKept)
	return &s.question
}

// Has reports whether a shape exists.
func (s *space) Has(id uint64) bool { return s.registry.shapes[Shape(id)] != nil }

// Part stores a part of a shape in to, at the shape's place in the world. It returns the body, or 0 if there is no
// such part. A chain has a part for each segment. Any other shape has one part.
func (s *space) Part(id uint64, part int, to *geometry.Shape) (body uint64) {
	sh := s.registry.shapes[Shape(id)]
	if sh == nil || part >= sh.fix.M_shape.GetChildCount() || !setOutline(&s.asked, sh.fix.M_shape, part) {
		return 0
	}
	at := placeOf(sh.fix.M_body)
	to.Place(&s.asked, &at)
	return uint64(sh.of.handle)
}

// Search offers to the question all shapes whose boxes the question reaches. It walks the tree like Box2D, except that
// rays and casts visit the nearer of two nodes first.
func (s *space) Search(q *query.Question) {
	nodes, stack := s.box.Nodes(), s.stack[:0]
	if root, ok := nodes.Root(); ok {
		stack = append(stack, root)
	}
	for len(stack) > 0 && !q.Done() {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if b := boxOf(nodes.Box(id)); !q.Reaches(&b) {
			continue
		}
		first, second, ok := nodes.Children(id)
		if !ok {
			if f, child := nodes.Shape(id); f != nil {
				s.offer(q, f, child)
			}
			continue
		}
		a, b := boxOf(nodes.Box(first)), boxOf(nodes.Box(second))
		if q.IsNearer(a.Centre(), b.Centre()) {
			first, second = second, first
		}
		stack = append(stack, first, second)
	}
	s.stack = stack
	if q.Disabled() {
		s.searchDisabled(q)
	}
}

// searchDisabled offers the shapes of disabled bodies to the question. The tree does not contain these shapes.
func (s *space) searchDisabled(q *query.Question) {
	for r := s.registry.first; r != nil; r = r.next {
		if r.b == nil || r.b.IsActive() {
			continue
		}
		for _, sh := range r.shapes {
			for child := range sh.fix.M_shape.GetChildCount() {
				s.offer(q, sh.fix, child)
			}
		}
	}
}

// offer offers a shape, or one segment of a chain, to a question, if the question's filter selects the shape.
func (s *space) offer(q *query.Question, f *box2d.B2Fixture, child int) {
	sh := shapeOf(f)
	if sh == nil {
		return
	}
	c := query.Candidate{
		Body: uint64(sh.of.handle), Shape: uint64(sh.handle),
		Category: sh.filter.Category, Mask: sh.filter.Mask, Sensor: f.M_isSensor, Kind: f.M_body.M_type, Material: uint16(materialOf(f, child)),
	}
	if !q.Accepts(&c) {
		return
	}
	if !setOutline(&s.asked, f.M_shape, child) {
		return
	}
	if _, chain := f.M_shape.(*box2d.B2ChainShape); chain {
		c.Part = child + 1
	}
	at := placeOf(f.M_body)
	q.Try(&c, &s.asked, &at)
}

// setOutline converts one of Box2D's shapes, and leaves out the skin of 1 cm of polygons and edges. It returns false
// for an unknown kind.
func setOutline(to *geometry.Shape, from box2d.B2ShapeInterface, child int) bool {
	switch b := from.(type) {
	case *box2d.B2CircleShape:
		to.SetCircle(geometry.Vec(b.M_p), b.M_radius)
	case *box2d.B2PolygonShape:
		to.N, to.Radius = b.M_count, 0
		for i := range b.M_count {
			to.Points[i], to.Normals[i] = geometry.Vec(b.M_vertices[i]), geometry.Vec(b.M_normals[i])
		}
	case *b2.RoundPolygon:
		b.SetOutline(to)
	case *box2d.B2EdgeShape:
		to.SetSegment(geometry.Vec(b.M_vertex1), geometry.Vec(b.M_vertex2), 0)
	case *box2d.B2ChainShape:
		to.SetSegment(geometry.Vec(b.M_vertices[child]), geometry.Vec(b.M_vertices[(child+1)%b.M_count]), 0)
	default:
		return false
	}
	return true
}

func placeOf(b *box2d.B2Body) geometry.Transform { return b2.TransformOf(&b.M_xf) }

// meets reports whether the shapes of a contact touch at their present places. The shapes have Box2D's skins with
// FastStep, and no skins with SoftStep.
func (k *contacts) meets(c box.Contact) bool {
	var local, a, b geometry.Shape
	fA, fB := c.Shapes()
	childA, childB := c.Children()
	if !setOutline(&local, fA.M_shape, childA) || !setOutline(&b, fB.M_shape, childB) {
		return false
	}
	xfA, xfB := placeOf(fA.M_body), placeOf(fB.M_body)
	a.Place(&local, &xfA)
	skins := 0.0
	if k.soft == nil {
		skins = fA.M_shape.GetRadius() - a.Radius + fB.M_shape.GetRadius() - b.Radius
	}
	return geometry.Distance(&a, &b, &xfB) <= skins
}

// boxOf returns the box of a node of the tree with corrected upper sides. There Box2D subtracts the skin of polygons
// and edges instead of adding it.
func boxOf(b *box2d.B2AABB) geometry.Box {
	const skin = box2d.B2_polygonRadius
	return geometry.Box{
		Min: geometry.Vec(b.LowerBound),
		Max: geometry.Vec{X: b.UpperBound.X + skin, Y: b.UpperBound.Y + skin},
	}
}
