package paged

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// Tables that share pages hold what tables do that share nothing, whatever is
// written, shared and dropped in any order.
func TestTablesThatShareAreTablesOfTheirOwn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var pool Pool[int]
		var tables [6]Table[int]
		var want [6]map[int]int
		for i := range want {
			want[i] = map[int]int{}
		}
		most := 1 << (1 + r.IntN(16))
		for range 3000 {
			i, k := r.IntN(6), r.IntN(6)
			switch r.IntN(12) {
			case 0:
				tables[i].Share(&tables[k])
				from := want[k]
				want[i] = map[int]int{}
				for n, v := range from {
					want[i][n] = v
				}
			case 1:
				if r.IntN(4) == 0 {
					tables[i].Drop()
					want[i] = map[int]int{}
				}
			case 2:
				var marks Marks
				from, often := r.IntN(most), 1+r.IntN(8)
				for n := from; n < min(from+200, most); n++ {
					if r.IntN(8) < often {
						marks.Add(int32(n))
					}
				}
				marks.EachRun(func(first, size int, set uint64) {
					values := tables[i].Write(&pool, first, size, set)
					for j := range values {
						if set>>j&1 != 0 {
							values[j] = r.Int()
							want[i][first+j] = values[j]
						}
					}
				})
			default:
				n := r.IntN(most)
				v := r.Int()
				*tables[i].Value(&pool, n) = v
				want[i][n] = v
			}
		}
		for i := range tables {
			for n := range most {
				got := 0
				if v := tables[i].At(n); v != nil {
					got = *v
				}
				if got != want[i][n] {
					t.Fatalf("value %d of table %d is %d, not %d", n, i, got, want[i][n])
				}
			}
			for k := range tables {
				differ := map[int]bool{}
				tables[i].Differences(&tables[k], func(first int) { differ[first] = true })
				for n := range most {
					if want[i][n] != want[k][n] && !differ[n&^(PageSize-1)] {
						t.Fatalf("tables %d and %d differ in value %d, and nobody says so", i, k, n)
					}
				}
			}
		}
	}
}

func TestWhatIsWrittenAgainCostsItsPageAndAllocatesNothing(t *testing.T) {
	var pool Pool[[8]int]
	var now Table[[8]int]
	var kept [8]Table[[8]int]
	for n := range 1 << 14 {
		*now.Value(&pool, n) = [8]int{}
	}
	i := 0
	tick := func() {
		for n := range 20 {
			now.Value(&pool, 7000+n)[0]++
		}
		kept[i%8].Share(&now)
		pool.Trim()
		i++
	}
	for range 30 {
		tick()
	}
	pool.Copied = 0
	if n := testing.AllocsPerRun(100, tick); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if pool.Copied > 101*6 {
		t.Errorf("%d pages copied in 101 ticks that write to 5 or 6", pool.Copied)
	}
}

func TestMarksAreASet(t *testing.T) {
	var m Marks
	m.AddPage(4)
	m.Add(700)
	m.Add(700)
	m.AddAll(2)
	var got []int
	m.Each(func(n int) { got = append(got, n) })
	if len(got) != 7 || !m.Has(4) || !m.Has(7) || m.Has(8) || !m.Has(700) || m.Has(1<<20) {
		t.Error(got)
	}
	type run struct {
		size int
		set  uint64
	}
	runs := map[int]run{}
	for n := range 12 { // of 16 pages
		m.Add(int32(64 + 5*n))
	}
	m.EachRun(func(first, size int, set uint64) { runs[first] = run{size, set} })
	want := map[int]run{0: {PageSize, 3}, 4: {PageSize, 15}, 700: {PageSize, 1}, 64: {BlockSize, 0x0084210842108421}}
	if !maps.Equal(runs, want) {
		t.Error(runs)
	}
	m.Clear()
	m.Each(func(n int) { t.Error(n) })
}
