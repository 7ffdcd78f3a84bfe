package forces

import (
	"errors"
	"reflect"

	"halfstep/internal/binenc"
)

// errState is returned for bytes that are not from AppendBinary.
var errState = errors.New("forces: not the state of this controller")

// AppendBinary appends all state that later steps need, so that the Fluid goes
// back in time with the world; see [world.Stateful].
func (f *Fluid) AppendBinary(b []byte) ([]byte, error) {
	return binenc.Append(b, reflect.ValueOf(f).Elem()), nil
}

// UnmarshalBinary sets the state from the bytes of AppendBinary.
func (f *Fluid) UnmarshalBinary(b []byte) error { return take(b, reflect.ValueOf(f).Elem()) }

// AppendBinary appends all state that later steps need, except Gust, so that the
// Wind goes back in time with the world; see [world.Stateful].
func (a *Wind) AppendBinary(b []byte) ([]byte, error) {
	return binenc.Append(b, reflect.ValueOf(a).Elem()), nil
}

// UnmarshalBinary sets the state from the bytes of AppendBinary.
func (a *Wind) UnmarshalBinary(b []byte) error { return take(b, reflect.ValueOf(a).Elem()) }

func take(b []byte, v reflect.Value) error {
	if rest, err := binenc.Read(b, v); err != nil || len(rest) > 0 {
		return errState
	}
	return nil
}
