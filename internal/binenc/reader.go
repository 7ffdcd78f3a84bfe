package binenc

import (
	"errors"
	"reflect"
)

// ErrContradiction is the error for bytes that no value produces.
var ErrContradiction = errors.New("it contradicts itself")

// Reader reads values from bytes. After an error it reads nothing more.
type Reader struct {
	Rest   []byte // the unread bytes
	Err    error  // the first error
	Finite bool   // makes Value refuse numbers that are not finite
	Memory int64  // the number of bytes that ReadFields may still allocate
}

// Value reads a value into the variable to which p points.
func (r *Reader) Value(p any) {
	if r.Err != nil {
		return
	}
	v := reflect.ValueOf(p).Elem()
	if r.Rest, r.Err = Read(r.Rest, v); r.Err == nil && r.Finite && !Finite(v) {
		r.Err = errors.New("a number is not finite")
	}
}

// Expect sets ErrContradiction if ok is false. It reports whether no error has happened so
// far.
func (r *Reader) Expect(ok bool) bool {
	if !ok {
		r.fail(ErrContradiction)
	}
	return r.Err == nil
}

// Number reads a number that must be lower than limit.
func (r *Reader) Number(limit int) int {
	n, rest, err := uvarint(r.Rest)
	if err != nil {
		r.fail(err)
	}
	if !r.Expect(n < uint64(max(limit, 0))) {
		return 0
	}
	r.Rest = rest
	return int(n)
}

// Count reads the number of elements of a list. Each element takes at least `each` bytes.
// Count refuses a number for which too few bytes are left.
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

// ReadEach reads a list of elements, each of at least `each` bytes.
func ReadEach[T any](r *Reader, each int) []T {
	list := make([]T, r.Count(each))
	for i := range list {
		r.Value(&list[i])
	}
	return list
}
