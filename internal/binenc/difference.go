package binenc

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Differs is the first difference between two values.
type Differs struct {
	Path          string // Path names the differing part, such as ".M_sweep.C.X" or "[3].flags". It is empty if the compared values have no parts.
	Before, After any    // the values at Path
}

// Difference compares the values to which two pointers of one type point, bit by bit. It ignores
// pointers, interfaces, maps, functions, and fields with a name in the list skip. It also compares
// slices whose elements are not plain, which Append omits.
func Difference(a, b any, skip ...string) (d Differs, differ bool) {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	return formOf(x.Type().Elem()).difference(x.UnsafePointer(), y.UnsafePointer(), skip)
}

// Values is a function that calls f with a pointer to each value of a list, always in the same
// order.
type Values func(f func(v any))

// Comparison compares two lists of values. It ignores fields with a name in Skip.
type Comparison struct {
	Skip []string
	list []any // scratch memory
}

// Difference compares two lists of values in order, up to the first difference. The lists must
// have the same length, unless there is a difference before the end of the shorter list.
func (c *Comparison) Difference(was, is Values) (d Differs, differ bool) {
	list := c.list[:0]
	was(func(v any) { list = append(list, v) })
	c.list = list
	is(func(v any) {
		if !differ {
			d, differ = Difference(list[0], v, c.Skip...)
			list = list[1:]
		}
	})
	return d, differ
}

func (f *form) difference(a, b unsafe.Pointer, skip []string) (d Differs, differ bool) {
	for _, parts := range [...][]part{f.parts, f.others} {
		for i := range parts {
			if d, differ = parts[i].difference(a, b, skip); differ && !parts[i].isSkipped(skip) {
				d.Path = parts[i].path + d.Path
				return d, true
			}
		}
	}
	return Differs{}, false
}

// isSkipped reports whether the part, or a struct that contains it, is a field with a name in
// the list skip. It is slow, and is called only after a difference was found.
func (p *part) isSkipped(skip []string) bool {
	names := strings.FieldsFunc(p.path, func(r rune) bool { return strings.ContainsRune(".[]", r) })
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(skip, name) })
}

func (p *part) difference(a, b unsafe.Pointer, skip []string) (d Differs, differ bool) {
	a, b = unsafe.Add(a, p.at), unsafe.Add(b, p.at)
	value := func(at unsafe.Pointer) reflect.Value { return reflect.NewAt(p.of, at).Elem() }
	switch p.kind {
	case reflect.String:
		differ = *(*string)(a) != *(*string)(b)
	case reflect.Slice:
		x, y := value(a), value(b)
		if x.Len() != y.Len() {
			return Differs{" (how many)", x.Len(), y.Len()}, true
		}
		each, size := formOf(p.of.Elem()), p.of.Elem().Size()
		for i := range x.Len() {
			at := uintptr(i) * size
			if d, differ = each.difference(unsafe.Add(x.UnsafePointer(), at), unsafe.Add(y.UnsafePointer(), at), skip); differ {
				d.Path = fmt.Sprintf("[%d]%s", i, d.Path)
				return d, true
			}
		}
		return d, false
	default:
		n := p.of.Size()
		differ = !bytes.Equal(unsafe.Slice((*byte)(a), n), unsafe.Slice((*byte)(b), n))
	}
	if differ {
		d = Differs{"", value(a).Interface(), value(b).Interface()}
	}
	return d, differ
}
