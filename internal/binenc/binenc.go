// Package binenc writes variables as bytes and reads them back. It handles plain types:
// numbers, booleans, strings, and arrays, slices and structs of plain types, with all
// fields, exported or not. Pointers, maps, functions, channels and interfaces are not
// plain. Writer and reader must use the same types.
package binenc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"sync"
	"unsafe"
)

// ErrShort is the error for bytes that end too early, or that give a length greater than
// the number of remaining bytes.
var ErrShort = errors.New("it is cut short")

// Check returns an error that names the first part of a type that is not plain (see the
// package comment). Append omits such parts without an error.
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

// isPlain reports whether t is a type of numbers, booleans or strings.
func isPlain(t reflect.Type) bool {
	k := t.Kind()
	return k >= reflect.Bool && k <= reflect.Complex128 || k == reflect.String
}

// form lists the plain parts of a type, in order. The form of a type is computed once,
// because snapshots have millions of parts and reflect is slow.
type form struct {
	parts  []part
	least  int    // the smallest number of bytes that a value takes; a string counts as 0
	varies bool   // a value may take more than least bytes
	others []part // slices whose elements are not plain; Difference compares them, and Append omits them
}

// part is a number, a boolean, a string or a slice in a value.
type part struct {
	path string  // path names the part for Difference, such as ".M_sweep.C.X" or "[3].flags".
	at   uintptr // distance of the part from the start of the value, in bytes
	kind reflect.Kind
	of   reflect.Type
	each *form // form of a slice's elements if they are plain, and nil otherwise
}

var forms sync.Map // by type

// formOf returns the form of a type. Each form is computed once.
func formOf(t reflect.Type) *form {
	if f, ok := forms.Load(t); ok {
		return f.(*form)
	}
	f := new(form)
	f.add(t, "", 0)
	forms.Store(t, f)
	return f
}

// add adds the parts of type t. The parameter at is the distance of t from the start of the
// value, in bytes.
func (f *form) add(t reflect.Type, path string, at uintptr) {
	p := part{path, at, t.Kind(), t, nil}
	switch {
	case p.kind == reflect.Struct:
		for i := range t.NumField() {
			f.add(t.Field(i).Type, path+"."+t.Field(i).Name, at+t.Field(i).Offset)
		}
	case p.kind == reflect.Array:
		for i := range t.Len() {
			f.add(t.Elem(), fmt.Sprintf("%s[%d]", path, i), at+uintptr(i)*t.Elem().Size())
		}
	case p.kind == reflect.Slice && Check(t) != nil:
		f.others = append(f.others, p)
	case p.kind == reflect.Slice:
		p.each = formOf(t.Elem())
		f.parts, f.least, f.varies = append(f.parts, p), f.least+1, true
	case isPlain(t):
		f.parts, f.least, f.varies = append(f.parts, p), f.least+width(p.kind), f.varies || p.kind == reflect.String
	}
}

// formAt returns the form of a value, and a pointer to the value. If the value has no address, the
// pointer is to a copy of the value.
func formAt(v reflect.Value) (*form, unsafe.Pointer) {
	if !v.CanAddr() {
		to := reflect.New(v.Type()).Elem()
		to.Set(v)
		v = to
	}
	return formOf(v.Type()), unsafe.Pointer(v.UnsafeAddr())
}

// Append appends the bytes of a value. It omits all fields that are not plain, even in
// nested structs. Before the elements of a slice it writes their number plus 1. A nil slice
// is written as 0.
func Append(b []byte, v reflect.Value) []byte {
	f, at := formAt(v)
	return f.append(b, at)
}

func (f *form) append(b []byte, value unsafe.Pointer) []byte {
	for i := range f.parts {
		p := &f.parts[i]
		at := unsafe.Add(value, p.at)
		switch p.kind {
		case reflect.Bool, reflect.Int8, reflect.Uint8:
			b = append(b, *(*uint8)(at))
		case reflect.Int16, reflect.Uint16:
			b = binary.LittleEndian.AppendUint16(b, *(*uint16)(at))
		case reflect.Int32, reflect.Uint32, reflect.Float32:
			b = binary.LittleEndian.AppendUint32(b, *(*uint32)(at))
		case reflect.Int64, reflect.Uint64, reflect.Float64:
			b = binary.LittleEndian.AppendUint64(b, *(*uint64)(at))
		case reflect.Int:
			b = binary.LittleEndian.AppendUint64(b, uint64(*(*int)(at)))
		case reflect.Uint, reflect.Uintptr:
			b = binary.LittleEndian.AppendUint64(b, uint64(*(*uint)(at)))
		case reflect.Complex64:
			c := *(*complex64)(at)
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(real(c))))
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(imag(c))))
		case reflect.Complex128:
			c := *(*complex128)(at)
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(real(c)))
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(imag(c)))
		case reflect.String:
			s := *(*string)(at)
			b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
		case reflect.Slice:
			s := reflect.NewAt(p.of, at).Elem()
			if s.IsNil() {
				b = append(b, 0)
				continue
			}
			b = binary.AppendUvarint(b, uint64(s.Len())+1)
			first, size := s.UnsafePointer(), p.of.Elem().Size()
			for k := range s.Len() {
				b = p.each.append(b, unsafe.Add(first, uintptr(k)*size))
			}
		}
	}
	return b
}

// Read reads the bytes of a value that Append has written, and stores the value in v. It returns the
// bytes after the value. The variable v must be addressable. A slice in v keeps its memory, unless the
// slice becomes nil.
func Read(b []byte, v reflect.Value) (rest []byte, err error) {
	return formOf(v.Type()).read(b, unsafe.Pointer(v.UnsafeAddr()))
}

func (f *form) read(b []byte, value unsafe.Pointer) (rest []byte, err error) {
	if len(b) < f.least {
		return nil, ErrShort
	}
	for i := range f.parts {
		p := &f.parts[i]
		at, n := unsafe.Add(value, p.at), width(p.kind)
		if f.varies && len(b) < n {
			return nil, ErrShort
		}
		switch p.kind {
		case reflect.Bool:
			*(*bool)(at) = b[0] != 0
		case reflect.Int8, reflect.Uint8:
			*(*uint8)(at) = b[0]
		case reflect.Int16, reflect.Uint16:
			*(*uint16)(at) = binary.LittleEndian.Uint16(b)
		case reflect.Int32, reflect.Uint32, reflect.Float32:
			*(*uint32)(at) = binary.LittleEndian.Uint32(b)
		case reflect.Int64, reflect.Uint64, reflect.Float64:
			*(*uint64)(at) = binary.LittleEndian.Uint64(b)
		case reflect.Int, reflect.Uint, reflect.Uintptr:
			*(*uint)(at) = uint(binary.LittleEndian.Uint64(b))
		case reflect.Complex64:
			*(*complex64)(at) = complex64(readComplex(b))
		case reflect.Complex128:
			*(*complex128)(at) = readComplex(b)
		case reflect.String:
			var u uint64
			if u, b, err = uvarint(b); err != nil || u > uint64(len(b)) {
				return nil, ErrShort
			}
			*(*string)(at) = string(b[:u])
			b = b[u:]
		case reflect.Slice:
			if b, err = p.readSlice(b, reflect.NewAt(p.of, at).Elem()); err != nil {
				return nil, err
			}
		}
		b = b[n:]
	}
	return b, nil
}

func (p *part) readSlice(b []byte, v reflect.Value) (rest []byte, err error) {
	u, b, err := uvarint(b)
	switch most := len(b) / max(p.each.least, 1); {
	case err != nil || u > uint64(most)+1:
		return nil, ErrShort
	case u == 0:
		v.SetZero()
		return b, nil
	case v.IsNil():
		v.Set(reflect.MakeSlice(p.of, 0, 0))
	}
	n := int(u - 1)
	v.Grow(max(n-v.Len(), 0))
	v.SetLen(n)
	first, size := v.UnsafePointer(), p.of.Elem().Size()
	for k := range n {
		if b, err = p.each.read(b, unsafe.Add(first, uintptr(k)*size)); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func uvarint(b []byte) (u uint64, rest []byte, err error) {
	u, used := binary.Uvarint(b)
	if used <= 0 {
		return 0, nil, ErrShort
	}
	return u, b[used:], nil
}

func readComplex(b []byte) complex128 {
	return complex(math.Float64frombits(binary.LittleEndian.Uint64(b)), math.Float64frombits(binary.LittleEndian.Uint64(b[8:])))
}

// width returns the number of bytes of a number or boolean, and 0 for a string or slice.
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

// Finite reports whether all floating-point and complex numbers in a value are finite.
func Finite(v reflect.Value) bool {
	f, at := formAt(v)
	return f.finite(at)
}

func (f *form) finite(value unsafe.Pointer) bool {
	for i := range f.parts {
		p := &f.parts[i]
		at := unsafe.Add(value, p.at)
		switch p.kind {
		case reflect.Float32:
			if x := *(*float32)(at); x-x != 0 {
				return false
			}
		case reflect.Float64:
			if x := *(*float64)(at); x-x != 0 {
				return false
			}
		case reflect.Complex64:
			if x := *(*[2]float32)(at); x[0]-x[0] != 0 || x[1]-x[1] != 0 {
				return false
			}
		case reflect.Complex128:
			if x := *(*[2]float64)(at); x[0]-x[0] != 0 || x[1]-x[1] != 0 {
				return false
			}
		case reflect.Slice:
			s := reflect.NewAt(p.of, at).Elem()
			first, size := s.UnsafePointer(), p.of.Elem().Size()
			for k := range s.Len() {
				if !p.each.finite(unsafe.Add(first, uintptr(k)*size)) {
					return false
				}
			}
		}
	}
	return true
}

// Describe returns a text that differs for two types if Append writes their values
// differently.
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
