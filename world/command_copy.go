package world

import (
	"reflect"
	"slices"
)

// detach makes everything that a command points to the world's: a copy, so that
// the caller may change what it gave as soon as the call is over. User values
// are the caller's own and are handed back as they came. A negative zero becomes
// a positive one, since a recording can not tell them apart.
func detach(c *Command) {
	for _, x := range [...]*float64{&c.X, &c.Y, &c.V.X, &c.V.Y, &c.P.X, &c.P.Y} {
		*x += 0 // -0 + 0 is 0
	}
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
	positiveFields(reflect.ValueOf(c.BodyDef))
	positiveFields(reflect.ValueOf(c.ShapeDef))
	positiveFields(reflect.ValueOf(c.JointDef))
	positiveFields(reflect.ValueOf(c.Surfaces))
}

// positiveFields does so for all numbers that v leads to, but for those in User values.
func positiveFields(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			positiveFields(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			positiveFields(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			positiveFields(v.Field(i))
		}
	case reflect.Float64:
		v.SetFloat(v.Float() + 0)
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
