package forces

import (
	"errors"
	"reflect"

	"halfstep/internal/plain"
)

// errState is returned for bytes that AppendBinary has not made.
var errState = errors.New("forces: not the state of this controller")

// AppendBinary appends all that later steps depend on, so that the Fluid goes back
// in time with the world; see [world.Stateful].
func (f *Fluid) AppendBinary(b []byte) ([]byte, error) {
	return plain.Append(b, reflect.ValueOf(f).Elem()), nil
}

// UnmarshalBinary takes on a state that AppendBinary has appended.
func (f *Fluid) UnmarshalBinary(b []byte) error { return take(b, reflect.ValueOf(f).Elem()) }

// AppendBinary appends all that later steps depend on but Gust, so that the Wind
// goes back in time with the world; see [world.Stateful].
func (a *Wind) AppendBinary(b []byte) ([]byte, error) {
	return plain.Append(b, reflect.ValueOf(a).Elem()), nil
}

// UnmarshalBinary takes on a state that AppendBinary has appended.
func (a *Wind) UnmarshalBinary(b []byte) error { return take(b, reflect.ValueOf(a).Elem()) }

func take(b []byte, v reflect.Value) error {
	if rest, err := plain.Read(b, v); err != nil || len(rest) > 0 {
		return errState
	}
	return nil
}
