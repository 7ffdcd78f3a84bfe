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
// It is built when the first question about a picture is asked, from the shapes
// as they are shown, and answers until the picture changes. What static bodies
// have is sorted anew only when one of them moves or anything comes or goes.
type index struct {
	scene    *Scene
	question query.Question
	of       picture
	shapes   []geometry.Shape // of Scene.Shapes, in the frames of their bodies
	places   []place          // by slot
	static   tree
	moving   tree
}

// picture is all that decides what a view shows.
type picture struct {
	prev, cur      uint64 // serials
	bodies, shapes uint64 // versions
	alpha          float32
	dt             float64
	smoothing      body2d.Smoothing
}

// place is where a body is shown.
type place struct {
	shown, disabled bool
	at              geometry.Transform
}

var _ query.Space = (*index)(nil)

// IndexOf returns what questions about a view are put to.
func IndexOf(_ bridge.Key, v *View[body2d.State]) query.Space { return indexOf(v) }

// indexOf returns the index of what a view shows.
func indexOf(v *View[body2d.State]) *index {
	s := v.Scene
	x := &s.index
	now := picture{
		v.PrevSerial, v.CurSerial, s.BodiesVersion, s.ShapesVersion, v.Alpha, v.Dt, v.Smoothing,
	}
	if now == x.of && v.CurSerial != 0 { // states of serial 0 were never published
		return x
	}
	changed := now.bodies != x.of.bodies || now.shapes != x.of.shapes
	if now.shapes != x.of.shapes {
		x.shape(s)
	}
	if changed {
		x.places = resized(x.places, len(s.Bodies))
	}
	x.scene, x.of = s, now
	if x.put(v) || changed {
		x.grow(&x.static, true)
	}
	x.grow(&x.moving, false)
	return x
}

// grow makes the tree of the shapes of static bodies, or of all others.
func (x *index) grow(t *tree, static bool) {
	t.reset()
	for i := range x.scene.Shapes {
		s := &x.scene.Shapes[i]
		if p := &x.places[s.Slot]; p.shown && x.scene.Bodies[s.Slot].Static() == static {
			t.add(int32(i), x.box(s, i, &p.at))
		}
	}
	t.build()
}

// shape makes the shapes of a scene what questions are about.
func (x *index) shape(s *Scene) {
	x.shapes = resized(x.shapes, len(s.Shapes))
	for i := range s.Shapes {
		g := &s.Shapes[i].Geometry
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
}

func vec(p [2]float32) geometry.Vec { return geometry.Vec{X: float64(p[0]), Y: float64(p[1])} }

// put notes where bodies are shown, and reports whether a static one has moved.
func (x *index) put(v *View[body2d.State]) (moved bool) {
	for slot := range x.places {
		b, was := &v.Scene.Bodies[slot], x.places[slot]
		var p place
		if pose, ok := PoseOf(v, slot); ok {
			p.shown, p.disabled = true, v.Cur[slot].Flags()&body2d.Disabled != 0
			p.at.P.X, p.at.P.Y = pose.Origin(b.LocalX, b.LocalY)
			p.at.Sin, p.at.Cos = math.Sincos(float64(pose.Angle))
		}
		moved = moved || p != was && b.Static()
		x.places[slot] = p
	}
	return moved
}

// resized returns a slice of length n, for contents that are all written anew.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// box is the box around a shape, with a margin for rounding.
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
	x.static.search(q, x)
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
