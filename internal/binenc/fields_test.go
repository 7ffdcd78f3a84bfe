package binenc

import (
	"errors"
	"math"
	"reflect"
	"testing"
)

type given struct {
	Kind    uint8
	hidden  int
	At      struct{ X, Y float64 }
	Count   int32
	Number  uint64
	On      bool
	Name    string
	Colour  [4]uint8
	Bytes   []byte
	Points  []struct{ X, Y float64 }
	More    *given
	Do      func()
	User    any
	Err     error
	Letters []string
}

func written(v any) []byte { return AppendFields(nil, reflect.ValueOf(v)) }

func readBack(b []byte, memory int64) (v given, err error) {
	r := Reader{Rest: b, Memory: memory}
	ReadFields(&r, reflect.ValueOf(&v).Elem())
	r.Expect(len(r.Rest) == 0)
	return v, r.Err
}

func TestExportedFieldsComeBackToTheBit(t *testing.T) {
	in := given{Kind: 3, hidden: 7, Count: -5, Number: math.MaxUint64, Name: "héllo", Colour: [4]uint8{0, 9}, Bytes: []byte{0, 1}, User: math.Inf(1)}
	in.At.X = math.Copysign(0, -1)
	in.Points = append(in.Points, in.At, struct{ X, Y float64 }{1, math.NaN()})
	in.More = &given{On: true, Letters: []string{"", "a"}, User: struct{}{}, Err: errors.New("no"), Do: func() {}}
	out, err := readBack(written(in), 1<<16)
	if err != nil {
		t.Fatal(err)
	}
	if !math.Signbit(out.At.X) || math.Float64bits(out.Points[1].Y) != math.Float64bits(in.Points[1].Y) {
		t.Errorf("read %+v", out)
	}
	in.hidden, in.Points[1].Y, out.Points[1].Y = 0, 0, 0
	in.More.User, in.More.Err, in.More.Do = nil, nil, nil // bytes cannot store these values
	if !reflect.DeepEqual(in, out) {
		t.Errorf("read %+v, %+v", out, out.More)
	}
}

func TestWhatIsNotSetTakesNoBytes(t *testing.T) {
	if b := written(given{Kind: 1}); len(b) != 3 { // the distance, the value, and the end
		t.Errorf("%d bytes: %v", len(b), b)
	}
}

func TestFieldsThatNobodyWritesAreRefused(t *testing.T) {
	whole := written(given{Count: 1 << 30, More: &given{Points: make([]struct{ X, Y float64 }, 3)}})
	for n := range whole {
		if _, err := readBack(whole[:n], 1<<16); err == nil {
			t.Errorf("%d of %d bytes are read", n, len(whole))
		}
	}
	if _, err := readBack(whole, 10); !errors.Is(err, ErrMemory) {
		t.Error(err)
	}
	for name, b := range map[string][]byte{
		"a field that is not exported": {2, 14, 0},
		"a field beyond the last":      {200, 0},
		"a count that does not fit":    append([]byte{4}, 0xff, 0xff, 0xff, 0xff, 0x7f, 0),
		"text in place of an error":    {14, 2, 1, 'x', 0},
	} {
		if v, err := readBack(b, 1<<16); !errors.Is(err, ErrContradiction) {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}
