package plain

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// Differs is where two values differ first.
type Differs struct {
	Path    string // such as ".M_sweep.C.X" or "[3].flags"; empty if the value itself does
	Was, Is any    // the values at Path
}

// Difference compares two values of one type to the bit, as Append would write them:
// pointers, interfaces, maps and functions are left out, and so are fields with one of
// the names in skip. Slices of what is not plain are compared, too.
func Difference(a, b reflect.Value, skip ...string) (d Differs, differ bool) {
	c := comparison{skip, strings.Join(skip, " ")}
	return c.difference(a, b)
}

type comparison struct {
	skip    []string
	skipped string // skip in one
}

func (c *comparison) difference(a, b reflect.Value) (d Differs, differ bool) {
	switch k := a.Kind(); {
	case k == reflect.Struct:
		t := a.Type()
		if c.same(t, a, b) {
			return d, false
		}
		for i := range t.NumField() {
			if slices.Contains(c.skip, t.Field(i).Name) {
				continue
			}
			if d, differ = c.difference(a.Field(i), b.Field(i)); differ {
				d.Path = "." + t.Field(i).Name + d.Path
				return d, true
			}
		}
	case k == reflect.Slice || k == reflect.Array:
		if a.Len() != b.Len() {
			return Differs{" (how many)", a.Len(), b.Len()}, true
		}
		for i := range a.Len() {
			if d, differ = c.difference(a.Index(i), b.Index(i)); differ {
				d.Path = fmt.Sprintf("[%d]%s", i, d.Path)
				return d, true
			}
		}
	case k == reflect.Float32 || k == reflect.Float64:
		if x, y := a.Float(), b.Float(); math.Float64bits(x) != math.Float64bits(y) {
			return Differs{"", x, y}, true
		}
	case isPlain(a.Type()):
		if !a.Equal(b) {
			return Differs{"", readable(a), readable(b)}, true
		}
	}
	return d, false
}

// readable is a value that fmt prints in the same way, also of a field that is not
// exported.
func readable(v reflect.Value) any {
	switch k := v.Kind(); {
	case k == reflect.Bool:
		return v.Bool()
	case k == reflect.String:
		return v.String()
	case k <= reflect.Int64:
		return v.Int()
	case k <= reflect.Uintptr:
		return v.Uint()
	}
	return v.Complex()
}

type span struct{ from, to uintptr }

// layouts has, for a struct and what is skipped, the spans that are compared.
var layouts sync.Map

type layout struct {
	of   reflect.Type
	skip string
}

// same reports whether two structs have the same bits, and slices and strings in the
// same memory: then they do not differ. It is what makes a comparison quick.
func (c *comparison) same(t reflect.Type, a, b reflect.Value) bool {
	if !a.CanAddr() || !b.CanAddr() {
		return false
	}
	key := layout{t, c.skipped}
	known, ok := layouts.Load(key)
	if !ok {
		known, _ = layouts.LoadOrStore(key, spansOf(nil, t, 0, c.skip))
	}
	x, y := unsafe.Pointer(a.UnsafeAddr()), unsafe.Pointer(b.UnsafeAddr())
	for _, s := range known.([]span) {
		n := s.to - s.from
		if !bytes.Equal(unsafe.Slice((*byte)(unsafe.Add(x, s.from)), n), unsafe.Slice((*byte)(unsafe.Add(y, s.from)), n)) {
			return false
		}
	}
	return true
}

func spansOf(spans []span, t reflect.Type, at uintptr, skip []string) []span {
	switch k := t.Kind(); {
	case k == reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); !slices.Contains(skip, f.Name) {
				spans = spansOf(spans, f.Type, at+f.Offset, skip)
			}
		}
	case k == reflect.Array:
		for i := range t.Len() {
			spans = spansOf(spans, t.Elem(), at+uintptr(i)*t.Elem().Size(), skip)
		}
	case isPlain(t) || k == reflect.Slice:
		if n := len(spans); n > 0 && spans[n-1].to == at {
			spans[n-1].to += t.Size()
		} else {
			spans = append(spans, span{at, at + t.Size()})
		}
	}
	return spans
}
