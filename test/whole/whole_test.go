package whole

import "testing"

func TestASweepIsWholeOnlyWhereThatIsAsked(t *testing.T) {
	defer func(before bool) { asked = before }(asked)
	for _, want := range []int{3, 1} {
		asked = want == 3
		if n := Rounds(3, 1); n != want || Asked() != asked {
			t.Errorf("asked: %v, and there are %d rounds", asked, n)
		}
	}
}
