package pairset

import (
	"math/rand/v2"
	"testing"
)

func TestSetHoldsWhatWasAdded(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var s Set
	want := map[uint64]bool{}
	for i := range 200_000 {
		a := int32(r.IntN(60))
		key := Key(a, a+1+int32(r.IntN(60)))
		if s.Has(key) != want[key] {
			t.Fatalf("operation %d: has(%x) is %v", i, key, !want[key])
		}
		switch {
		case i%50_000 == 49_999:
			s.Clear()
			clear(want)
		case r.IntN(100) < 30+i/1000%40: // by turns growing and shrinking
			s.Add(key)
			want[key] = true
		default:
			s.Remove(key)
			delete(want, key)
		}
		if s.count != len(want) {
			t.Fatalf("operation %d: %d keys, want %d", i, s.count, len(want))
		}
	}
	for key := range want {
		if !s.Has(key) {
			t.Fatalf("%x is lost", key)
		}
	}
}

func TestKeyPutsTheLowerProxyOnTop(t *testing.T) {
	if a, b := Key(3, 70000), Key(70000, 3); a != b || a != 3<<32|70000 {
		t.Errorf("%x and %x", a, b)
	}
}
