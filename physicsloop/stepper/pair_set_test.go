package stepper

import (
	"math/rand/v2"
	"testing"
)

func TestPairSetIsASet(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var s pairSet
	want := map[uint64]bool{}
	for i := range 200_000 {
		a := int32(r.IntN(60))
		key := pairKey(a, a+1+int32(r.IntN(60)))
		if s.has(key) != want[key] {
			t.Fatalf("operation %d: has(%x) is %v", i, key, !want[key])
		}
		switch {
		case i%50_000 == 49_999:
			s.clear()
			clear(want)
		case r.IntN(100) < 30+i/1000%40: // by turns growing and shrinking
			s.add(key)
			want[key] = true
		default:
			s.remove(key)
			delete(want, key)
		}
		if s.count != len(want) {
			t.Fatalf("operation %d: %d keys, want %d", i, s.count, len(want))
		}
	}
	for key := range want {
		if !s.has(key) {
			t.Fatalf("%x is lost", key)
		}
	}
}

func TestPairKeyPutsTheLowerProxyOnTop(t *testing.T) {
	if a, b := pairKey(3, 70000), pairKey(70000, 3); a != b || a != 3<<32|70000 {
		t.Errorf("%x and %x", a, b)
	}
}
