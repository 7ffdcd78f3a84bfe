package rube

import (
	"encoding/json"
	"errors"
	"fmt"

	"halfstep/world"
)

// object is a JSON object whose fields are read one by one, each with the
// format's own idea of a number or vector. The first error sticks, so that it
// is looked at once, when all fields have been read.
type object struct {
	fields map[string]json.RawMessage
	err    error

	// within is the object whose field, called name, this one is; it gets the
	// error too.
	within *object
	name   string
}

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

// require fails unless ok.
func (o *object) require(ok bool, format string, args ...any) {
	if !ok {
		o.fail(fmt.Errorf(format, args...))
	}
}

// field reads a field with read, or returns absent where there is none.
func field[T any](o *object, name string, absent T, read func(json.RawMessage) (T, error)) T {
	if o.err != nil || !o.has(name) {
		return absent
	}
	v, err := read(o.fields[name])
	if err != nil {
		o.fail(fmt.Errorf("%s: %w", name, err))
		return absent
	}
	return v
}

func (o *object) float(name string, absent float64) float64 { return field(o, name, absent, number) }

// positive reads a number that must not be below 0.
func (o *object) positive(name string) float64 {
	v := o.float(name, 0)
	o.require(v >= 0, "%s %v: below 0", name, v)
	return v
}

func (o *object) integer(name string, absent, low, high int64) int64 {
	v := o.float(name, float64(absent))
	if v != float64(int64(v)) || v < float64(low) || v > float64(high) {
		o.fail(fmt.Errorf("%s %v: not a whole number from %d to %d", name, v, low, high))
		return absent
	}
	return int64(v)
}

func (o *object) boolean(name string, absent bool) bool { return field(o, name, absent, truth) }

func (o *object) text(name string) string { return field(o, name, "", text) }

func (o *object) list(name string) []json.RawMessage { return field(o, name, nil, list) }

func (o *object) points(name string) []world.Vec { return field(o, name, nil, points) }

// object reads a field that is an object; where it is none, or absent, reading
// from the result gives nothing. Errors in it are errors of o.
func (o *object) object(name string) *object {
	in := newObject(o.fields[name])
	if in.err != nil {
		o.fail(fmt.Errorf("%s: %w", name, in.err))
	}
	in.within, in.name = o, name
	return in
}

// vec reads a vector: an object with x and y, or the number 0.
func (o *object) vec(name string) world.Vec { return field(o, name, world.Vec{}, vector) }

func vector(raw json.RawMessage) (world.Vec, error) {
	if kindOf(raw) != "an object" {
		v, err := number(raw)
		if err == nil && v != 0 {
			err = errors.New("a number other than 0 where a vector should be")
		}
		return world.Vec{}, err
	}
	in := newObject(raw)
	v := world.Vec{X: in.float("x", 0), Y: in.float("y", 0)}
	return v, in.err
}

func points(raw json.RawMessage) ([]world.Vec, error) {
	in := newObject(raw)
	xs, ys := in.list("x"), in.list("y")
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
