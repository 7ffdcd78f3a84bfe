package world

// Ask calls question on the physics goroutine. Then it calls reply with the result and with
// the tick of the world. question must not change the world. reply is called on the goroutine
// that takes the events, when the events of that tick are due. Several questions may wait at
// the same time. If reply is nil, Ask does nothing. question may read all of the World:
//
//	world.Ask(commands, func(w *world.World) bool {
//		blocked, _ := w.Query(world.QueryFilter{Ignore: me}).RayCastAny(from, to)
//		return blocked
//	}, func(tick uint64, blocked bool) { … })
func Ask[T any](c Commands, question func(*World) T, reply func(tick uint64, t T)) {
	if reply == nil {
		return
	}
	if question == nil {
		c.Inspect(nil) // the command with a nil function is rejected
		return
	}
	c.Inspect(func(w *World) {
		t := question(w)
		w.checkGoroutine()
		w.news.event(answered).reply = new(func(tick uint64) { reply(tick, t) }) // the goroutine that takes the events calls it
	})
}

// RayCast asks for the first shape that a ray between two points meets, sensors excepted. The
// points are in m. ok is false if the ray meets no shape or has no length. [Ask] says when
// reply is called.
func (c Commands) RayCast(from, to Vec, reply func(tick uint64, hit RayHit, ok bool)) {
	askHit(c, func(w *World) (RayHit, bool, error) { return w.Query(QueryFilter{}).RayCast(from, to) }, reply)
}

// NearestPoint asks for the solid shape that is nearest to a point, in m, and for the shape's
// nearest point, like [Query.NearestPoint]. [Ask] says when reply is called.
func (c Commands) NearestPoint(point Vec, within float64, reply func(tick uint64, hit NearHit, ok bool)) {
	askHit(c, func(w *World) (NearHit, bool, error) { return w.Query(QueryFilter{}).NearestPoint(point, within) }, reply)
}

// askHit asks a question whose answer is one hit or no hit. An error counts as no hit.
func askHit[H any](c Commands, question func(*World) (H, bool, error), reply func(tick uint64, hit H, ok bool)) {
	if reply == nil {
		return
	}
	type found struct {
		hit H
		ok  bool
	}
	Ask(c, func(w *World) found {
		hit, ok, err := question(w)
		return found{hit, ok && err == nil}
	}, func(tick uint64, f found) { reply(tick, f.hit, f.ok) })
}

// QueryPoint asks for the bodies with a shape that contains a point, in m. Sensors are shapes,
// too. The result has a body once for each such shape. [Ask] says when reply is called.
func (c Commands) QueryPoint(point Vec, reply func(tick uint64, bodies []Body)) {
	Ask(c, func(w *World) (b []Body) {
		_ = w.Query(QueryFilter{Sensors: true}).OverlapPoint(point, func(body Body, _ Shape) bool { b = append(b, body); return true })
		return b
	}, reply)
}

// QueryBox asks for the bodies with a shape that meets the box between two corners, in m.
// Sensors are shapes, too. The result has a body once for each such shape. [Ask] says when
// reply is called.
func (c Commands) QueryBox(low, high Vec, reply func(tick uint64, bodies []Body)) {
	Ask(c, func(w *World) (b []Body) {
		_ = w.Query(QueryFilter{Sensors: true}).OverlapBox(low, high, func(body Body, _ Shape) bool { b = append(b, body); return true })
		return b
	}, reply)
}
