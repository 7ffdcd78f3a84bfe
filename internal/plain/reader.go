package plain

import (
	"errors"
	"reflect"
)

// ErrContradiction is the error of bytes that no value has.
var ErrContradiction = errors.New("it contradicts itself")

// Reader reads what is left of some bytes, until an error.
type Reader struct {
	Rest   []byte
	Err    error
	Finite bool  // numbers must be
	Memory int64 // bytes that ReadFields may still take
}

// Value reads a value, by a pointer to it.
func (r *Reader) Value(p any) {
	if r.Err != nil {
		return
	}
	v := reflect.ValueOf(p).Elem()
	if r.Rest, r.Err = Read(r.Rest, v); r.Err == nil && r.Finite && !Finite(v) {
		r.Err = errors.New("a number is not finite")
	}
}

// Want refuses the bytes unless something holds. It reports whether all is well.
func (r *Reader) Want(ok bool) bool {
	if !ok {
		r.fail(ErrContradiction)
	}
	return r.Err == nil
}

// Number reads a number below a limit.
func (r *Reader) Number(limit int) int {
	n, rest, err := uvarint(r.Rest)
	if err != nil {
		r.fail(err)
	}
	if !r.Want(n < uint64(max(limit, 0))) {
		return 0
	}
	r.Rest = rest
	return int(n)
}

// Count reads how many elements follow, of some bytes each at least.
func (r *Reader) Count(each int) int {
	n, rest, err := uvarint(r.Rest)
	if err != nil || n > uint64(len(rest)/each) {
		r.fail(ErrShort)
	}
	if r.Err != nil {
		return 0
	}
	r.Rest = rest
	return int(n)
}

func (r *Reader) fail(err error) {
	if r.Err == nil {
		r.Err = err
	}
}

// ReadEach reads a list of which each element takes some bytes at least.
func ReadEach[T any](r *Reader, each int) []T {
	list := make([]T, r.Count(each))
	for i := range list {
		r.Value(&list[i])
	}
	return list
}
