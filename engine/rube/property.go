package rube

import (
	"encoding/json"
	"errors"
	"fmt"

	"halfstep/buffer/body2d"
	"halfstep/world"
)

// Info has the data in a file about a body, fixture or joint, besides its name and
// its physics. The User field of the definition is an *Info, or is nil if the file
// has no such data.
type Info struct {
	Path       string // the folder in the editor's tree
	Properties Properties
}

// Properties are custom properties, in the order of the file. The editor allows the
// same name once for each type.
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

// info reads or writes the path and the custom properties of a body, fixture or joint.
func (o *object) info(user *any) {
	in, _ := (*user).(*Info)
	if in == nil {
		in = new(Info)
	}
	if in.Path != "" || !o.writes {
		o.string("path", &in.Path)
	}
	o.properties(&in.Properties)
	if *user = nil; in.Path != "" || in.Properties != nil {
		*user = in
	}
}

// properties reads or writes the user's custom properties.
func (o *object) properties(all *Properties) {
	if !o.writes {
		o.split()
		*all = o.custom
		return
	}
	for _, p := range *all {
		switch v := p.Value.(type) {
		case int:
			o.list(p.Name, ints.name, ints.write(nil, v))
		case float64:
			o.list(p.Name, numbers.name, numbers.write(nil, v))
		case string:
			o.list(p.Name, texts.name, texts.write(nil, v))
		case world.Vec:
			o.list(p.Name, vectors.name, vectors.write(nil, v))
		case bool:
			o.list(p.Name, truths.name, truths.write(nil, v))
		case body2d.Colour:
			o.list(p.Name, colours.name, colours.write(nil, v))
		}
	}
}

// colour reads a list of red, green, blue and alpha, each from 0 to 255.
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

func appendColour(b []byte, c body2d.Colour) []byte {
	return fmt.Appendf(b, "[%d,%d,%d,%d]", c[0], c[1], c[2], c[3])
}
