package world

import (
	"encoding"
	"fmt"
	"reflect"

	"halfstep/internal/binenc"
)

// Stateful is code of the program whose state goes back in time with the world. A
// snapshot stores the bytes of AppendBinary. Restore calls UnmarshalBinary with these
// bytes, on the physics goroutine. Snapshots include every [Controller] that has both
// methods. [World.AddState] adds other values, such as a *rand.PCG.
//
// The bytes must have all state on which later calls depend. They must not depend on
// addresses, because another process may load the snapshot. UnmarshalBinary must copy
// the bytes that it keeps, and must return an error for bytes that it cannot read.
type Stateful interface {
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
}

// AddState adds code of the program whose state goes back with the world. It must be
// called in Setup, because a restore drops code that was added after the snapshot.
// AddState ignores nil.
func (w *World) AddState(s Stateful) {
	w.checkGoroutine()
	if s == nil {
		return
	}
	w.states = append(w.states, s)
}

// Keep makes variables go back with the world, such as those of a controller. The
// arguments are pointers to the variables. A variable must be a number, a bool, a
// string, or an array, slice or struct of these. Keep panics on other types. It must
// be called in Setup, like AddState.
func (w *World) Keep(variables ...any) {
	k := &keeper{make([]reflect.Value, len(variables))}
	for i, v := range variables {
		p := reflect.ValueOf(v)
		if p.Kind() != reflect.Pointer || p.IsNil() {
			panic(fmt.Sprintf("world: Keep of a %T, not of a pointer to a variable", v))
		}
		if err := binenc.Check(p.Type().Elem()); err != nil {
			panic(fmt.Sprintf("world: Keep of a %T: %v", v, err))
		}
		k.variables[i] = p.Elem()
	}
	w.AddState(k)
}

// keeper is the Stateful for the arguments of one call of Keep.
type keeper struct{ variables []reflect.Value }

func (k *keeper) AppendBinary(b []byte) ([]byte, error) {
	for _, v := range k.variables {
		b = binenc.Append(b, v)
	}
	return b, nil
}

func (k *keeper) UnmarshalBinary(b []byte) (err error) {
	for _, v := range k.variables {
		if b, err = binenc.Read(b, v); err != nil {
			return err
		}
	}
	if len(b) > 0 {
		return fmt.Errorf("%d bytes too many", len(b))
	}
	return nil
}

// stateful yields all code of the program that has state, in a fixed order.
func (s *Snapshot) stateful(yield func(Stateful) bool) {
	for _, c := range s.control.controls {
		if st, ok := c.Controller.(Stateful); ok && !yield(st) {
			return
		}
	}
	for _, st := range s.control.states {
		if !yield(st) {
			return
		}
	}
}

// takeStates stores the state of each Stateful.
func (s *Snapshot) takeStates() (err error) {
	s.user, s.userEnds = s.user[:0], s.userEnds[:0]
	for st := range s.stateful {
		if s.user, err = st.AppendBinary(s.user); err != nil {
			return fmt.Errorf("world: no snapshot: the state of a %T: %w", st, err)
		}
		s.userEnds = append(s.userEnds, len(s.user))
	}
	return nil
}

// giveStates restores the state of each Stateful.
func (s *Snapshot) giveStates() error {
	i, from := 0, 0
	for st := range s.stateful {
		state := s.user[from:s.userEnds[i]]
		from = s.userEnds[i]
		i++
		if err := st.UnmarshalBinary(state); err != nil {
			return fmt.Errorf("world: restored, but a %T did not take its state: %w", st, err)
		}
	}
	return nil
}
