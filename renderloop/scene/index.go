package scene

import (
	"math"

	"halfstep/buffer/body2d"
	"halfstep/internal/bridge"
	"halfstep/internal/geometry"
	"halfstep/internal/query"
)

// index answers questions about what a view shows. [Pick] and the engine's Shown
// ask it. It belongs to the scene, and so to the render thread.
//
// It is brought up to date when the first question about a picture is asked, and
// answers until the picture changes. Bodies that rest, which are in the same place
// in both states of the view and are not moving on, stay in a tree that is kept. The
// others are loose: their tree is built for each picture. So a question costs what
// is loose and what has changed since the last one.
type index struct {
	scene    *Scene // nil until the first question
	question query.Question
	of       picture
	shapes   []geometry.Shape // of Scene.Shapes, in the frames of their bodies
	leaves   []int32          // of Scene.Shapes, in resting
	places   []place          // by slot
	loose    []int32          // slots
	resting  kept
	moving   tree
}

// picture identifies what a view shows: with the same one nothing has moved.
type picture struct {
	prev, cur      uint64 // serials
	bodies, shapes uint64 // versions
	alpha          float32
	dt             float64
	smoothing      body2d.Smoothing
}

type place struct {
	shown, disabled bool
	loose           bool // listed in Index.loose
	at              geometry.Transform
}

var _ query.Space = (*index)(nil)

// IndexOf returns what questions about a view are put to.
func IndexOf(_ bridge.Key, v *View[body2d.State]) query.Space { return indexOf(v) }

func indexOf(v *View[body2d.State]) *index {
	s := v.Scene
	x := &s.index
	now := picture{
		v.PrevSerial, v.CurSerial, s.BodiesVersion, s.ShapesVersion, v.Alpha, v.Dt, v.Smoothing,
	}
	if now == x.of && v.CurSerial != 0 { // states of serial 0 were never published
		return x
	}
	was := x.of
	x.of = now
	switch {
	case x.scene == nil:
		x.begin(s)
	case v.CurStamps == nil || now.cur < was.cur || now.prev < was.cur && now.prev != was.prev:
		// What rested may have moved, or rest no longer.
		for slot := range s.Bodies {
			if !Rests(v, slot) || slot >= len(x.places) || x.placeOf(v, int32(slot)) != x.places[slot] {
				x.loosen(int32(slot))
			}
		}
	default: // what rested has not moved unless it is stamped
		for slot := range v.CurStamps.Since(was.cur) {
			x.loosen(int32(slot))
		}
	}
	x.settle(v)
	x.moving.reset()
	for _, slot := range x.loose {
		if p := &x.places[slot]; p.shown {
			for _, i := range s.Bodies[slot].shapes {
				x.moving.add(i, x.box(&s.Shapes[i], int(i), &p.at))
			}
		}
	}
	x.moving.build()
	return x
}

func (x *index) begin(s *Scene) {
	x.scene = s
	x.shapes, x.leaves = x.shapes[:0], x.leaves[:0]
	x.places, x.loose = x.places[:0], x.loose[:0]
	x.resting = kept{nodes: x.resting.nodes[:0], root: none, free: none, stack: x.resting.stack}
	for i := range s.Shapes {
		x.addShape(&s.Shapes[i])
	}
	for slot := range s.Bodies {
		x.loosen(int32(slot))
	}
}

// loosen makes a body loose: it may have moved, or its shapes are about to be others.
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

// settle notes where the loose bodies are shown. Those that rest are no longer loose.
func (x *index) settle(v *View[body2d.State]) {
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
			x.leaves[i] = x.resting.add(i, x.box(&x.scene.Shapes[i], int(i), &p.at))
		}
	}
	x.loose = still
}

func (x *index) placeOf(v *View[body2d.State], slot int32) (p place) {
	if pose, ok := PoseOf(v, int(slot)); ok {
		b := &x.scene.Bodies[slot]
		p.shown, p.disabled = true, v.Cur[slot].Flags()&body2d.Disabled != 0
		p.at.P.X, p.at.P.Y = pose.Origin(b.LocalX, b.LocalY)
		p.at.Sin, p.at.Cos = math.Sincos(float64(pose.Angle))
	}
	return p
}

// Rests reports whether the body in a slot is shown in the same place at every
// instant of the view, with every smoothing. So is a slot without a body.
func Rests(v *View[body2d.State], slot int) bool {
	if slot >= len(v.Cur) || slot >= len(v.Prev) {
		return slot >= len(v.Cur)
	}
	p, c := &v.Prev[slot], &v.Cur[slot]
	return (p.Bits^c.Bits)&^uint32(body2d.Jump|body2d.Impact|body2d.Awake) == 0 &&
		c.X-p.X == 0 && c.Y-p.Y == 0 && c.Angle-p.Angle == 0 && c.Turns == p.Turns && // false of what is not finite
		p.VX == 0 && p.VY == 0 && p.Omega == 0 && c.VX == 0 && c.VY == 0 && c.Omega == 0
}

func (x *index) addShape(s *Shape) {
	if x.scene == nil {
		return
	}
	x.shapes = append(x.shapes, geometry.Shape{})
	x.leaves = append(x.leaves, none)
	x.shape(len(x.shapes)-1, &s.Geometry)
}

// moveShape follows a shape that takes the place of another, which is gone.
func (x *index) moveShape(from, to int32) {
	if x.scene == nil {
		return
	}
	x.shapes[to], x.leaves[to] = x.shapes[from], x.leaves[from]
	if leaf := x.leaves[to]; leaf != none {
		x.resting.nodes[leaf].shape = to
	}
}

// dropShape follows the last shape, which is gone.
func (x *index) dropShape() {
	if x.scene != nil {
		x.shapes, x.leaves = x.shapes[:len(x.shapes)-1], x.leaves[:len(x.leaves)-1]
	}
}

// shape moves a shape of the scene to where it is shown, for a question.
func (x *index) shape(i int, g *body2d.Geometry) {
	var points [body2d.MaxPoints]geometry.Vec
	for k := range points {
		points[k] = vec(g.Points[k])
	}
	switch g.Kind {
	case body2d.Disc:
		x.shapes[i].SetCircle(points[0], float64(g.Radius))
	case body2d.Convex:
		x.shapes[i].SetHull(points[:min(g.N, body2d.MaxPoints)], float64(g.Radius))
	}
}

func vec(p [2]float32) geometry.Vec { return geometry.Vec{X: float64(p[0]), Y: float64(p[1])} }

func (x *index) box(s *Shape, i int, at *geometry.Transform) geometry.Box {
	var b geometry.Box
	if s.Kind == body2d.Polyline {
		b = geometry.Nothing
		for _, p := range s.Points[:min(s.N, body2d.MaxPoints)] {
			w := at.Point(vec(p))
			b = b.Around(&geometry.Box{Min: w, Max: w})
		}
	} else {
		b = x.shapes[i].Box(at)
	}
	reach := max(-b.Min.X, -b.Min.Y, b.Max.X, b.Max.Y)
	return b.Grown(geometry.Slack + 1e-12*reach)
}

// Begin returns the index's one question.
func (x *index) Begin() *query.Question { return &x.question }

// Has reports true: what is shown stays until the next frame.
func (x *index) Has(uint64) bool { return true }

// Search offers q the shapes that it may be about.
func (x *index) Search(q *query.Question) {
	x.moving.search(q, x)
	x.resting.search(q, x)
}

// offer lets q try a shape, or the segments of a polyline.
func (x *index) offer(q *query.Question, i int32) {
	s := &x.scene.Shapes[i]
	p := &x.places[s.Slot]
	c := query.Candidate{
		Body: x.scene.Bodies[s.Slot].Handle, Shape: s.Handle,
		Category: s.Filter.Category, Mask: s.Filter.Mask, Sensor: s.Sensor,
	}
	if p.disabled && !q.Disabled() || !q.Wants(&c) {
		return
	}
	if s.Kind != body2d.Polyline {
		q.Try(&c, &x.shapes[i], &p.at)
		return
	}
	var segment geometry.Shape
	for k := 1; k < int(min(s.N, body2d.MaxPoints)); k++ {
		segment.SetSegment(vec(s.Points[k-1]), vec(s.Points[k]), 0)
		c.Part = k
		q.Try(&c, &segment, &p.at)
	}
}

// Pick returns the slot of the body that is shown at a point of the world, in
// metres. Of several bodies it returns the one with the highest slot, and a static
// body only if there is no other. Polylines have no inside and are never picked.
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
