package world

import (
	"reflect"
	"testing"
)

// fill gives every pointer and slice in v a target.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	}
}

// shared returns the names of the pointers that have the same target in two values of one
// type.
func shared(name string, a, b reflect.Value) (all []string) {
	switch a.Kind() {
	case reflect.Pointer:
		if a.Pointer() == b.Pointer() {
			return []string{name}
		}
		return shared(name, a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Pointer() == b.Pointer() {
			return []string{name}
		}
		for i := range a.Len() {
			all = append(all, shared(name, a.Index(i), b.Index(i))...)
		}
	case reflect.Struct:
		for i := range a.NumField() {
			all = append(all, shared(name+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i))...)
		}
	case reflect.Map, reflect.Chan, reflect.UnsafePointer:
		return []string{name + " (a kind that own does not know)"}
	}
	return all
}

func TestNothingGivenIsSharedWithTheEngine(t *testing.T) {
	var given Command
	fill(reflect.ValueOf(&given).Elem())
	kept := given
	detach(&kept)
	if all := shared("Command", reflect.ValueOf(given), reflect.ValueOf(kept)); len(all) > 0 {
		t.Errorf("shared: %v", all)
	}
	if !reflect.DeepEqual(given, kept) {
		t.Errorf("given %+v, kept %+v", given, kept)
	}
}
