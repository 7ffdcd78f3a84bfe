// Package plain writes variables as bytes and reads them back: numbers, truth
// values, strings, and arrays, slices and structs of them, with all fields,
// exported or not. What leads elsewhere (pointers, maps, functions, channels,
// interfaces) is not plain. Both sides must have the same types.
package plain

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"unsafe"
)

// ErrShort is returned where the bytes end too early, or name a length that the
// rest can not hold.
var ErrShort = errors.New("it is cut short")

// Check reports the first part of a type that is not plain.
func Check(t reflect.Type) error { return check(t, 0) }

func check(t reflect.Type, depth int) error {
	switch {
	case depth > 50:
		return errors.New("a type that contains itself is not plain")
	case t.Kind() == reflect.Array || t.Kind() == reflect.Slice:
		return check(t.Elem(), depth+1)
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			if err := check(t.Field(i).Type, depth+1); err != nil {
				return fmt.Errorf("%s.%w", t.Field(i).Name, err)
			}
		}
		return nil
	case isPlain(t):
		return nil
	}
	return fmt.Errorf("%v is not plain", t)
}

// isPlain says so of numbers, truth values and strings.
func isPlain(t reflect.Type) bool {
	k := t.Kind()
	return k >= reflect.Bool && k <= reflect.Complex128 || k == reflect.String
}

// Append appends a value. Fields of structs that are not plain are left out; of a
// field that is a struct, that goes for its fields. A slice has its length plus one
// before it, a nil slice 0.
func Append(b []byte, v reflect.Value) []byte {
	switch k := v.Kind(); k {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return appendWord(b, uint64(v.Int()), width(k))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return appendWord(b, v.Uint(), width(k))
	case reflect.Float32:
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v.Float())))
	case reflect.Float64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(real(v.Complex())))
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(imag(v.Complex())))
	case reflect.String:
		s := v.String()
		return append(binary.AppendUvarint(b, uint64(len(s))), s...)
	case reflect.Slice:
		if Check(v.Type()) != nil {
			return b
		}
		if v.IsNil() {
			return append(b, 0)
		}
		b = binary.AppendUvarint(b, uint64(v.Len())+1)
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			b = Append(b, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			b = Append(b, v.Field(i))
		}
	}
	return b
}

// Read reads what Append has appended of a value of the same type into v, which
// can be set, and returns the rest. A slice keeps its memory, unless it becomes nil.
func Read(b []byte, v reflect.Value) (rest []byte, err error) {
	switch k := v.Kind(); k {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64:
		n := width(k)
		if len(b) < n {
			return nil, ErrShort
		}
		setWord(v, word(b[:n]))
		return b[n:], nil
	case reflect.Complex64, reflect.Complex128:
		if len(b) < 16 {
			return nil, ErrShort
		}
		v.SetComplex(complex(math.Float64frombits(word(b[:8])), math.Float64frombits(word(b[8:16]))))
		return b[16:], nil
	case reflect.String:
		u, b, err := uvarint(b)
		if err != nil || u > uint64(len(b)) {
			return nil, ErrShort
		}
		v.SetString(string(b[:u]))
		return b[u:], nil
	case reflect.Slice:
		if Check(v.Type()) != nil {
			return b, nil
		}
		u, b, err := uvarint(b)
		switch most := len(b) / max(least(v.Type().Elem()), 1); {
		case err != nil || u > uint64(most)+1:
			return nil, ErrShort
		case u == 0:
			v.SetZero()
			return b, nil
		case v.IsNil():
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		n := int(u - 1)
		v.Grow(max(n-v.Len(), 0))
		v.SetLen(n)
		return readElements(b, v)
	case reflect.Array:
		return readElements(b, v)
	case reflect.Struct:
		for i := range v.NumField() {
			if b, err = Read(b, settable(v.Field(i))); err != nil {
				return nil, err
			}
		}
	}
	return b, nil
}

func readElements(b []byte, v reflect.Value) (rest []byte, err error) {
	for i := range v.Len() {
		if b, err = Read(b, v.Index(i)); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// settable is a field as if it was exported.
func settable(v reflect.Value) reflect.Value {
	if v.CanSet() {
		return v
	}
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

func uvarint(b []byte) (u uint64, rest []byte, err error) {
	u, used := binary.Uvarint(b)
	if used <= 0 {
		return 0, nil, ErrShort
	}
	return u, b[used:], nil
}

func least(t reflect.Type) (n int) {
	switch k := t.Kind(); k {
	case reflect.Slice:
		if Check(t) != nil {
			return 0
		}
		return 1
	case reflect.String:
		return 1
	case reflect.Array:
		return t.Len() * least(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			n += least(t.Field(i).Type)
		}
		return n
	default:
		return width(k)
	}
}

// width is how many bytes a number takes; 0 for what is no number.
func width(k reflect.Kind) int {
	switch k {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		return 1
	case reflect.Int16, reflect.Uint16:
		return 2
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		return 4
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr, reflect.Float64:
		return 8
	case reflect.Complex64, reflect.Complex128:
		return 16
	}
	return 0
}

// Finite reports whether all floating-point numbers of a value are finite.
func Finite(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		x := v.Float()
		return x-x == 0
	case reflect.Slice:
		if Check(v.Type()) != nil {
			return true
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			if !Finite(v.Index(i)) {
				return false
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !Finite(v.Field(i)) {
				return false
			}
		}
	}
	return true
}

func appendWord(b []byte, x uint64, n int) []byte {
	for range n {
		b = append(b, byte(x))
		x >>= 8
	}
	return b
}

func word(b []byte) (x uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		x = x<<8 | uint64(b[i])
	}
	return x
}

func setWord(v reflect.Value, x uint64) {
	switch k := v.Kind(); {
	case k == reflect.Bool:
		v.SetBool(x != 0)
	case k == reflect.Float32:
		v.SetFloat(float64(math.Float32frombits(uint32(x))))
	case k == reflect.Float64:
		v.SetFloat(math.Float64frombits(x))
	case k <= reflect.Int64:
		shift := 64 - 8*width(k)
		v.SetInt(int64(x<<shift) >> shift)
	default:
		v.SetUint(x)
	}
}

// Describe is a text that differs where types are written in different ways.
func Describe(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), Describe(t.Elem()))
	case reflect.Slice:
		if Check(t) != nil {
			return ""
		}
		return "[]" + Describe(t.Elem())
	case reflect.Struct:
		s := "{"
		for i := range t.NumField() {
			if d := Describe(t.Field(i).Type); d != "" {
				s += t.Field(i).Name + " " + d + ";"
			}
		}
		return s + "}"
	}
	if isPlain(t) {
		return t.Kind().String()
	}
	return ""
}
