package engine

import (
	"halfstep/internal/bridge"
	"halfstep/internal/query"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// Shown returns questions about what this frame shows: rays, casts and overlaps
// find shapes where the picture has them, and are answered at once, without
// physics. What the player sees is what the player clicks. The questions of
// Commands (RayCast and so on) ask the world instead, and are answered later.
//
// Between two steps the world never was what is shown. At an instant that is a
// tick, both have the same answer, but for the float32 of what is shown: within
// 1,000 m of the origin, 0.1 mm for bodies of usual size.
//
// The first question about a picture sorts its shapes, the others search; none
// allocates memory in the long run. A Query that is kept asks about the frame of
// the moment.
func (e *Engine) Shown(f world.QueryFilter) world.Query { return inside.NewQuery((*shown)(e), f) }

// shown is the Engine as questions see it.
type shown Engine

func (s *shown) index() query.Space { return scene.IndexOf(bridge.Key{}, (*Engine)(s).View()) }

// Begin returns the question of the picture.
func (s *shown) Begin() *query.Question { return s.index().Begin() }

// Search offers q the shapes of the picture.
func (s *shown) Search(q *query.Question) { s.index().Search(q) }

// Has reports that what was found is still shown.
func (s *shown) Has(shape uint64) bool { return s.index().Has(shape) }

// Pick returns the topmost body with a shape that contains the point (m, in the
// world) as this frame shows it, and false if there is none. It returns a static
// body only if no other contains the point.
func (e *Engine) Pick(x, y float64) (world.Body, bool) {
	slot, ok := scene.Pick(e.View(), x, y)
	if !ok {
		return 0, false
	}
	return world.Body(e.View().Scene.Bodies[slot].Handle), true
}
