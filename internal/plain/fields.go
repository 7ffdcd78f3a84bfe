package plain

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
)

// What programs give (definitions, commands) has pointers, slices of structs and User values,
// and of its many fields few are set. AppendFields writes the exported fields alone, and those
// only that are not zero: each after its distance from the one before, and a 0 behind the last.

// userTypes are the types of User values that bytes can hold.
var userTypes = []reflect.Type{
	nil, reflect.TypeFor[bool](), reflect.TypeFor[string](),
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
	reflect.TypeFor[uintptr](), reflect.TypeFor[float32](), reflect.TypeFor[float64](),
	reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
}

// User returns a User value that bytes can hold as it is, and nil for any other. What might be
// changed while it is written, refers to itself, or needs a type that the reader does not have
// is not even looked at.
func User(v any) any {
	if !slices.Contains(userTypes, reflect.TypeOf(v)) {
		return nil
	}
	return v
}

// AppendUser appends a User value, or nil where bytes can not hold it.
func AppendUser(b []byte, v any) []byte {
	i := slices.Index(userTypes, reflect.TypeOf(v))
	if i <= 0 {
		return append(b, 0)
	}
	return Append(append(b, byte(i)), reflect.ValueOf(v))
}

// ReadUser reads what AppendUser has appended.
func ReadUser(r *Reader) any {
	i := r.Number(len(userTypes))
	if i == 0 || r.Err != nil {
		return nil
	}
	v := reflect.New(userTypes[i]).Elem()
	if r.Rest, r.Err = Read(r.Rest, v); r.Err != nil { // it may be infinite
		return nil
	}
	return v.Interface()
}

// AppendFields appends the exported fields of a value and what they lead to. Functions are left
// out, and what an interface holds is written as a User value. A slice without elements comes
// back as nil.
func AppendFields(b []byte, v reflect.Value) []byte {
	switch k := v.Kind(); k {
	case reflect.Func:
		return b
	case reflect.Interface:
		return AppendUser(b, v.Interface())
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		return AppendFields(append(b, 1), v.Elem())
	case reflect.Slice, reflect.Array:
		if k == reflect.Slice {
			b = binary.AppendUvarint(b, uint64(v.Len()))
		}
		if k == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
			return append(b, v.Bytes()...)
		}
		for i := range v.Len() {
			b = AppendFields(b, v.Index(i))
		}
		return b
	case reflect.Struct:
		last := -1
		for i := range v.NumField() {
			if f := v.Field(i); f.CanInterface() && !IsZero(f) {
				b = AppendFields(append(b, byte(i-last)), f)
				last = i
			}
		}
		return append(b, 0)
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(b, v.Int())
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(b, v.Uint())
	}
	return Append(b, v)
}

// IsZero reports whether all bits of a value are 0: -0 equals 0, and is another number.
func IsZero(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if !IsZero(v.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Array:
		for i := range v.Len() {
			if !IsZero(v.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(v.Float()) == 0
	}
	return v.IsZero()
}

// ErrMemory is the error of bytes that would become far more memory than what is written does.
var ErrMemory = errors.New("it would take far more memory than its size explains")

// MemoryPerByte is how many bytes of memory a byte that is read may take, on the average. In
// recordings it takes 42 at most, where all commands do nothing.
const MemoryPerByte = 48

// takes reports whether so many values of a type may still be made.
func (r *Reader) takes(n int, t reflect.Type) bool {
	if r.Memory -= int64(n) * int64(t.Size()); r.Memory < 0 {
		r.fail(ErrMemory)
	}
	return r.Err == nil
}

// ReadFields reads what AppendFields has appended of a value of the same type into v, which is
// zero. It takes from r.Memory.
func ReadFields(r *Reader, v reflect.Value) {
	if r.Err != nil {
		return
	}
	switch k := v.Kind(); k {
	case reflect.Func:
	case reflect.Interface:
		if user := ReadUser(r); user != nil && r.Want(v.NumMethod() == 0) {
			v.Set(reflect.ValueOf(user))
		}
	case reflect.Pointer:
		if of := v.Type().Elem(); r.Number(2) == 1 && r.takes(1, of) {
			v.Set(reflect.New(of))
			ReadFields(r, v.Elem())
		}
	case reflect.Slice:
		of := v.Type().Elem()
		switch n := r.Count(1); {
		case n == 0 || !r.takes(n, of):
		case of.Kind() == reflect.Uint8:
			v.SetBytes(slices.Clone(r.Rest[:n]))
			r.Rest = r.Rest[n:]
		default:
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			readElements(r, v)
		}
	case reflect.Array:
		readElements(r, v)
	case reflect.Struct:
		for at := -1; ; {
			d := r.Number(v.NumField() - at)
			if d == 0 || !r.Want(v.Field(at+d).CanSet()) {
				return
			}
			at += d
			ReadFields(r, v.Field(at))
		}
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		n, used := binary.Varint(r.Rest)
		if r.Want(used > 0 && !v.OverflowInt(n)) {
			v.SetInt(n)
			r.Rest = r.Rest[used:]
		}
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, used := binary.Uvarint(r.Rest)
		if r.Want(used > 0 && !v.OverflowUint(n)) {
			v.SetUint(n)
			r.Rest = r.Rest[used:]
		}
	default:
		r.Rest, r.Err = Read(r.Rest, v)
	}
}

func readElements(r *Reader, v reflect.Value) {
	for i := 0; i < v.Len() && r.Err == nil; i++ {
		ReadFields(r, v.Index(i))
	}
}

// DescribeFields is a text that differs where AppendFields writes types in different ways.
func DescribeFields(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + DescribeFields(t.Elem())
	case reflect.Slice:
		return "[]" + DescribeFields(t.Elem())
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), DescribeFields(t.Elem()))
	case reflect.Struct:
		s := "{"
		for i := range t.NumField() {
			f := t.Field(i)
			if f.IsExported() {
				s += f.Name + " " + DescribeFields(f.Type)
			}
			s += ";"
		}
		return s + "}"
	}
	return t.Kind().String()
}
