//go:build !purego

package soft

//go:noescape
func separationsAVX2(a, from, b *float32, qs, qc, x, y float32, to *float32)

// separate is load, and separationOf for each side of both polygons. It returns false if
// they have too many vertices, or there is no kernel.
func (s *separations) separate(a, g, b *polygon, q rot, at vec) bool {
	if !wide || a.count > 4 || g.count > 4 {
		return false
	}
	b.count, b.radius = g.count, g.radius
	separationsAVX2(&a.v[0].x, &g.v[0].x, &b.v[0].x, q.s, q.c, at.x, at.y, &s[0][0])
	return true
}
