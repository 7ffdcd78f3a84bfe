package engine

import "halfstep/world"

// recorded is a copy of a command as a recording keeps it: without the User
// values that a file cannot hold.
func recorded(c *world.Command) *world.Command {
	kept := *c
	if d := kept.BodyDef; d != nil {
		d = copied(d)
		d.User = plainUser(d.User)
		d.Shapes = append([]world.ShapeDef(nil), d.Shapes...)
		for i := range d.Shapes {
			d.Shapes[i].User = plainUser(d.Shapes[i].User)
		}
		kept.BodyDef = d
	}
	if d := copied(kept.ShapeDef); d != nil {
		d.User = plainUser(d.User)
		kept.ShapeDef = d
	}
	if d := copied(kept.JointDef); d != nil {
		d.User = plainUser(d.User)
		kept.JointDef = d
	}
	return &kept
}

// plainUser returns a User value that can be recorded as it is, and nil for any
// other. What might be changed while it is written, refers to itself, or needs
// a type that the reader does not have, is not even looked at.
func plainUser(v any) any {
	switch v.(type) {
	case bool, string, int, int8, int16, int32, int64,
		uint, uint8, uint16, uint32, uint64, uintptr,
		float32, float64, complex64, complex128:
		return v
	}
	return nil
}

// copied returns a pointer to a copy, or nil.
func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}
