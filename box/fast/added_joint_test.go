package fast_test

import (
	"testing"

	"halfstep/box/fast"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/test/worldgen"
)

func TestJointsThatTheLibraryHasNotHaveTheSameBitsForAnyNumberOfWorkers(t *testing.T) {
	play := func(seed uint64, workers int) (digests []uint64) {
		p := worldgen.New(seed)
		p.Extend()
		s := fast.New(p.World, fast.Options{Workers: workers})
		defer s.Close()
		s.ForceParallel()
		for range 60 {
			if f := p.Step(s.Step); f != nil {
				t.Fatalf("seed %d: panic in step %d: %v", seed, len(digests)+1, f)
			}
			digests = append(digests, p.Digest())
		}
		return digests
	}
	for seed := range uint64(norace.Rounds(whole.Rounds(12, 4), 2)) {
		want, got := play(seed, 1), play(seed, 4)
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("seed %d: other bits after step %d", seed, i+1)
			}
		}
	}
}
