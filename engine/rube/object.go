package rube

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"halfstep/buffer/body2d"
	"halfstep/internal/binenc"
	"halfstep/world"
)

// object is a JSON object that is read or written, field by field. A call names a field and
// has a pointer to its value. The same call reads or writes, so that both agree. If a field
// is missing, the value does not change. The object stores the first error, so the caller
// need check for an error only once, after all fields.
type object struct {
	fields map[string]json.RawMessage // the fields of an object that is read
	writes bool
	text   []byte // the text of the fields that were written so far
	err    error

	// within is the object in which this one is the field name. It gets the errors of this
	// object, too.
	within *object
	name   string

	own    map[string]*object // custom properties that begin with ownPrefix and were not read yet, by their names without ownPrefix
	custom Properties         // the other custom properties, which belong to the user
	listed []byte             // the text of custom properties that will be written
	scales *world.Simulation  // computes the masses of bodies that are written
}

// ownPrefix begins the names of the custom properties for values that have no field in the
// format.
const ownPrefix = "halfstep."

func newObject(raw json.RawMessage) *object {
	fields, err := decode[map[string]json.RawMessage](raw, "an object")
	return &object{fields: fields, err: err}
}

func (o *object) has(name string) bool {
	raw, ok := o.fields[name]
	return ok && string(raw) != "null"
}

func (o *object) fail(err error) {
	if o.err != nil {
		return
	}
	o.err = err
	if o.within != nil {
		o.within.fail(fmt.Errorf("%s: %w", o.name, err))
	}
}

// require records an error in a file that is read, unless ok is true.
func (o *object) require(ok bool, format string, args ...any) {
	if !ok && !o.writes {
		o.fail(fmt.Errorf(format, args...))
	}
}

// kind describes a kind of value: its name as a custom property, and how it is read and
// written.
type kind[T any] struct {
	name  string
	read  func(json.RawMessage) (T, error)
	write func([]byte, T) []byte
}

var (
	numbers  = kind[float64]{"float", number, appendNumber}
	truths   = kind[bool]{"bool", truth, strconv.AppendBool}
	texts    = kind[string]{"string", text, appendText}
	vectors  = kind[world.Vec]{"vec2", vector, appendVector}
	colours  = kind[body2d.Colour]{"color", colour, appendColour}
	outlines = kind[[]world.Vec]{"", points, appendPoints} // without a name, because it is never a custom property
	ints     = wholes[int](math.MinInt32, math.MaxInt32)
)

// field reads or writes a field.
func field[T any](o *object, name string, v *T, k kind[T]) {
	if o.writes {
		o.put(name, k.write(nil, *v))
		return
	}
	if o.err != nil || !o.has(name) {
		return
	}
	x, err := k.read(o.fields[name])
	if err != nil {
		o.fail(fmt.Errorf("%s: %w", name, err))
		return
	}
	*v = x
}

// own reads or writes a value that has no field in the format. The value is in a custom
// property, which is left out if the value is zero.
func own[T any](o *object, name string, v *T, k kind[T]) {
	if o.writes {
		if !binenc.IsZero(reflect.ValueOf(v).Elem()) {
			o.list(ownPrefix+name, k.name, k.write(nil, *v))
		}
		return
	}
	o.split()
	if in := o.own[name]; in != nil && o.err == nil {
		delete(o.own, name)
		in.require(in.has(k.name), "no %s in it", k.name)
		field(in, k.name, v, k)
	}
}

// put writes a field.
func (o *object) put(name string, value []byte) {
	if len(o.text) > 0 {
		o.text = append(o.text, ',')
	}
	o.text = append(append(appendText(o.text, name), ':'), value...)
}

// list writes a custom property of the list.
func (o *object) list(name, kind string, value []byte) {
	if len(o.listed) > 0 {
		o.listed = append(o.listed, ',')
	}
	o.listed = append(appendText(append(o.listed, `{"name":`...), name), ',')
	o.listed = append(append(append(appendText(o.listed, kind), ':'), value...), '}')
}

func (o *object) float(name string, v *float64) { field(o, name, v, numbers) }

// positive reads or writes a number that must not be negative.
func (o *object) positive(name string, v *float64) {
	o.float(name, v)
	o.require(*v >= 0, "%s %v: below 0", name, *v)
}

type integers interface {
	~uint8 | ~uint16 | ~int16 | ~uint64 | ~int
}

func integer[T integers](o *object, name string, v *T, low, high int64) {
	x := float64(*v)
	o.float(name, &x)
	if o.writes {
		return
	}
	if x != float64(int64(x)) || x < float64(low) || x > float64(high) {
		o.fail(fmt.Errorf("%s %v: not a whole number from %d to %d", name, x, low, high))
		return
	}
	*v = T(int64(x))
}

func (o *object) boolean(name string, v *bool) { field(o, name, v, truths) }

// not reads or writes a boolean field that is the opposite of v.
func (o *object) not(name string, v *bool) {
	x := !*v
	o.boolean(name, &x)
	*v = !x
}

func (o *object) string(name string, v *string) { field(o, name, v, texts) }

// vec reads or writes a vector: an object with x and y, or the number 0.
func (o *object) vec(name string, v *world.Vec) { field(o, name, v, vectors) }

// elements reads a list.
func (o *object) elements(name string) (all []json.RawMessage) {
	field(o, name, &all, kind[[]json.RawMessage]{read: list})
	return all
}

// object reads or writes a field that is itself an object. The function do reads or writes
// the fields of that object. Its errors become errors of o.
func (o *object) object(name string, do func(*object)) {
	in := &object{writes: o.writes}
	if !o.writes {
		in = newObject(o.fields[name])
	}
	if in.err != nil {
		o.fail(fmt.Errorf("%s: %w", name, in.err))
	}
	in.within, in.name = o, name
	if do(in); o.writes {
		o.put(name, in.written())
	}
}

// writeAll writes a list of n objects, each in a line of its own.
func (o *object) writeAll(name string, n int, do func(in *object, i int)) {
	text := []byte{'['}
	for i := range n {
		in := &object{writes: true, scales: o.scales}
		if do(in, i); in.err != nil {
			o.fail(in.err)
		}
		text = append(append(separated(text, i), '\n'), in.written()...)
	}
	o.put(name, append(text, ']'))
}

// written returns the text of the whole object, once all fields were written.
func (o *object) written() []byte {
	if len(o.listed) > 0 {
		o.put("customProperties", append(append([]byte{'['}, o.listed...), ']'))
		o.listed = nil
	}
	return append(append([]byte{'{'}, o.text...), '}')
}

func vector(raw json.RawMessage) (v world.Vec, err error) {
	if kindOf(raw) != "an object" {
		x, err := number(raw)
		if err == nil && x != 0 {
			err = errors.New("a number other than 0 where a vector should be")
		}
		return world.Vec{}, err
	}
	in := newObject(raw)
	in.float("x", &v.X)
	in.float("y", &v.Y)
	return v, in.err
}

func appendVector(b []byte, v world.Vec) []byte {
	b = appendNumber(append(b, `{"x":`...), v.X)
	return append(appendNumber(append(b, `,"y":`...), v.Y), '}')
}

func points(raw json.RawMessage) ([]world.Vec, error) {
	in := newObject(raw)
	xs, ys := in.elements("x"), in.elements("y")
	in.require(len(xs) == len(ys), "%d x, but %d y", len(xs), len(ys))
	if in.err != nil {
		return nil, in.err
	}
	ps := make([]world.Vec, len(xs))
	for i := range ps {
		var err error
		if ps[i].X, err = number(xs[i]); err != nil {
			return nil, fmt.Errorf("x %d: %w", i, err)
		}
		if ps[i].Y, err = number(ys[i]); err != nil {
			return nil, fmt.Errorf("y %d: %w", i, err)
		}
	}
	return ps, nil
}

func appendPoints(b []byte, ps []world.Vec) []byte {
	b = append(b, `{"x":[`...)
	for i := range ps {
		b = appendNumber(separated(b, i), ps[i].X)
	}
	b = append(b, `],"y":[`...)
	for i := range ps {
		b = appendNumber(separated(b, i), ps[i].Y)
	}
	return append(b, "]}"...)
}

// separated appends the comma before element i, unless it is the first.
func separated(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// split divides the custom properties into own and custom. It does so in its first call.
func (o *object) split() {
	if o.own != nil {
		return
	}
	o.own = map[string]*object{}
	for i, raw := range o.elements("customProperties") {
		in, name := newObject(raw), ""
		in.string("name", &name)
		if mine, ok := strings.CutPrefix(name, ownPrefix); ok && in.err == nil {
			in.within, in.name = o, "customProperties: "+describe("property", i, name)
			o.own[mine] = in
			continue
		}
		custom(o, in, name, ints)
		custom(o, in, name, numbers)
		custom(o, in, name, texts)
		custom(o, in, name, vectors)
		custom(o, in, name, truths)
		custom(o, in, name, colours)
		if in.err != nil {
			o.fail(fmt.Errorf("customProperties: %s: %w", describe("property", i, name), in.err))
		}
	}
}

// custom reads a custom property of the user, if its value is of the given kind.
func custom[T any](o, in *object, name string, k kind[T]) {
	if in.has(k.name) {
		var v T
		field(in, k.name, &v, k)
		o.custom = append(o.custom, Property{name, v})
	}
}

// noOther records an error if there are custom properties with ownPrefix that were not read.
func (o *object) noOther() {
	for name := range o.own {
		o.require(o.err != nil, "customProperties: %s: there is no such property here", quote(ownPrefix+name))
	}
}
