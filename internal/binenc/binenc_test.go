package binenc

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

type inner struct {
	a int8
	B float64
}

type sample struct {
	yes  bool
	i    int
	u16  uint16
	f32  float32
	name string
	list []inner
	grid [2][3]int32
	p    *int
	more []sample
}

func TestWhatIsReadIsWhatWasWritten(t *testing.T) {
	in := sample{true, -5, 60000, 1.5, "héllo", []inner{{-128, math.Copysign(0, -1)}, {127, math.Inf(1)}}, [2][3]int32{{1, -2, 3}}, new(int), make([]sample, 3)}
	b := Append(nil, reflect.ValueOf(&in).Elem())
	kept := new(int)
	out := sample{p: kept, list: make([]inner, 5)}
	rest, err := Read(append(b, 7), reflect.ValueOf(&out).Elem())
	if err != nil || len(rest) != 1 {
		t.Fatal(rest, err)
	}
	in.p, in.more = kept, nil
	if !reflect.DeepEqual(in, out) || !math.Signbit(out.list[0].B) {
		t.Errorf("read %+v", out)
	}
	for n := range b {
		if _, err := Read(b[:n], reflect.ValueOf(&out).Elem()); !errors.Is(err, ErrShort) {
			t.Fatalf("%d of %d bytes: %v", n, len(b), err)
		}
	}
}

func TestANilSliceAndAnEmptyOneComeBackAsTheyWere(t *testing.T) {
	for _, in := range [][]inner{nil, {}} {
		b := Append(nil, reflect.ValueOf(&in).Elem())
		for _, out := range [][]inner{nil, {}, make([]inner, 2)} {
			if _, err := Read(b, reflect.ValueOf(&out).Elem()); err != nil || !reflect.DeepEqual(in, out) {
				t.Errorf("%#v came back as %#v: %v", in, out, err)
			}
		}
	}
}

func TestALengthThatTheRestCanNotHoldIsRefused(t *testing.T) {
	var list []inner
	if _, err := Read([]byte{0xff, 0xff, 0xff, 0xff, 0x0f, 1, 2}, reflect.ValueOf(&list).Elem()); !errors.Is(err, ErrShort) || list != nil {
		t.Errorf("%d elements: %v", len(list), err)
	}
}

type endless struct{ More []endless }

func TestWhatIsNotPlainIsNamed(t *testing.T) {
	if err := Check(reflect.TypeFor[endless]()); err == nil {
		t.Error("a type that contains itself was taken")
	}
	if err := Check(reflect.TypeFor[[]inner]()); err != nil {
		t.Error(err)
	}
	if err := Check(reflect.TypeFor[sample]()); err == nil || !strings.Contains(err.Error(), "p.*int") {
		t.Error(err)
	}
	if d := Describe(reflect.TypeFor[sample]()); strings.Contains(d, "p ") || !strings.Contains(d, "list []{a int8;B float64;};") {
		t.Error(d)
	}
}

func TestAReaderOfFiniteNumbersRefusesAllOthersOfEachKind(t *testing.T) {
	type number struct {
		Part complex64
		List []complex128
		Real float32
	}
	inf := math.Inf(1)
	for want, list := range map[bool][]number{
		true:  {{}, {complex(1, -2), []complex128{complex(3, 4)}, 5}},
		false: {{Part: complex(0, float32(inf))}, {List: []complex128{0, complex(math.NaN(), 0)}}, {Real: float32(inf)}},
	} {
		for _, n := range list {
			r := Reader{Rest: Append(nil, reflect.ValueOf(n)), Finite: true}
			if r.Value(new(number)); (r.Err == nil) != want {
				t.Errorf("%+v: %v", n, r.Err)
			}
		}
	}
}
