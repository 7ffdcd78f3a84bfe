// Package fields helps tests that must cover every field of a struct.
package fields

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Names lists the fields of a struct.
func Names(structure reflect.Type) (names []string) {
	for i := range structure.NumField() {
		names = append(names, structure.Field(i).Name)
	}
	return names
}

// Pointers lists the fields of a struct that refer to other memory. Strings
// are not among them, because they do not change.
func Pointers(structure reflect.Type) (names []string) {
	for i := range structure.NumField() {
		if f := structure.Field(i); leads(f.Type) {
			names = append(names, f.Name)
		}
	}
	return names
}

func leads(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
		return true
	case reflect.Array:
		return leads(t.Elem())
	case reflect.Struct:
		return len(Pointers(t)) > 0
	}
	return false
}

// Check fails a test unless the fields of a struct are the fields in known, which are
// separated by spaces.
func Check(t testing.TB, of reflect.Type, names []string, known string) {
	t.Helper()
	for _, name := range names {
		if !slices.Contains(strings.Fields(known), name) {
			t.Errorf("%v.%s: a snapshot does not know this field", of, name)
		}
	}
	for _, name := range strings.Fields(known) {
		if !slices.Contains(names, name) {
			t.Errorf("%v has no such field %s", of, name)
		}
	}
}
