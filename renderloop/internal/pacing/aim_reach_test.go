package pacing

import "testing"

func TestAnInstantOutOfReachBecomesTheNearestOneInReach(t *testing.T) {
	r := &Reach{Held: [2]float64{-30e6, -13e6}, Newest: [2]float64{-5e6, 12e6}}
	for offset, want := range map[float64]float64{
		-40e6: -30e6, -20e6: -20e6, -13e6: -13e6 - 1, -12e6: -13e6 - 1, -6e6: -5e6, 0: 0, 12e6: 12e6, 50e6: 12e6,
	} {
		if got := r.nearest(offset); got != want {
			t.Errorf("%v becomes %v, want %v", offset, got, want)
		}
	}
	// a single pair, which may have no length
	for _, r := range []*Reach{{Held: [2]float64{-5, 0}, Newest: [2]float64{-5, 0}}, {Newest: [2]float64{-5, 0}}, {}} {
		if got := r.nearest(3); got != 0 {
			t.Errorf("%+v: 3 becomes %v", *r, got)
		}
	}
}
