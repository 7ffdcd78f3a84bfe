package binenc

import (
	"math"
	"testing"
)

type holder struct {
	mark int
	in   inner
	zero float64
	who  *int
	what []struct {
		p *int
		n uint16
	}
}

func TestTheFirstDifferenceIsNamedWithBothValues(t *testing.T) {
	first := func() holder {
		h := holder{in: inner{3, 1.5}}
		h.what = append(h.what, struct {
			p *int
			n uint16
		}{n: 7})
		return h
	}
	for want, change := range map[string]func(h *holder){
		"":                 func(h *holder) { h.mark, h.who, h.what[0].p = 5, new(int), new(int) },
		".in.B":            func(h *holder) { h.in.B = 2 },
		".in.a":            func(h *holder) { h.in.a, h.what[0].n = 9, 8 },
		".zero":            func(h *holder) { h.zero = math.Copysign(0, -1) },
		".what[0].n":       func(h *holder) { h.what[0].n = 8 },
		".what (how many)": func(h *holder) { h.what = nil },
	} {
		a, b := first(), first()
		change(&b)
		d, differ := Difference(&a, &b, "mark")
		if d.Path != want || differ != (want != "") {
			t.Errorf("%q, %v, %v, not %q", d.Path, d.Before, d.After, want)
		}
		if want == ".in.a" && (d.Before != int8(3) || d.After != int8(9)) {
			t.Errorf("%v became %v", d.Before, d.After)
		}
	}
}

func TestNaNOfTheSameBitsIsNoDifference(t *testing.T) {
	a, b := inner{B: math.NaN()}, inner{B: math.NaN()}
	if d, differ := Difference(&a, &b); differ {
		t.Errorf("%+v", d)
	}
}
