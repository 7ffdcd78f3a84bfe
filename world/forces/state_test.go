package forces

import (
	"reflect"
	"testing"

	"halfstep/world"
)

var _, _ world.Stateful = (*Fluid)(nil), (*Wind)(nil)

// Fields must be in a state, unless they are listed here.
var notInAState = map[string]bool{
	"clip": true, // scratch memory
	"Gust": true, // a function
}

// filled sets every field of a state to a value other than zero.
func filled(t *testing.T, v reflect.Value) {
	t.Helper()
	for i := range v.NumField() {
		f := reflect.NewAt(v.Field(i).Type(), v.Field(i).Addr().UnsafePointer()).Elem()
		if notInAState[v.Type().Field(i).Name] {
			continue
		}
		switch f.Kind() {
		case reflect.Float64:
			f.SetFloat(float64(i) + 1.5)
		case reflect.Uint64:
			f.SetUint(uint64(i) + 7)
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Struct:
			filled(t, f)
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 3, 3))
			for k := range 3 {
				if e := f.Index(k); e.Kind() == reflect.Struct {
					filled(t, e)
				} else {
					e.SetUint(uint64(k) + 1)
				}
			}
		default:
			t.Fatalf("%v: what is a %v?", v.Type().Field(i).Name, f.Type())
		}
	}
}

func TestAStateHoldsEveryField(t *testing.T) {
	for _, s := range []world.Stateful{new(Fluid), new(Wind)} {
		empty, _ := s.AppendBinary(nil)
		filled(t, reflect.ValueOf(s).Elem())
		want, err := s.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		got := reflect.New(reflect.TypeOf(s).Elem()).Interface().(world.Stateful)
		if err := got.UnmarshalBinary(want); err != nil || !reflect.DeepEqual(got, s) {
			t.Errorf("%+v came back as %+v: %v", s, got, err)
		}
		if err := got.UnmarshalBinary(empty); err != nil || !reflect.ValueOf(got).Elem().IsZero() {
			t.Errorf("a %T without anything came back as %+v: %v", s, got, err)
		}
		for n := range want {
			if got.UnmarshalBinary(want[:n]) == nil {
				t.Errorf("%d bytes of %d are taken for the state of a %T", n, len(want), s)
			}
		}
		if got.UnmarshalBinary(append(want, 0)) == nil {
			t.Errorf("a byte too many is taken by a %T", s)
		}
	}
}

func TestTakingAStateAllocatesNothing(t *testing.T) {
	f, b := &Fluid{Outline: make([]world.Vec, 5), Bodies: make([]world.Body, 4)}, make([]byte, 0, 1<<10)
	if n := testing.AllocsPerRun(100, func() {
		b, _ = f.AppendBinary(b[:0])
		if err := f.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
