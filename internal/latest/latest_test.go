package latest

import (
	"sync"
	"testing"
)

func TestEveryLoadIsAWholeValueAndNoneIsOlderThanTheLast(t *testing.T) {
	var v Value[[8]int]
	var readers sync.WaitGroup
	const last = 20000
	for range 4 {
		readers.Go(func() {
			for before := 0; before < last; {
				x := v.Load()
				for _, n := range x {
					if n != x[0] {
						t.Errorf("half of a value: %v", x)
						return
					}
				}
				if x[0] < before {
					t.Errorf("%d after %d", x[0], before)
					return
				}
				before = x[0]
			}
		})
	}
	for v.Load()[0] < last { // a Store may be skipped
		n := v.Load()[0] + 1
		v.Store(&[8]int{n, n, n, n, n, n, n, n})
	}
	readers.Wait()
}

func TestStoreAndLoadAllocateNothing(t *testing.T) {
	var v Value[[8]int]
	x := 0
	if n := testing.AllocsPerRun(100, func() { x++; v.Store(&[8]int{x}); x = v.Load()[0] }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
