package binenc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
)

// Definitions and commands have many fields, but few of the fields are set. They also have pointers,
// slices of structs, and User values. AppendFields therefore writes only the exported fields that are
// not zero. Before each field it writes by how much the field's index exceeds that of the last field.
// At the end it writes 0.

// userTypes are the types of User values that bytes can hold. The bytes of a User value begin
// with the index of its type. Index 0 means that there is no value.
var userTypes = []reflect.Type{
	nil, reflect.TypeFor[bool](), reflect.TypeFor[string](),
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
	reflect.TypeFor[uintptr](), reflect.TypeFor[float32](), reflect.TypeFor[float64](),
	reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
}

// User returns v if v can be written as bytes, and nil otherwise. A value of another type might
// change during writing, refer to itself, or have a type that the reader does not know.
func User(v any) any {
	if !slices.Contains(userTypes, reflect.TypeOf(v)) {
		return nil
	}
	return v
}

// AppendUser appends the bytes of a User value. If the value cannot be written, AppendUser
// appends the bytes of nil.
func AppendUser(b []byte, v any) []byte {
	i := slices.Index(userTypes, reflect.TypeOf(v))
	if i <= 0 {
		return append(b, 0)
	}
	return Append(append(b, byte(i)), reflect.ValueOf(v))
}

// ReadUser reads a value that AppendUser has written.
func ReadUser(r *Reader) any {
	i := r.Number(len(userTypes))
	if i == 0 || r.Err != nil {
		return nil
	}
	v := reflect.New(userTypes[i]).Elem()
	if r.Rest, r.Err = Read(r.Rest, v); r.Err != nil { // r.Value might refuse an infinite number
		return nil
	}
	return v.Interface()
}

// AppendFields appends the exported fields of a value, and follows their pointers. It omits
// functions, and writes the value in an interface as a User value. A slice without elements is
// read back as nil.
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

// IsZero reports whether all bits of a value are 0. The number -0 has a bit that is not 0.
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

// ErrMemory is the error for bytes whose decoded value would take far more memory than any real
// value.
var ErrMemory = errors.New("it would take far more memory than its size explains")

// MemoryPerByte is the greatest average number of bytes of memory for each byte that is read. The
// highest value in recordings is 42, if no command has an effect.
const MemoryPerByte = 48

// spend subtracts the memory of n values of a type from r.Memory, and reports whether r.Memory
// sufficed.
func (r *Reader) spend(n int, t reflect.Type) bool {
	if r.Memory -= int64(n) * int64(t.Size()); r.Memory < 0 {
		r.fail(ErrMemory)
	}
	return r.Err == nil
}

// ReadFields reads a value that AppendFields has written, and stores it in v, which must be
// zero. It subtracts the memory that it allocates from r.Memory.
func ReadFields(r *Reader, v reflect.Value) {
	if r.Err != nil {
		return
	}
	switch k := v.Kind(); k {
	case reflect.Func:
	case reflect.Interface:
		if user := ReadUser(r); user != nil && r.Expect(v.NumMethod() == 0) {
			v.Set(reflect.ValueOf(user))
		}
	case reflect.Pointer:
		if of := v.Type().Elem(); r.Number(2) == 1 && r.spend(1, of) {
			v.Set(reflect.New(of))
			ReadFields(r, v.Elem())
		}
	case reflect.Slice:
		of := v.Type().Elem()
		switch n := r.Count(1); {
		case n == 0 || !r.spend(n, of):
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
			if d == 0 || !r.Expect(v.Field(at+d).CanSet()) {
				return
			}
			at += d
			ReadFields(r, v.Field(at))
		}
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		n, used := binary.Varint(r.Rest)
		if r.Expect(used > 0 && !v.OverflowInt(n)) {
			v.SetInt(n)
			r.Rest = r.Rest[used:]
		}
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, used := binary.Uvarint(r.Rest)
		if r.Expect(used > 0 && !v.OverflowUint(n)) {
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

// DescribeFields returns a text that differs for two types if AppendFields writes their values
// differently.
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
