package benchscene

import "testing"

func TestScenesHaveTheSizesTheyAreKnownFor(t *testing.T) {
	sizes := map[string][2]int{ // bodies, joints
		"pyramid": {821, 0}, "fall1000": {1003, 0}, "fall5000": {5003, 0}, "fall10000": {10003, 0},
		"tumbler": {1025, 0}, "jointgrid": {400, 760}, "islands": {5001, 0},
	}
	for _, name := range Names() {
		s, err := Build(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]int{len(s.Bodies), len(s.Joints)}; got != sizes[name] {
			t.Errorf("%s has %d bodies and %d joints, want %v", name, got[0], got[1], sizes[name])
		}
		w := NewWorld()
		s.AddTo(w)
		if w.GetBodyCount() != len(s.Bodies) || w.GetJointCount() != len(s.Joints) {
			t.Errorf("%s: the world has %d bodies and %d joints", name, w.GetBodyCount(), w.GetJointCount())
		}
	}
}

func TestUnknownSceneIsRefusedWithTheNames(t *testing.T) {
	for _, name := range []string{"", "fall", "fall-3", "fallx", "nothing"} {
		if _, err := Build(name); err == nil {
			t.Errorf("%q was built", name)
		}
	}
}
