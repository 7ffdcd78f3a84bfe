package world

// Ask runs question on the physics goroutine, which must not change the world
// there, and answer with what it returned on the render thread: from NextEvent,
// in the order of events, when the tick is due that the world was at. Any
// number of questions may be under way.
func Ask[T any](c Commands, question func(*World) T, reply func(tick uint64, t T)) {
	c.Inspect(func(w *World) {
		t := question(w)
		w.own()
		answer := func(tick uint64) { reply(tick, t) }
		w.event(answered).reply = &answer
	})
}

// RayCast asks for the first shape between two points (m) that is not a sensor.
// reply gets the tick at which it was so, and false if nothing was met or the
// ray has no length.
func (c Commands) RayCast(from, to Vec, reply func(tick uint64, hit RayHit, ok bool)) {
	type found struct {
		hit RayHit
		ok  bool
	}
	Ask(c, func(w *World) found {
		hit, ok, err := w.RayCast(from, to)
		return found{hit, ok && err == nil}
	}, func(tick uint64, f found) { reply(tick, f.hit, f.ok) })
}

// QueryPoint asks for the bodies with a shape that contains the point (m), each
// once per shape.
func (c Commands) QueryPoint(p Vec, reply func(tick uint64, bodies []Body)) {
	Ask(c, func(w *World) (b []Body) {
		_ = w.QueryPoint(p, func(body Body, _ Shape) bool { b = append(b, body); return true })
		return b
	}, reply)
}

// QueryBox asks for the bodies with a shape that meets the box between two
// corners (m), each once per shape.
func (c Commands) QueryBox(low, high Vec, reply func(tick uint64, bodies []Body)) {
	Ask(c, func(w *World) (b []Body) {
		_ = w.QueryBox(low, high, func(body Body, _ Shape) bool { b = append(b, body); return true })
		return b
	}, reply)
}
