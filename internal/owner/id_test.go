package owner

import "testing"

func TestEveryGoroutineHasANumberOfItsOwn(t *testing.T) {
	here := ID(new(Header))
	if ID(new(Header)) != here {
		t.Fatal("the number changes")
	}
	there := make(chan uint64)
	for range 100 {
		go func() { there <- ID(new(Header)) }()
	}
	seen := map[uint64]bool{here: true}
	for range 100 {
		id := <-there
		if seen[id] {
			t.Fatalf("two goroutines have the number %d", id)
		}
		seen[id] = true
	}
}

func TestTheNumberCostsNoMemory(t *testing.T) {
	var h Header
	if n := testing.AllocsPerRun(100, func() { ID(&h) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
