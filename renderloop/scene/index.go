package scene

import (
	"math"
	"slices"

	"halfstep/buffer/body2d"
	"halfstep/internal/exports"
	"halfstep/internal/geometry"
	"halfstep/internal/query"
)

// index answers queries about a view, for [Pick] and the engine's Shown. Only the render thread
// uses it.
//
// The first query about a picture updates the index. Bodies at rest have the same place in both
// states of the view and no velocity. They are in the tree resting, which is kept from picture to
// picture. All bodies that are not at rest are loose. They are in the tree moving, which is built
// for each picture. So the time of a query depends on the number of loose bodies, and on the number
// of changes since the last query.
type index struct {
	scene    *Scene // nil until the first query
	question query.Question
	of       picture        // the picture for which the index was updated last
	leaves   []int32        // the leaf in resting of each element of Scene.Shapes, or none
	places   []place        // the places of the bodies, by slot
	loose    []int32        // the slots of the loose bodies
	resting  kept           // the tree of the shapes at rest (kept.go)
	moving   tree           // the tree of the loose shapes (tree.go)
	scratch  geometry.Shape // scratch memory of offer
}

// picture identifies the content of a view. Two views with the same picture show the same bodies
// and shapes at the same places.
type picture struct {
	prev, cur      uint64 // serials
	bodies, shapes uint64 // versions
	alpha          float32
	dt             float64
	smoothing      body2d.Smoothing
}

type place struct {
	shown, disabled bool
	loose           bool               // true if the body is in index.loose
	at              geometry.Transform // the shown place of the body's origin
}

var _ query.Space = (*index)(nil)

// Package engine uses the index through internal/exports.
func init() { exports.Index = func(v *View[body2d.State]) query.Space { return indexOf(v) } }

func indexOf(v *View[body2d.State]) *index {
	s := v.Scene
	if s == nil { // no Loop has made this view
		s = &Scene{}
	}
	x := &s.index
	now := picture{
		v.PrevSerial, v.CurSerial, s.BodiesVersion, s.ShapesVersion, v.Alpha, v.Dt, v.Smoothing,
	}
	if now == x.of && v.CurSerial != 0 { // serial 0 means that the states were never published
		return x
	}
	was := x.of
	x.of = now
	first := x.scene == nil
	switch {
	case first:
		x.begin(s)
	case v.CurChanges == nil || now.cur < was.cur || now.prev < was.cur && now.prev != was.prev:
		// bodies at rest may have moved, or may move now
		for slot := range s.Bodies {
			if !Rests(v, slot) || slot >= len(x.places) || x.placeOf(v, int32(slot)) != x.places[slot] {
				x.loosen(int32(slot))
			}
		}
	default: // only a body at rest whose state has changed can have moved
		for slot := range v.CurChanges.Since(was.cur) {
			x.loosen(int32(slot))
		}
	}
	x.settle(v, first)
	x.moving.reset()
	for _, slot := range x.loose {
		if p := &x.places[slot]; p.shown {
			for _, i := range s.Bodies[slot].shapes {
				x.moving.add(i, boxOf(&s.Shapes[i], &p.at))
			}
		}
	}
	x.moving.build()
	return x
}

func (x *index) begin(s *Scene) {
	x.scene = s
	x.leaves = slices.Grow(x.leaves[:0], len(s.Shapes))
	x.places, x.loose = slices.Grow(x.places[:0], len(s.Bodies)), slices.Grow(x.loose[:0], len(s.Bodies))
	x.resting = kept{nodes: slices.Grow(x.resting.nodes[:0], 2*len(s.Shapes)), root: none, free: none, stack: x.resting.stack}
	for range s.Shapes {
		x.addShape()
	}
	for slot := range s.Bodies {
		x.loosen(int32(slot))
	}
}

// loosen makes a body loose, because it may have moved or its shapes will change.
func (x *index) loosen(slot int32) {
	if x.scene == nil || int(slot) >= len(x.scene.Bodies) {
		return
	}
	for len(x.places) <= int(slot) {
		x.places = append(x.places, place{})
	}
	p := &x.places[slot]
	if p.loose {
		return
	}
	p.loose = true
	x.loose = append(x.loose, slot)
	for _, i := range x.scene.Bodies[slot].shapes {
		if x.leaves[i] != none {
			x.resting.remove(x.leaves[i])
			x.leaves[i] = none
		}
	}
}

// settle stores the shown places of the loose bodies, and moves bodies that are at rest now from
// index.loose to the tree resting. The parameter first is true if the tree is empty; settle then
// builds the whole tree.
func (x *index) settle(v *View[body2d.State], first bool) {
	still := x.loose[:0]
	for _, slot := range x.loose {
		p := &x.places[slot]
		*p = x.placeOf(v, slot)
		if !Rests(v, int(slot)) {
			p.loose = true
			still = append(still, slot)
			continue
		}
		if !p.shown {
			continue
		}
		for _, i := range x.scene.Bodies[slot].shapes {
			x.leaves[i] = x.resting.leaf(i, boxOf(&x.scene.Shapes[i], &p.at))
			if !first && x.leaves[i] != none {
				x.resting.insert(x.leaves[i])
			}
		}
	}
	x.loose = still
	if first {
		x.resting.build(x.leaves)
	}
}

func (x *index) placeOf(v *View[body2d.State], slot int32) (p place) {
	if pose, ok := PoseOf(v, int(slot)); ok {
		b := &x.scene.Bodies[slot]
		p.shown, p.disabled = true, v.Cur[slot].Flags()&body2d.Disabled != 0
		p.at.Sin, p.at.Cos = math.Sincos(float64(pose.Angle))
		p.at.P.X, p.at.P.Y = pose.origin(b.LocalX, b.LocalY, p.at.Sin, p.at.Cos)
	}
	return p
}

// Rests reports whether the body in a slot has the same place at each instant of the view, with
// each Smoothing. It returns true for a slot without a body.
func Rests(v *View[body2d.State], slot int) bool {
	if slot >= len(v.Cur) || slot >= len(v.Prev) {
		return slot >= len(v.Cur)
	}
	p, c := &v.Prev[slot], &v.Cur[slot]
	return (p.Bits^c.Bits)&^uint32(body2d.Jump|body2d.Impact|body2d.Awake) == 0 &&
		c.X-p.X == 0 && c.Y-p.Y == 0 && c.Angle-p.Angle == 0 && c.Turns == p.Turns && // false if a value is not finite
		p.VX == 0 && p.VY == 0 && p.Omega == 0 && c.VX == 0 && c.VY == 0 && c.Omega == 0
}

func (x *index) addShape() {
	if x.scene != nil {
		x.leaves = append(x.leaves, none)
	}
}

// moveShape updates the index when a shape moves from one index of Scene.Shapes to another.
func (x *index) moveShape(from, to int32) {
	if x.scene == nil {
		return
	}
	x.leaves[to] = x.leaves[from]
	if leaf := x.leaves[to]; leaf != none {
		x.resting.nodes[leaf].shape = to
	}
}

// dropShape updates the index when the last element of Scene.Shapes is removed.
func (x *index) dropShape() {
	if x.scene != nil {
		x.leaves = x.leaves[:len(x.leaves)-1]
	}
}

// setShape converts a shape of the scene to a shape for queries.
func setShape(to *geometry.Shape, g *body2d.Geometry) {
	if g.Kind == body2d.Disc {
		to.SetCircle(vec(g.Points[0]), float64(g.Radius))
		return
	}
	var points [body2d.MaxPoints]geometry.Vec
	n := min(g.N, body2d.MaxPoints)
	for k := range n {
		points[k] = vec(g.Points[k])
	}
	to.SetHull(points[:n], float64(g.Radius))
}

func vec(p [2]float32) geometry.Vec { return geometry.Vec{X: float64(p[0]), Y: float64(p[1])} }

func boxOf(s *Shape, at *geometry.Transform) geometry.Box {
	n, radius := min(s.N, body2d.MaxPoints), float64(s.Radius)
	switch s.Kind {
	case body2d.Disc:
		n = 1
	case body2d.Polyline:
		radius = 0
	}
	b := geometry.Nothing
	for _, p := range s.Points[:n] {
		w := at.Point(vec(p))
		b = b.Around(&geometry.Box{Min: w, Max: w})
	}
	b = b.Grown(radius)
	reach := max(-b.Min.X, -b.Min.Y, b.Max.X, b.Max.Y)
	return b.Grown(geometry.Slack + 1e-12*reach)
}

// Begin returns the Question of the index. There is only one.
func (x *index) Begin() *query.Question { return &x.question }

// Has returns true, because the picture stays the same until the next frame.
func (x *index) Has(uint64) bool { return true }

// Part sets the parameter to to a shape, or to one segment of a chain, at its place in the world.
// It returns the body of the shape, or 0 if there is no such part.
func (x *index) Part(shape uint64, part int, to *geometry.Shape) (body uint64) {
	for i := range x.scene.Shapes {
		s := &x.scene.Shapes[i]
		p := &x.places[s.Slot]
		if s.Handle != shape || !p.shown {
			continue
		}
		parts := 1
		if s.Kind == body2d.Polyline { // a long chain has several shapes
			parts = int(min(s.N, body2d.MaxPoints)) - 1
		}
		if part >= parts {
			part -= parts
			continue
		}
		if s.Kind == body2d.Polyline {
			x.scratch.SetSegment(vec(s.Points[part]), vec(s.Points[part+1]), 0)
		} else {
			setShape(&x.scratch, &s.Geometry)
		}
		to.Place(&x.scratch, &p.at)
		return x.scene.Bodies[s.Slot].Handle
	}
	return 0
}

// Search calls offer for the shapes that may be an answer to the question q.
func (x *index) Search(q *query.Question) {
	x.moving.search(q, x)
	x.resting.search(q, x)
}

func (x *index) offer(q *query.Question, i int32) {
	s := &x.scene.Shapes[i]
	p := &x.places[s.Slot]
	c := query.Candidate{
		Body: x.scene.Bodies[s.Slot].Handle, Shape: s.Handle, Kind: x.scene.Bodies[s.Slot].Type,
		Category: s.Filter.Category, Mask: s.Filter.Mask, Sensor: s.Sensor, Material: s.Material,
	}
	if p.disabled && !q.Disabled() || !q.Accepts(&c) {
		return
	}
	if s.Kind != body2d.Polyline {
		setShape(&x.scratch, &s.Geometry)
		q.Try(&c, &x.scratch, &p.at)
		return
	}
	var segment geometry.Shape
	for k := 1; k < int(min(s.N, body2d.MaxPoints)); k++ {
		segment.SetSegment(vec(s.Points[k-1]), vec(s.Points[k]), 0)
		c.Part = k
		q.Try(&c, &segment, &p.at)
	}
}

// Pick returns the slot of the body that is shown at a point of the world, in metres. If several
// bodies are at the point, Pick returns the highest slot, and a static body only if all of these
// bodies are static. It ignores polylines, because they have no area.
func Pick(v *View[body2d.State], x, y float64) (slot int, ok bool) {
	index := indexOf(v)
	q := index.Begin()
	q.Point(query.Filter{Sensors: true, Disabled: true}, geometry.Vec{X: x, Y: y})
	index.Search(q)
	i, end := q.Found()
	defer q.Release(i)
	best, moves := -1, false
	for ; i < end; i++ {
		slot, _ := v.Scene.Slot(q.Hits[i].Body)
		dynamic := !v.Scene.Bodies[slot].Static()
		if dynamic && !moves || dynamic == moves && slot > best {
			best, moves = slot, dynamic
		}
	}
	return best, best >= 0
}
