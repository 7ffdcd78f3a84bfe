package main

import "github.com/ByteArena/box2d"

// libraryOverlap returns the depth of the deepest overlap of two shapes in the
// library's manifolds, in m. The library gives polygons and edges a skin; the
// depth does not include the skin, so that shapes at rest do not overlap.
func libraryOverlap(world *box2d.B2World) float64 {
	deepest := 0.0
	var wm box2d.B2WorldManifold
	for c := world.M_contactManager.M_contactList; c != nil; c = c.GetNext() {
		if !c.IsTouching() {
			continue
		}
		a, b := c.GetFixtureA(), c.GetFixtureB()
		wm.Initialize(c.GetManifold(), a.M_body.M_xf, skinless(a), b.M_body.M_xf, skinless(b))
		for _, separation := range wm.Separations[:c.GetManifold().PointCount] {
			deepest = max(deepest, -separation)
		}
	}
	return deepest
}

// skinless returns the radius of a shape without the library's skin.
func skinless(f *box2d.B2Fixture) float64 {
	r := f.M_shape.GetRadius()
	if f.M_shape.GetType() != box2d.B2Shape_Type.E_circle {
		r = max(0, r-box2d.B2_polygonRadius)
	}
	return r
}
