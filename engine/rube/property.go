package rube

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"halfstep/buffer/body2d"
	"halfstep/world"
)

// Info is the rest of a file's data on a body, fixture or joint besides its name and
// physics. It is found, as *Info, in the User field of the definition, which
// is nil where the file says neither.
type Info struct {
	Path       string // the folder in the editor's tree
	Properties Properties
}

// Properties are custom properties in the order of the file. The editor allows
// one name to be used once per type.
type Properties []Property

// Property is one custom property. Value is an int, float64, string,
// world.Vec, bool or body2d.Colour.
type Property struct {
	Name  string
	Value any
}

// Int is the value of the whole-number property of that name, and whether
// there is one.
func (p Properties) Int(name string) (int, bool) { return find[int](p, name) }

// Float is the value of the number property of that name, and whether there is
// one.
func (p Properties) Float(name string) (float64, bool) { return find[float64](p, name) }

// Text is the value of the string property of that name, and whether there is
// one.
func (p Properties) Text(name string) (string, bool) { return find[string](p, name) }

// Vec is the value of the vector property of that name, and whether there is
// one.
func (p Properties) Vec(name string) (world.Vec, bool) { return find[world.Vec](p, name) }

// Bool is the value of the boolean property of that name, and whether there is
// one.
func (p Properties) Bool(name string) (value, ok bool) { return find[bool](p, name) }

// Colour is the value of the colour property of that name, and whether there
// is one.
func (p Properties) Colour(name string) (body2d.Colour, bool) { return find[body2d.Colour](p, name) }

func find[T any](p Properties, name string) (v T, ok bool) {
	for i := range p {
		if p[i].Name == name {
			if v, ok = p[i].Value.(T); ok {
				return v, true
			}
		}
	}
	return v, false
}

func user(o *object) any {
	in := Info{Path: o.text("path"), Properties: properties(o)}
	if in.Path == "" && in.Properties == nil {
		return nil
	}
	return &in
}

func properties(o *object) Properties {
	var ps Properties
	for i, raw := range o.list("customProperties") {
		in := newObject(raw)
		name := in.text("name")
		add := func(kind string, read func(string) any) {
			if in.has(kind) {
				ps = append(ps, Property{name, read(kind)})
			}
		}
		add("int", func(kind string) any { return int(in.integer(kind, 0, math.MinInt32, math.MaxInt32)) })
		add("float", func(kind string) any { return in.float(kind, 0) })
		add("string", func(kind string) any { return in.text(kind) })
		add("vec2", func(kind string) any { return in.vec(kind) })
		add("bool", func(kind string) any { return in.boolean(kind, false) })
		add("color", func(kind string) any { return field(in, kind, body2d.Colour{}, colour) })
		if in.err != nil {
			o.fail(fmt.Errorf("customProperties: %s: %w", place("property", i, name), in.err))
		}
	}
	return ps
}

// colour reads a list of red, green, blue and alpha, 0 to 255 each.
func colour(raw json.RawMessage) (c body2d.Colour, err error) {
	l, err := list(raw)
	if err != nil {
		return c, err
	}
	if len(l) != len(c) {
		return c, fmt.Errorf("a list of %d where one of %d should be", len(l), len(c))
	}
	for i := range c {
		v, err := number(l[i])
		if err != nil {
			return c, err
		}
		if v < 0 || v > 255 {
			return c, errors.New("a component is not from 0 to 255")
		}
		c[i] = uint8(v)
	}
	return c, nil
}
