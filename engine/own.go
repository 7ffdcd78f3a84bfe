package engine

import "slices"

// own makes everything that a command points to the engine's: a copy, so that
// the caller may change what it gave as soon as the call is over. User values
// are the caller's own and are handed back as they came.
func own(c *Command) {
	c.Args = slices.Clone(c.Args)
	c.BodyDef = copied(c.BodyDef)
	c.ShapeDef = copied(c.ShapeDef)
	c.JointDef = copied(c.JointDef)
	if d := c.BodyDef; d != nil {
		d.Mass = copied(d.Mass)
		d.Shapes = slices.Clone(d.Shapes)
		for i := range d.Shapes {
			ownShape(&d.Shapes[i])
		}
	}
	if c.ShapeDef != nil {
		ownShape(c.ShapeDef)
	}
}

func ownShape(d *ShapeDef) {
	d.Points = slices.Clone(d.Points)
	d.Before, d.After = copied(d.Before), copied(d.After)
}

// copied returns a pointer to a copy, or nil.
func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}
