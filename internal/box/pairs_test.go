package box

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Proxy 2000 is the last one, and has a contact with nearly all others.
func TestPairsAreAMap(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var p pairs
	want := map[uint64]int32{}
	var asked []uint64
	for i := range 60_000 {
		a, b := r.Int32N(2000), r.Int32N(2000)
		if r.IntN(3) == 0 {
			b = 2000
		}
		if a == b {
			continue
		}
		key := Key(Proxy(a), Proxy(b))
		slot, there := want[key]
		if p.has(key) != there || there && p.find(key) != slot || !there && p.find(key) != -1 {
			t.Fatalf("%d: find returns %d, has %v, instead of %d, %v", i, p.find(key), p.has(key), slot, there)
		}
		if asked = append(asked, key); len(asked) >= 1+i%40 {
			absent := slices.DeleteFunc(slices.Clone(asked), p.has)
			if rest := p.without(asked); !slices.Equal(rest, absent) {
				t.Fatalf("%d: without leaves %x instead of %x", i, rest, absent)
			}
			asked = asked[:0]
		}
		if there {
			p.remove(key)
			delete(want, key)
		} else if i < 30_000 || r.IntN(2) == 0 {
			p.add(key, int32(i))
			want[key] = int32(i)
		} else {
			p.remove(key) // it is not there
		}
		if p.count != len(want) {
			t.Fatalf("%d keys are counted, of %d", p.count, len(want))
		}
	}
	for key, slot := range want {
		if p.find(key) != slot {
			t.Errorf("%x leads to %d instead of %d", key, p.find(key), slot)
		}
	}
}
