package scene

import (
	"halfstep/buffer/body2d"
	"halfstep/internal/geometry"
	"halfstep/internal/query"
)

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
