package world

import "slices"

// detach makes everything that a command points to the world's: a copy, so that
// the caller may change what it gave as soon as the call is over. User values
// are the caller's own and are handed back as they came.
func detach(c *Command) {
	c.Args = slices.Clone(c.Args)
	c.BodyDef = copied(c.BodyDef)
	c.ShapeDef = copied(c.ShapeDef)
	c.JointDef = copied(c.JointDef)
	if c.Surfaces = copied(c.Surfaces); c.Surfaces != nil {
		c.Surfaces.Mixes = slices.Clone(c.Surfaces.Mixes)
	}
	if d := c.BodyDef; d != nil {
		d.Mass = copied(d.Mass)
		d.Shapes = slices.Clone(d.Shapes)
		for i := range d.Shapes {
			detachShape(&d.Shapes[i])
		}
	}
	if c.JointDef != nil {
		c.JointDef.At = copied(c.JointDef.At)
	}
	if c.ShapeDef != nil {
		detachShape(c.ShapeDef)
	}
}

func detachShape(d *ShapeDef) {
	d.Points, d.SegmentMaterials = slices.Clone(d.Points), slices.Clone(d.SegmentMaterials)
	d.Before, d.After = copied(d.Before), copied(d.After)
}

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}
