package world

import (
	"fmt"
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/trig"
)

// Explosion is a single blast that pushes bodies away from a point.
type Explosion struct {
	Centre  Vec     // of the world, in m
	Radius  float64 // distance up to which the blast has its full strength, in m
	Falloff float64 // distance beyond Radius over which the strength decreases to 0, in m
	// ImpulsePerLength is the strength, in N·s for each metre of a shape's width as seen from
	// Centre. A negative strength pulls.
	ImpulsePerLength float64
	Mask             uint64 // only shapes of these categories are pushed; 0 means all shapes
}

// Explode pushes the dynamic bodies around a point away from the point. Each solid shape is pushed
// at its point nearest to the centre of the explosion. The impulse is in proportion to the shape's
// width as seen from the centre. A shape that contains the centre is pushed at its body's centre of
// mass. Shapes do not shield each other.
func (w *World) Explode(e Explosion) error {
	w.checkGoroutine()
	if w.when.phase == stepping {
		return ErrStepping
	}
	if err := e.check(); err != nil {
		return err
	}
	reach := e.Radius + e.Falloff + box2d.B2_linearSlop // not 0, because a query needs a box with area
	low := Vec{X: max(e.Centre.X-reach, -maxPosition), Y: max(e.Centre.Y-reach, -maxPosition)}
	high := Vec{X: min(e.Centre.X+reach, maxPosition), Y: min(e.Centre.Y+reach, maxPosition)}
	return w.Query(QueryFilter{Mask: e.Mask}).OverlapBox(low, high, func(_ Body, s Shape) bool {
		if sh := w.registry.shapes[s]; sh.fix.M_body.M_type == box2d.B2BodyType.B2_dynamicBody {
			w.blast(&e, sh)
		}
		return true
	})
}

func (e *Explosion) check() error {
	err := firstError(
		checkVec("centre of the explosion", e.Centre, maxPosition),
		checkNumber("impulse per length", e.ImpulsePerLength),
	)
	for _, d := range [...]float64{e.Radius, e.Falloff} {
		if err == nil && !(d >= 0 && d <= maxPosition) {
			err = fmt.Errorf("world: radius or falloff of the explosion is %v", d)
		}
	}
	return err
}

// blast pushes one shape if the shape itself, and not only its bounding box, is in range.
func (w *World) blast(e *Explosion, s *shape) {
	b := s.fix.M_body
	at := b2vec(e.Centre)
	near := nearest(s.fix, at)
	away := box2d.B2Vec2Sub(near, at)
	d := trig.Hypot(away.X, away.Y)
	if d == 0 { // the shape contains the centre of the explosion
		near = b.M_sweep.C
		away = box2d.B2Vec2Sub(near, at)
	}
	strength := e.ImpulsePerLength
	if d > e.Radius {
		if d >= e.Radius+e.Falloff {
			return
		}
		strength *= (e.Radius + e.Falloff - d) / e.Falloff
	}
	length := trig.Hypot(away.X, away.Y)
	if length == 0 {
		return
	}
	away = b2.Times(1/length, away)
	impulse := strength * width(s.fix, box2d.B2Vec2{X: -away.Y, Y: away.X})
	if !within(impulse, maxValue) {
		return
	}
	w.box.PushAt(b, b2.Times(impulse, away), near)
	w.places.velocityChanged(s.of)
}

// nearest returns the point of a shape that is nearest to a point of the world. If the shape contains
// that point, the result is the same point.
func nearest(f *box2d.B2Fixture, at box2d.B2Vec2) box2d.B2Vec2 {
	xf := &f.M_body.M_xf
	if contains(f.M_shape, xf, at) {
		return at
	}
	local := b2.TransformBack(xf, at)
	vs, closed := outline(f.M_shape, new([2]box2d.B2Vec2))
	best, found := math.Inf(1), vs[0]
	for i := range vs {
		j := (i + 1) % len(vs)
		if j == 0 && !closed {
			break
		}
		p := onSegment(vs[i], vs[j], local)
		if d := box2d.B2Vec2Sub(p, local); b2.Dot(d, d) < best {
			best, found = b2.Dot(d, d), p
		}
	}
	if r := roundness(f.M_shape); r > 0 {
		out := box2d.B2Vec2Sub(local, found)
		found = b2.Plus(found, r/trig.Hypot(out.X, out.Y), out)
	}
	return b2.Transform(xf, found)
}

// roundness returns the radius by which the outline of a shape is rounded, in m.
func roundness(s box2d.B2ShapeInterface) float64 {
	switch s := s.(type) {
	case *box2d.B2CircleShape:
		return s.M_radius
	case *b2.RoundPolygon:
		return s.M_radius
	}
	return 0
}

// contains reports whether a shape with the transform xf contains a point. Lines contain no point.
func contains(s box2d.B2ShapeInterface, xf *box2d.B2Transform, p box2d.B2Vec2) bool {
	switch s := s.(type) {
	case *box2d.B2CircleShape:
		d := box2d.B2Vec2Sub(p, b2.Transform(xf, s.M_p))
		return b2.Dot(d, d) <= s.M_radius*s.M_radius
	case *box2d.B2PolygonShape:
		local := b2.TransformBack(xf, p)
		for i, v := range s.M_vertices[:s.M_count] {
			if b2.Dot(s.M_normals[i], box2d.B2Vec2Sub(local, v)) > 0 {
				return false
			}
		}
		return true
	case *b2.RoundPolygon:
		return s.TestPoint(*xf, p)
	}
	return false
}

// onSegment returns the point between a and b that is nearest to p.
func onSegment(a, b, p box2d.B2Vec2) box2d.B2Vec2 {
	along := box2d.B2Vec2Sub(b, a)
	t := b2.Dot(box2d.B2Vec2Sub(p, a), along) / b2.Dot(along, along)
	return b2.Plus(a, min(max(t, 0), 1), along)
}

// width returns the extent of a shape along a unit vector of the world, in m.
func width(f *box2d.B2Fixture, along box2d.B2Vec2) float64 {
	vs, _ := outline(f.M_shape, new([2]box2d.B2Vec2))
	along = b2.RotateBack(f.M_body.M_xf.Q, along)
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range vs {
		x := b2.Dot(v, along)
		low, high = min(low, x), max(high, x)
	}
	// The conversion keeps the compiler from fusing the product and the sum, which would change the last
	// bits.
	return high - low + float64(2*roundness(f.M_shape))
}

// outline returns the corners of a shape in its body's frame, without the shape's radius. For a circle
// it returns the centre. It also reports whether the outline is closed. It writes the corners of circles
// and edges to room, because Box2D has no slice of these.
func outline(s box2d.B2ShapeInterface, room *[2]box2d.B2Vec2) (vs []box2d.B2Vec2, closed bool) {
	switch s := s.(type) {
	case *box2d.B2CircleShape:
		room[0] = s.M_p
		return room[:1], false
	case *box2d.B2PolygonShape:
		return s.M_vertices[:s.M_count], true
	case *b2.RoundPolygon:
		return s.M_vertices[:s.M_count], true
	case *box2d.B2EdgeShape:
		*room = [...]box2d.B2Vec2{s.M_vertex1, s.M_vertex2}
		return room[:], false
	case *box2d.B2ChainShape:
		return s.M_vertices[:s.M_count], false
	}
	return nil, false
}

func (e Explosion) command() Command {
	return Command{Op: opExplode, P: e.Centre, X: e.Radius, V: Vec{X: e.Falloff}, Y: e.ImpulsePerLength, Filter: Filter{Mask: e.Mask}}
}

func (w *World) explode(c *Command) error {
	return w.Explode(Explosion{Centre: c.P, Radius: c.X, Falloff: c.V.X, ImpulsePerLength: c.Y, Mask: c.Filter.Mask})
}
