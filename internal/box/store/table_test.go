package store

import (
	"math/rand/v2"
	"testing"

	"halfstep/internal/stamps"
)

// Some tables share pages and others share none. After writes, shares and drops in any
// order, both have the same values.
func TestTablesThatShareAreTablesOfTheirOwn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var pool pool[int]
		var tables [6]table[int]
		var want [6]map[int]int
		for i := range want {
			want[i] = map[int]int{}
		}
		most := 1 << (1 + r.IntN(16))
		for range 3000 {
			i, k := r.IntN(6), r.IntN(6)
			switch r.IntN(12) {
			case 0:
				tables[i].share(&tables[k])
				from := want[k]
				want[i] = map[int]int{}
				for n, v := range from {
					want[i][n] = v
				}
			case 1:
				if r.IntN(4) == 0 {
					tables[i].drop()
					want[i] = map[int]int{}
				}
			case 2:
				var marked stamps.Stamps
				marked.Now()
				from, often := r.IntN(most), 1+r.IntN(8)
				for n := from; n < min(from+200, most); n++ {
					if r.IntN(8) < often {
						marked.Mark(int32(n))
					}
				}
				var kind kind
				marked.Blocks(1, kind.add)
				for _, run := range kind.runs {
					values := tables[i].write(&pool, int(run.first), int(run.size), run.changed)
					for j := range values {
						if run.changed>>j&1 != 0 {
							values[j] = r.Int()
							want[i][int(run.first)+j] = values[j]
						}
					}
				}
			default:
				n := r.IntN(most)
				v := r.Int()
				*tables[i].value(&pool, n) = v
				want[i][n] = v
			}
		}
		for i := range tables {
			for n := range most {
				got := 0
				if v := tables[i].at(n); v != nil {
					got = *v
				}
				if got != want[i][n] {
					t.Fatalf("value %d of table %d is %d, not %d", n, i, got, want[i][n])
				}
			}
			for k := range tables {
				differ := map[int]bool{}
				tables[i].differences(&tables[k], func(first int) { differ[first] = true })
				for n := range most {
					if want[i][n] != want[k][n] && !differ[n&^(pageSize-1)] {
						t.Fatalf("tables %d and %d differ in value %d, and nobody says so", i, k, n)
					}
				}
			}
		}
	}
}

func TestWhatIsWrittenAgainCostsItsPageAndAllocatesNothing(t *testing.T) {
	var pool pool[[8]int]
	var now table[[8]int]
	var kept [8]table[[8]int]
	for n := range 1 << 14 {
		*now.value(&pool, n) = [8]int{}
	}
	i := 0
	tick := func() {
		for n := range 20 {
			now.value(&pool, 7000+n)[0]++
		}
		kept[i%8].share(&now)
		pool.trim()
		i++
	}
	for range 30 {
		tick()
	}
	pool.copied = 0
	if n := testing.AllocsPerRun(100, tick); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if pool.copied > 101*6 {
		t.Errorf("%d pages copied in 101 ticks that write to 5 or 6", pool.copied)
	}
}
