package world

import "github.com/ByteArena/box2d"

// SetSurfaceSpeed sets the speed of a shape's surface, m/s, and wakes what
// touches it; see ShapeDef.SurfaceSpeed.
func (w *World) SetSurfaceSpeed(s Shape, speed float64) error {
	sh, err := w.editShape(s, checkNumber("surface speed", speed))
	if err != nil || sh.surfaceSpeed == speed {
		return err
	}
	sh.surfaceSpeed = speed
	sh.eachContact(func(i box2d.B2ContactInterface) {
		c := contactOf(i)
		c.M_tangentSpeed = surfaceSpeed(c)
		w.active.EditContact(c)
		if touchesSolidly(c) {
			w.wakeBoth(i)
		}
	})
	return nil
}

// surfaceSpeed is the tangent speed that the shapes of a contact give it. Box2D
// reads it the same way round for either order of the two.
func surfaceSpeed(c *box2d.B2Contact) float64 {
	speed := 0.0
	for _, f := range [...]*box2d.B2Fixture{c.M_fixtureA, c.M_fixtureB} {
		if s := shapeOf(f); s != nil {
			speed += s.surfaceSpeed
		}
	}
	return speed
}
